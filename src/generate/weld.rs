//! Telling equal things apart from new ones, fast: a large level asks millions of times.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A map with a fast hash. Nothing depends on its order.
pub type Known<K> = HashMap<K, u32, BuildHasherDefault<Words>>;

/// Hashes whole words by multiplication. Our own numbers need no defence against chosen keys.
#[derive(Default)]
pub struct Words(u64);

impl Words {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn finish(&self) -> u64 {
        // The map takes its buckets from the low bits and its tags from the high ones: both must be mixed.
        self.0 ^ (self.0 >> 32)
    }
}

/// The number of a key: what `add` gives where the key is new, and the same again later.
pub fn number<K: Hash + Eq>(known: &mut Known<K>, key: K, add: impl FnOnce() -> u32) -> u32 {
    *known.entry(key).or_insert_with(add)
}
