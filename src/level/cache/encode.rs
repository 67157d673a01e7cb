//! A level and what it was made from as a file of the cache.
//!
//! In order: [`MARK`], the trace, the level, and the XXH3 hash of everything before it. Numbers are in the byte order of the machine;
//! lists and texts stand behind their length.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::{MARK, damaged};
use crate::level::files::{Reading, Search, Trace};
use crate::level::{AlphaMode, LampKind, Level, Light, Map, Material, NormalMap, Spawn, Texture, Warning, Wrap};

/// Bytes that are hashed and written in one go: what the processor's own caches hold.
pub(super) const PIECE: usize = 1 << 18;

/// Fewer bytes than the file of a level has.
pub(super) fn least_size(level: &Level) -> u64 {
    let textures: usize = level.textures.iter().map(|texture| texture.rgba.len()).sum();
    (size_of_val(&*level.vertices) + size_of_val(&*level.tangents) + size_of_val(&*level.triangles) + textures) as u64
}

/// Writes the file, which must not exist yet.
pub(super) fn write(path: &Path, trace: &Trace, level: &Level) -> io::Result<()> {
    let mut out = Writer { file: File::create_new(path)?, hash: Xxh3::new(), waiting: Vec::with_capacity(PIECE) };
    out.bytes(MARK.as_bytes())?;
    out.trace(trace)?;
    out.level(level)?;
    out.end()
}

struct Writer {
    file: File,
    /// Of all that was written.
    hash: Xxh3,
    /// Small things that are written together.
    waiting: Vec<u8>,
}

impl Writer {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.waiting.len() + bytes.len() <= PIECE {
            self.waiting.extend_from_slice(bytes);
            return Ok(());
        }
        self.flush()?;
        for piece in bytes.chunks(PIECE) {
            self.hash.update(piece);
            self.file.write_all(piece)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hash.update(&self.waiting);
        self.file.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    fn end(mut self) -> io::Result<()> {
        self.flush()?;
        self.file.write_all(&self.hash.digest128().to_ne_bytes())
    }

    fn number(&mut self, number: impl TryInto<u64>) -> io::Result<()> {
        let number = number.try_into().map_err(|_| damaged("a number beyond 64 bits"))?;
        self.bytes(&number.to_ne_bytes())
    }

    fn list<T: bytemuck::NoUninit>(&mut self, list: &[T]) -> io::Result<()> {
        self.number(list.len())?;
        self.bytes(bytemuck::cast_slice(list))
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.list(text.as_bytes())
    }

    fn path(&mut self, path: &Path) -> io::Result<()> {
        self.text(path.to_str().ok_or_else(|| damaged("a path that is no Unicode"))?)
    }

    fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Writer, T) -> io::Result<()>) -> io::Result<()> {
        self.number(u8::from(value.is_some()))?;
        value.map_or(Ok(()), |value| write(self, value))
    }

    fn each<T>(&mut self, list: &[T], write: impl FnMut(&mut Writer, &T) -> io::Result<()>) -> io::Result<()> {
        self.number(list.len())?;
        let mut write = write;
        list.iter().try_for_each(|value| write(self, value))
    }

    fn trace(&mut self, trace: &Trace) -> io::Result<()> {
        let Trace { searches, readings, has_failed: _ } = trace;
        self.each(searches, |out, Search { folders, name, found }| {
            out.each(folders, |out, folder| out.path(folder))?;
            out.text(name)?;
            out.option(found.as_ref(), |out, found| out.path(found))
        })?;
        self.each(readings, |out, Reading { path, length, hash }| {
            out.path(path)?;
            out.number(*length)?;
            out.bytes(&hash.to_ne_bytes())
        })
    }

    fn level(&mut self, level: &Level) -> io::Result<()> {
        let Level {
            name,
            vertices,
            tangents,
            triangles,
            materials,
            textures,
            lights,
            origin,
            source_positions,
            spawn,
            warnings,
        } = level;
        self.text(name)?;
        self.bytes(bytemuck::bytes_of(&origin.to_array()))?;
        self.number(*source_positions)?;
        self.option(*spawn, |out, Spawn { feet, yaw }| {
            out.bytes(bytemuck::bytes_of(&feet.to_array()))?;
            out.bytes(&yaw.to_ne_bytes())
        })?;
        self.each(&warnings.iter().collect::<Vec<_>>(), |out, Warning { kind, message, count }| {
            out.text(kind.name())?;
            out.text(message)?;
            out.number(*count)
        })?;
        self.each(materials, Writer::material)?;
        self.each(textures, |out, Texture { path, width, height, rgba }| {
            out.path(path)?;
            out.number(*width)?;
            out.number(*height)?;
            out.list(rgba)
        })?;
        self.each(lights, Writer::light)?;
        self.list(vertices)?;
        self.list(tangents)?;
        self.list(triangles)
    }

    fn material(&mut self, material: &Material) -> io::Result<()> {
        let Material {
            name,
            base_color,
            texture,
            wrap,
            texture_path,
            emissive,
            emissive_map,
            normal_map,
            alpha_mode,
            two_sided,
            unlit,
        } = material;
        self.text(name)?;
        self.bytes(bytemuck::bytes_of(base_color))?;
        self.option(*texture, |out, texture| out.number(texture))?;
        self.wrap(*wrap)?;
        self.option(texture_path.as_ref(), |out, path| out.path(path))?;
        self.bytes(bytemuck::bytes_of(emissive))?;
        self.option(*emissive_map, Writer::map)?;
        self.option(*normal_map, |out, NormalMap { map, scale }| {
            out.map(map)?;
            out.bytes(&scale.to_ne_bytes())
        })?;
        let (mode, cutoff) = match *alpha_mode {
            AlphaMode::Opaque => (0_u8, 0.0),
            AlphaMode::Mask(cutoff) => (1, cutoff),
            AlphaMode::Blend => (2, 0.0),
        };
        self.number(mode)?;
        self.bytes(&f32::to_ne_bytes(cutoff))?;
        self.number(u8::from(*two_sided))?;
        self.number(u8::from(*unlit))
    }

    fn light(&mut self, Light { kind, color, position, direction }: &Light) -> io::Result<()> {
        let (kind, numbers) = match *kind {
            LampKind::Ambient => (0_u8, [0.0; 3]),
            LampKind::Sun => (1, [0.0; 3]),
            LampKind::Point { range } => (2, [range, 0.0, 0.0]),
            LampKind::Spot { range, half_angle, inner_angle } => (3, [range, half_angle, inner_angle]),
        };
        self.number(kind)?;
        self.bytes(bytemuck::bytes_of(&[numbers, color.to_array(), position.to_array(), direction.to_array()]))
    }

    fn map(&mut self, Map { texture, wrap }: Map) -> io::Result<()> {
        self.number(texture)?;
        self.wrap(wrap)
    }

    fn wrap(&mut self, wrap: [Wrap; 2]) -> io::Result<()> {
        wrap.iter().try_for_each(|wrap| {
            self.number(match wrap {
                Wrap::Repeat => 0_u8,
                Wrap::Mirror => 1,
                Wrap::Clamp => 2,
            })
        })
    }
}
