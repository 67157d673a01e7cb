//! Asks a level what lies ahead, below and between: rays, heights, line of sight, a moving ball.
//!
//! `cargo run --release --no-default-features --example cast_a_ray`

use std::error::Error;

use glam::Vec3;
use nodetree::geometry::Ray;
use nodetree::query::{Faces, Sweep, Which};
use nodetree::tree::{Mode, Settings, Tree};

fn main() -> Result<(), Box<dyn Error>> {
    let level = nodetree::generate::by_name("castle", None, 1).ok_or("there is a castle")?;
    let tree = Tree::build(&level, &Settings::new(Mode::Octree));
    let spawn = level.spawn.ok_or("the castle has a spawn point")?;
    let eye = level.to_local(spawn.feet) + 1.65 * Vec3::Y;

    // What lies ahead? A ray takes a direction of any length; distances are metres.
    let ahead = Ray::new(eye, Vec3::NEG_Z)?;
    if let Some(hit) = tree.ray(&ahead, f32::INFINITY, Faces::Both) {
        let material = &level.materials[level.triangles[hit.triangle as usize].material as usize];
        println!("ahead: {} at {:.2} m, normal {}", material.name, hit.distance, hit.normal);
    }

    // How high is the ground here, and is there a ceiling?
    println!("below: {:?} m", tree.height(eye, Which::Below, 0.0));
    println!("above: {:?} m", tree.height(eye, Which::Above, 0.0));

    // Does anything stand between two points? The limit belongs to the ray.
    let tower = eye + Vec3::new(30.0, 18.0, -40.0);
    let sight = Ray::through(eye, tower)?;
    println!(
        "the tower is {}",
        if tree.any_hit(&sight, eye.distance(tower), Faces::Both) { "hidden" } else { "in sight" }
    );

    // How far does a ball of 40 cm go?
    match tree.sweep(&Sweep::sphere(eye, 0.4, Vec3::new(0.0, 0.0, -80.0))) {
        Some(contact) => {
            println!("a ball stops after {:.2} m, by triangle {}", 80.0 * contact.fraction, contact.triangle)
        }
        None => println!("a ball goes all of 80 m"),
    }
    Ok(())
}
