//! Large arrays on large pages: questions that jump about in them wait less for the tables that map addresses.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::AnyBitPattern;

/// An array of plain data of a length that is known beforehand. Large ones lie on large pages where the system has them.
pub(super) struct Pages<T> {
    memory: Memory<T>,
    length: usize,
}

enum Memory<T> {
    Heap(Vec<T>),
    Mapped(Map, PhantomData<T>),
}

#[cfg(not(target_arch = "wasm32"))]
use memmap2::MmapMut as Map;
/// Of WebAssembly's memory nothing is mapped.
#[cfg(target_arch = "wasm32")]
type Map = Box<[u8]>;

/// Arrays below this many bytes fit into the tables and caches anyway.
const LARGE: usize = 4 << 20;

#[cfg(not(target_arch = "wasm32"))]
fn map(bytes: usize) -> Option<Map> {
    let map = Map::map_anon(bytes).ok()?;
    // Only ever a hint.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Some(map)
}

#[cfg(target_arch = "wasm32")]
fn map(_: usize) -> Option<Map> {
    None
}

impl<T: AnyBitPattern + bytemuck::NoUninit> Pages<T> {
    /// Room for `length` elements, all of them zeros.
    pub fn zeroed(length: usize) -> Pages<T> {
        let bytes = length * size_of::<T>();
        let mapped = if bytes < LARGE { None } else { map(bytes) };
        let memory = match mapped {
            Some(map) => Memory::Mapped(map, PhantomData),
            None => Memory::Heap(vec![T::zeroed(); length]),
        };
        Pages { memory, length }
    }
}

impl<T: AnyBitPattern + bytemuck::NoUninit> From<&[T]> for Pages<T> {
    fn from(elements: &[T]) -> Pages<T> {
        let mut copy = Pages::zeroed(elements.len());
        copy.copy_from_slice(elements);
        copy
    }
}

impl<T: AnyBitPattern + bytemuck::NoUninit> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Heap(elements) => elements,
            Memory::Mapped(map, _) => bytemuck::cast_slice(&map[..self.length * size_of::<T>()]),
        }
    }
}

impl<T: AnyBitPattern + bytemuck::NoUninit> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Heap(elements) => elements,
            Memory::Mapped(map, _) => bytemuck::cast_slice_mut(&mut map[..self.length * size_of::<T>()]),
        }
    }
}

impl<T: AnyBitPattern + bytemuck::NoUninit> Clone for Pages<T> {
    fn clone(&self) -> Pages<T> {
        Pages::from(&self[..])
    }
}

impl<T: AnyBitPattern + bytemuck::NoUninit> Default for Pages<T> {
    fn default() -> Pages<T> {
        Pages::zeroed(0)
    }
}

impl<T: AnyBitPattern + bytemuck::NoUninit + std::fmt::Debug> std::fmt::Debug for Pages<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self[..].fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_arrays_hold_what_is_put_in() {
        for length in [0, 1, 1000, LARGE / 4 + 7] {
            let mut pages: Pages<u32> = Pages::zeroed(length);
            assert!(pages.iter().all(|&number| number == 0) && pages.len() == length);
            pages.iter_mut().enumerate().for_each(|(index, number)| *number = index as u32);
            let copy = pages.clone();
            assert_eq!(pages[..], copy[..]);
            assert!(copy.iter().enumerate().all(|(index, &number)| number == index as u32));
        }
    }
}
