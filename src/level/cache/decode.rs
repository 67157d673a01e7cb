//! A file of the cache as a level again. Whatever its bytes are, it takes no more memory than a few times its length, and what comes
//! out holds together; the hash at its end tells whether it is what was written.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bytemuck::AnyBitPattern;
use glam::{DVec3, Vec3, Vec4};
use xxhash_rust::xxh3::Xxh3;

use super::encode::PIECE;
use super::{MARK, damaged};
use crate::level::files;
use crate::level::files::{Reading, Search, Trace};
use crate::level::{
    AlphaMode, IndexedTriangle, LampKind, Level, Light, Map, Material, NormalMap, Spawn, Texture, Vertex, WarningKind,
    Warnings, Wrap,
};

/// Length of the hash at the end.
const HASH: u64 = 16;

/// Reads a file while `holds` finds what it was made from unchanged, which is looked at meanwhile.
///
/// # Errors
/// When there is no such file, it was written by another build, is damaged, or does not hold.
pub(super) fn read(path: &Path, holds: impl FnOnce(Trace) -> bool + Send) -> io::Result<Level> {
    let file = files::open(path, u64::MAX)?;
    let length = file.metadata()?.len();
    read_from(file, length, holds)
}

/// The same from any source of so many bytes.
pub(super) fn read_from(
    source: impl Read + Send,
    length: u64,
    holds: impl FnOnce(Trace) -> bool + Send,
) -> io::Result<Level> {
    let left = length.checked_sub(HASH).ok_or_else(|| damaged("too short"))?;
    let mut reader = Reader { source: io::BufReader::with_capacity(1 << 13, source), left, hash: Xxh3::new() };
    let mut mark = [0; MARK.len()];
    reader.fill(&mut mark)?;
    if mark != MARK.as_bytes() {
        return Err(damaged("of another build"));
    }
    let trace = reader.trace()?;
    let (holds, level) = rayon::join(
        || holds(trace),
        || {
            let level = reader.level()?;
            reader.end()?;
            Ok(level)
        },
    );
    if holds { level } else { Err(damaged("out of date")) }
}

struct Reader<R> {
    source: io::BufReader<R>,
    /// Bytes up to the hash at the end.
    left: u64,
    /// Of all that was read.
    hash: Xxh3,
}

impl<R: Read> Reader<R> {
    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(|| damaged("too short"))?;
        for piece in bytes.chunks_mut(PIECE) {
            self.source.read_exact(piece)?;
            self.hash.update(piece);
        }
        Ok(())
    }

    /// Ends with the hash, which must be that of all before it.
    fn end(&mut self) -> io::Result<()> {
        let mut hash = [0; HASH as usize];
        self.source.read_exact(&mut hash)?;
        let is_right = self.left == 0 && self.hash.digest128() == u128::from_ne_bytes(hash);
        if is_right { Ok(()) } else { Err(damaged("not what was written")) }
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn number<T: TryFrom<u64>>(&mut self) -> io::Result<T> {
        u64::from_ne_bytes(self.array()?).try_into().map_err(|_| damaged("a number out of range"))
    }

    fn flag(&mut self) -> io::Result<bool> {
        match self.number::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged("neither yes nor no")),
        }
    }

    fn float(&mut self) -> io::Result<f32> {
        Ok(f32::from_ne_bytes(self.array()?))
    }

    fn point(&mut self) -> io::Result<DVec3> {
        let mut point = [0.0; 3];
        for part in &mut point {
            *part = f64::from_ne_bytes(self.array()?);
        }
        Ok(DVec3::from_array(point))
    }

    /// How many things of at least so many bytes come.
    fn count(&mut self, bytes: usize) -> io::Result<usize> {
        let count: usize = self.number()?;
        let fits = (count as u64).checked_mul(bytes as u64).is_some_and(|bytes| bytes <= self.left);
        if fits { Ok(count) } else { Err(damaged("longer than its file")) }
    }

    fn list<T: AnyBitPattern + bytemuck::NoUninit>(&mut self) -> io::Result<Vec<T>> {
        let count = self.count(size_of::<T>())?;
        let mut list = bytemuck::zeroed_vec(count);
        self.fill(bytemuck::cast_slice_mut(&mut list))?;
        Ok(list)
    }

    fn text(&mut self) -> io::Result<String> {
        String::from_utf8(self.list()?).map_err(|_| damaged("a text that is no Unicode"))
    }

    fn path(&mut self) -> io::Result<PathBuf> {
        Ok(PathBuf::from(self.text()?))
    }

    fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> io::Result<T>) -> io::Result<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    fn each<T>(&mut self, read: impl FnMut(&mut Self) -> io::Result<T>) -> io::Result<Vec<T>> {
        // Each begins with a number.
        let count = self.count(size_of::<u64>())?;
        let mut read = read;
        // Not `collect`, which would take space for all at once: some are much larger than their bytes.
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(read(self)?);
        }
        Ok(list)
    }

    fn trace(&mut self) -> io::Result<Trace> {
        let searches = self.each(|reader| {
            let folders = reader.each(Self::path)?;
            Ok(Search { folders, name: reader.text()?, found: reader.option(Self::path)? })
        })?;
        let readings = self.each(|reader| {
            let (path, length) = (reader.path()?, reader.number()?);
            Ok(Reading { path, length, hash: u128::from_ne_bytes(reader.array()?) })
        })?;
        Ok(Trace { searches, readings, has_failed: false })
    }

    fn level(&mut self) -> io::Result<Level> {
        let level = Level {
            name: self.text()?,
            origin: self.point()?,
            source_positions: self.number()?,
            spawn: self.option(|reader| Ok(Spawn { feet: reader.point()?, yaw: reader.float()? }))?,
            warnings: self.warnings()?,
            materials: self.each(Self::material)?,
            textures: self.each(Self::texture)?,
            lights: self.each(Self::light)?,
            vertices: self.list::<Vertex>()?,
            tangents: self.list::<Vec4>()?,
            triangles: self.list::<IndexedTriangle>()?,
        };
        let textures = level.materials.iter().flat_map(Material::textures);
        let most_corner = level.triangles.iter().flat_map(|triangle| triangle.vertices).max();
        let most_material = level.triangles.iter().map(|triangle| triangle.material).max();
        for (most, count) in [
            (textures.max(), level.textures.len()),
            (most_corner, level.vertices.len()),
            (most_material, level.materials.len()),
        ] {
            if most.is_some_and(|most| most as usize >= count) {
                return Err(damaged("an index out of range"));
            }
        }
        if !level.tangents.is_empty() && level.tangents.len() != level.vertices.len() {
            return Err(damaged("tangents of other vertices"));
        }
        Ok(level)
    }

    fn light(&mut self) -> io::Result<Light> {
        let kind = self.number::<u8>()?;
        let mut vector = || Ok::<_, io::Error>(Vec3::new(self.float()?, self.float()?, self.float()?));
        let (Vec3 { x: range, y: half_angle, z: inner_angle }, color) = (vector()?, vector()?);
        let (position, direction) = (vector()?, vector()?);
        let kind = match kind {
            0 => LampKind::Ambient,
            1 => LampKind::Sun,
            2 => LampKind::Point { range },
            3 => LampKind::Spot { range, half_angle, inner_angle },
            _ => return Err(damaged("a light of no kind")),
        };
        Ok(Light { kind, color, position, direction })
    }

    fn warnings(&mut self) -> io::Result<Warnings> {
        let mut warnings = Warnings::default();
        for (kind, message, count) in self.each(|reader| Ok((reader.text()?, reader.text()?, reader.number()?)))? {
            let kind = WarningKind::ALL.into_iter().find(|known| known.name() == kind);
            warnings.add_many(kind.ok_or_else(|| damaged("a warning of no kind"))?, message, count);
        }
        Ok(warnings)
    }

    fn material(&mut self) -> io::Result<Material> {
        let name = self.text()?;
        let mut base_color = [0.0; 4];
        for part in &mut base_color {
            *part = self.float()?;
        }
        let texture = self.option(Self::number)?;
        let wrap = self.wrap()?;
        let texture_path = self.option(Self::path)?;
        let emissive = [self.float()?, self.float()?, self.float()?];
        let emissive_map = self.option(Self::map)?;
        let normal_map = self.option(|reader| Ok(NormalMap { map: reader.map()?, scale: reader.float()? }))?;
        let (mode, cutoff) = (self.number::<u8>()?, self.float()?);
        let alpha_mode = match mode {
            0 => AlphaMode::Opaque,
            1 => AlphaMode::Mask(cutoff),
            2 => AlphaMode::Blend,
            _ => return Err(damaged("an alpha mode that is not known")),
        };
        Ok(Material {
            name,
            base_color,
            texture,
            wrap,
            texture_path,
            emissive,
            emissive_map,
            normal_map,
            alpha_mode,
            two_sided: self.flag()?,
            unlit: self.flag()?,
        })
    }

    fn map(&mut self) -> io::Result<Map> {
        Ok(Map { texture: self.number()?, wrap: self.wrap()? })
    }

    fn wrap(&mut self) -> io::Result<[Wrap; 2]> {
        let mut wrap = [Wrap::Repeat; 2];
        for wrap in &mut wrap {
            *wrap = match self.number::<u8>()? {
                0 => Wrap::Repeat,
                1 => Wrap::Mirror,
                2 => Wrap::Clamp,
                _ => return Err(damaged("a wrap that is not known")),
            };
        }
        Ok(wrap)
    }

    fn texture(&mut self) -> io::Result<Texture> {
        let (path, width, height) = (self.path()?, self.number::<u32>()?, self.number::<u32>()?);
        let rgba = self.list::<u8>()?;
        let pixels = u64::from(width) * u64::from(height);
        let is_right = pixels > 0 && pixels.checked_mul(4) == Some(rgba.len() as u64);
        if is_right { Ok(Texture { path, width, height, rgba }) } else { Err(damaged("a picture without its pixels")) }
    }
}
