//! Heightmaps: pictures that become terrains.

use std::path::Path;

use glam::{DVec3, Vec2, Vec3};
use image::{DynamicImage, GrayImage, ImageBuffer, Luma, Rgb, RgbImage};
use nodetree::level::{Handedness, HeightmapOptions, Level, LoadOptions, Placement, UpAxis, load};

/// 3 by 2 pixels.
const SMALL: [u16; 6] = [0, 65535, 13107, 26214, 39321, 52428];

fn small() -> DynamicImage {
    DynamicImage::ImageLuma16(ImageBuffer::<Luma<u16>, _>::from_raw(3, 2, SMALL.to_vec()).unwrap())
}

fn level_of(picture: &DynamicImage, name: &str, options: &LoadOptions) -> Level {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    picture.save(&path).unwrap();
    load(&path, options).unwrap()
}

fn options(heightmap: HeightmapOptions) -> LoadOptions {
    LoadOptions { heightmap, ..LoadOptions::default() }
}

#[test]
fn black_is_lowest_and_white_highest() {
    let heightmap = HeightmapOptions { cell_size: 2.0, lowest: -5.0, highest: 20.0, ..HeightmapOptions::default() };
    let level = level_of(&small(), "a.png", &options(heightmap));
    let places: Vec<DVec3> = level.vertices.iter().map(|vertex| level.to_level(vertex.position)).collect();
    let expected = [-5.0, 20.0, 0.0, 5.0, 10.0, 15.0];
    for (index, (place, height)) in places.iter().zip(expected).enumerate() {
        let expected = DVec3::new(2.0 * (index % 3) as f64, height, 2.0 * (index / 3) as f64);
        assert!(place.distance(expected) < 1e-5, "{place} {expected}");
    }
    assert_eq!(level.source_positions, 6);
    assert!(level.warnings.is_empty());
}

#[test]
fn cells_are_cut_from_first_to_last() {
    let level = level_of(&small(), "a.png", &LoadOptions::default());
    let triangles: Vec<_> = level.triangles.iter().map(|triangle| (triangle.vertices, triangle.face)).collect();
    assert_eq!(triangles, [([0, 3, 4], 0), ([0, 4, 1], 0), ([1, 4, 5], 1), ([1, 5, 2], 1)]);
    for triangle in 0..4 {
        let [a, b, c] = level.corners(triangle);
        assert!((b - a).cross(c - a).y > 0.0, "the front is above");
    }
}

/// The same terrain from 8 and 16 bits, grey and coloured, in each format.
#[test]
fn formats_and_depths_agree() {
    let eight = GrayImage::from_fn(5, 4, |x, y| Luma([(x * 50 + y * 13) as u8]));
    let sixteen =
        ImageBuffer::<Luma<u16>, Vec<u16>>::from_fn(5, 4, |x, y| Luma([u16::from(eight.get_pixel(x, y).0[0]) * 257]));
    let colored = RgbImage::from_fn(5, 4, |x, y| Rgb([eight.get_pixel(x, y).0[0]; 3]));
    let expected = level_of(&DynamicImage::ImageLuma8(eight.clone()), "a.png", &LoadOptions::default());
    for (picture, name) in [
        (DynamicImage::ImageLuma8(eight.clone()), "a.bmp"),
        (DynamicImage::ImageLuma8(eight), "A.TIF"),
        (DynamicImage::ImageLuma16(sixteen.clone()), "a.png"),
        (DynamicImage::ImageLuma16(sixteen), "a.tiff"),
        (DynamicImage::ImageRgb8(colored.clone()), "a.bmp"),
        (DynamicImage::ImageRgb8(colored), "a.png"),
    ] {
        let level = level_of(&picture, name, &LoadOptions::default());
        assert_eq!(
            (level.vertices, level.triangles),
            (expected.vertices.clone(), expected.triangles.clone()),
            "{name}"
        );
    }
}

#[test]
fn normals_are_averaged() {
    // A plane has one normal, everywhere.
    let plane = ImageBuffer::<Luma<u16>, Vec<u16>>::from_fn(6, 5, |x, y| Luma([(x * 3000 + y * 5000) as u16]));
    let level = level_of(&DynamicImage::ImageLuma16(plane), "a.png", &LoadOptions::default());
    let (right, down) = (3000.0 / 65535.0 * 100.0, 5000.0 / 65535.0 * 100.0);
    let expected = Vec3::new(-right, 1.0, -down).normalize();
    assert!(level.vertices.iter().all(|vertex| vertex.normal.distance(expected) < 1e-4));
    // At a peak alone in a plain the slopes around it cancel.
    let mut peak = ImageBuffer::<Luma<u16>, Vec<u16>>::new(3, 3);
    peak.put_pixel(1, 1, Luma([1000]));
    let level = level_of(&DynamicImage::ImageLuma16(peak), "a.png", &LoadOptions::default());
    assert!(level.vertices[4].normal.distance(Vec3::Y) < 1e-6);
    let west = level.vertices[3].normal;
    assert!(west.x < -0.1 && west.y > 0.5, "{west}");
}

#[test]
fn textures_cover_once_or_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let texture = folder.path().join("grass.png");
    RgbImage::from_pixel(2, 2, Rgb([10, 200, 30])).save(&texture).unwrap();
    let at = |level: &Level, vertex: usize| level.vertices[vertex].tex_coord;
    for (texture_size, last) in [(None, Vec2::ONE), (Some(0.5), Vec2::new(8.0, 4.0))] {
        let heightmap = HeightmapOptions {
            texture: Some(texture.clone()),
            texture_size,
            cell_size: 2.0,
            ..HeightmapOptions::default()
        };
        let level = level_of(&small(), "a.png", &options(heightmap));
        assert_eq!((at(&level, 0), at(&level, 5)), (Vec2::ZERO, last));
        assert_eq!(level.materials[0].texture, Some(0));
        assert_eq!(level.textures[0].rgba[..4], [10, 200, 30, 255]);
    }
    let heightmap = HeightmapOptions { texture: Some("no/such.png".into()), ..HeightmapOptions::default() };
    let path = folder.path().join("a.png");
    small().save(&path).unwrap();
    assert!(load(&path, &options(heightmap)).unwrap_err().to_string().contains("no/such.png"));
}

#[test]
fn scale_and_hand_apply() {
    let usual = level_of(&small(), "a.png", &LoadOptions::default());
    for handedness in [Handedness::Right, Handedness::Left] {
        let placement = Placement { handedness, scale: 3.0, ..Placement::default() };
        let level = level_of(&small(), "a.png", &LoadOptions { placement, ..LoadOptions::default() });
        for (placed, vertex) in level.vertices.iter().zip(&usual.vertices) {
            let expected = placement.to_level(usual.to_level(vertex.position));
            assert!(level.to_level(placed.position).distance(expected) < 1e-3);
            assert_eq!(placed.normal, placement.turn(vertex.normal.as_dvec3()).as_vec3());
        }
        for triangle in 0..level.triangles.len() as u32 {
            let [a, b, c] = level.corners(triangle);
            assert!((b - a).cross(c - a).y > 0.0, "{handedness:?}: the front is above");
        }
    }
}

#[test]
fn what_is_no_terrain_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, save: &dyn Fn(&Path), heightmap: HeightmapOptions, what: &str| {
        let path = folder.path().join(name);
        save(&path);
        let error = load(&path, &options(heightmap)).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(what) && error.lines().count() == 1, "{error}");
    };
    let usual = HeightmapOptions::default;
    check("row.png", &|path| GrayImage::new(9, 1).save(path).unwrap(), usual(), "9 by 1 pixels");
    check("text.png", &|path| std::fs::write(path, "no picture").unwrap(), usual(), "cannot be read as a heightmap");
    check("cut.png", &|path| std::fs::write(path, b"\x89PNG\r\n\x1a\n").unwrap(), usual(), "cannot be read");
    let float = DynamicImage::ImageRgb32F(ImageBuffer::new(2, 2));
    check("float.tiff", &|path| float.save(path).unwrap(), usual(), "16 bits");
    let huge = HeightmapOptions { cell_size: 1e300, ..usual() };
    let lying = Placement { up: UpAxis::Z, ..Placement::default() };
    let path = folder.path().join("lying.png");
    small().save(&path).unwrap();
    let error = load(&path, &LoadOptions { placement: lying, ..LoadOptions::default() }).unwrap_err().to_string();
    assert!(error.contains("up already"), "{error}");
    check("huge.png", &|path| small().save(path).unwrap(), huge, "too large");
}
