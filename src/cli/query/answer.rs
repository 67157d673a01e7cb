//! Answers: a typed question in level coordinates to a typed answer in level coordinates.

use anyhow::{Context, bail, ensure};
use glam::{DVec3, Vec3};
use nodetree::geometry::{Aabb, Ray};
use nodetree::level::Level;
use nodetree::query::{self, RayHit, Slide, SlideContact, Sweep};
use nodetree::tree::Tree;
use serde::Serialize;

use super::question::{
    HeightQuestion, Question, Radius, RayMode, RayQuestion, SegmentQuestion, SlideQuestion, SphereQuestion,
    SweepQuestion, Which,
};

/// What stands on a line of the output.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer<'a> {
    Ray {
        hit: Option<Hit<'a>>,
    },
    AnyHit {
        hit: bool,
    },
    AllHits {
        hits: Vec<Hit<'a>>,
    },
    Segment {
        blocked: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        distance: Option<f32>,
    },
    Height {
        height: Option<f64>,
    },
    Heights {
        heights: Vec<f64>,
    },
    Sphere {
        touches: bool,
        closest: Option<[f64; 3]>,
        distance: Option<f32>,
        way_out: Option<[f32; 3]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        triangles: Option<&'a [u32]>,
    },
    Sweep {
        hit: Option<Contact<'a>>,
    },
    Slide {
        center: [f64; 3],
        contacts: Vec<Touch>,
    },
    Error {
        error: String,
    },
}

#[derive(Serialize)]
pub struct Hit<'a> {
    distance: f32,
    point: [f64; 3],
    normal: [f32; 3],
    front: bool,
    triangle: u32,
    /// Of a scene: the name of the prop.
    #[serde(skip_serializing_if = "Option::is_none")]
    prop: Option<&'a str>,
    face: u32,
    material: &'a str,
    u: f32,
    v: f32,
}

#[derive(Serialize)]
pub struct Contact<'a> {
    fraction: f32,
    point: [f64; 3],
    normal: [f32; 3],
    triangle: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    prop: Option<&'a str>,
    material: &'a str,
    depth: f32,
    way_out: [f32; 3],
}

#[derive(Serialize)]
pub struct Touch {
    point: [f64; 3],
    normal: [f32; 3],
    triangle: u32,
}

/// Answers questions about one level. Lists are reused.
pub struct Responder<'a> {
    level: &'a Level,
    tree: &'a Tree,
    /// The name of the prop that a triangle belongs to.
    owner: &'a dyn Fn(u32) -> Option<&'a str>,
    bounds: Aabb,
    hits: Vec<RayHit>,
    heights: Vec<f32>,
    triangles: Vec<u32>,
    contacts: Vec<SlideContact>,
}

impl<'a> Responder<'a> {
    pub fn new(level: &'a Level, tree: &'a Tree, owner: &'a dyn Fn(u32) -> Option<&'a str>) -> Responder<'a> {
        let (hits, heights, triangles, contacts) = Default::default();
        Responder { level, tree, owner, bounds: tree.bounds(), hits, heights, triangles, contacts }
    }

    pub fn answer(&mut self, question: &Question) -> anyhow::Result<Answer<'_>> {
        match question {
            Question::Ray(question) => self.ray(question).context("ray"),
            Question::Segment(question) => self.segment(question).context("segment"),
            Question::Height(question) => self.height(question).context("height"),
            Question::Sphere(question) => self.sphere(question).context("sphere"),
            Question::Sweep(question) => self.sweep(question).context("sweep"),
            Question::Slide(question) => self.slide(question).context("slide"),
        }
    }

    fn ray(&mut self, question: &RayQuestion) -> anyhow::Result<Answer<'_>> {
        let ray = Ray::new(self.place(question.origin), DVec3::from_array(question.direction))?;
        let limit = question.max_distance.map_or(Ok(f32::INFINITY), |limit| not_negative(limit, "max_distance"))?;
        let faces = question.faces.unwrap_or_default().into();
        Ok(match question.mode.unwrap_or_default() {
            RayMode::Nearest => Answer::Ray { hit: self.tree.ray(&ray, limit, faces).map(|hit| self.hit(&hit)) },
            RayMode::Any => Answer::AnyHit { hit: self.tree.any_hit(&ray, limit, faces) },
            RayMode::All => {
                self.tree.all_hits(&ray, limit, faces, &mut self.hits);
                Answer::AllHits { hits: self.hits.iter().map(|hit| self.hit(hit)).collect() }
            }
        })
    }

    fn segment(&self, question: &SegmentQuestion) -> anyhow::Result<Answer<'_>> {
        let [from, to] = [question.from, question.to].map(|end| self.place(end));
        ensure!(from.as_vec3().is_finite() && to.as_vec3().is_finite(), "an end is too far away");
        let distance = self.tree.segment(from, to);
        Ok(Answer::Segment { blocked: distance.is_some(), distance })
    }

    fn height(&mut self, question: &HeightQuestion) -> anyhow::Result<Answer<'_>> {
        let point = self.local(question.point, "point")?;
        let snap = not_negative(question.snap.unwrap_or(0.0), "snap")?;
        let which = match question.which.unwrap_or_default() {
            Which::Below => query::Which::Below,
            Which::Above => query::Which::Above,
            Which::Closest => query::Which::Closest,
            Which::All => {
                self.tree.heights(point.x, point.z, &mut self.heights);
                let level_height = |&height| shortest(height) + self.level.origin.y;
                return Ok(Answer::Heights { heights: self.heights.iter().map(level_height).collect() });
            }
        };
        let height = self.tree.height(point, which, snap);
        Ok(Answer::Height { height: height.map(|height| shortest(height) + self.level.origin.y) })
    }

    fn sphere(&mut self, question: &SphereQuestion) -> anyhow::Result<Answer<'_>> {
        let center = self.local(question.center, "center")?;
        let radius = length(question.radius, "radius")?;
        let closest = self.tree.closest_point(center);
        let all = question.all.unwrap_or_default();
        if all {
            self.tree.triangles_in_sphere(center, radius, &mut self.triangles);
        }
        Ok(Answer::Sphere {
            touches: closest.is_some_and(|closest| closest.distance <= radius),
            closest: closest.map(|closest| self.level_point(closest.point)),
            distance: closest.map(|closest| closest.distance),
            way_out: closest.map(|_| numbers(self.tree.way_out(center, radius))),
            triangles: all.then_some(&self.triangles),
        })
    }

    fn sweep(&self, question: &SweepQuestion) -> anyhow::Result<Answer<'_>> {
        let sweep = Sweep {
            center: self.local(question.center, "center")?,
            radii: radii(question.radius)?,
            displacement: vector(question.displacement, "displacement")?,
            faces: question.faces.unwrap_or_default().into(),
        };
        let contact = self.tree.sweep(&sweep).map(|hit| Contact {
            fraction: hit.fraction,
            point: self.level_point(hit.point),
            normal: numbers(hit.normal),
            triangle: hit.triangle,
            prop: (self.owner)(hit.triangle),
            material: &self.level.material_of(hit.triangle).name,
            depth: hit.depth,
            way_out: numbers(hit.way_out),
        });
        Ok(Answer::Sweep { hit: contact })
    }

    fn slide(&mut self, question: &SlideQuestion) -> anyhow::Result<Answer<'_>> {
        let (center, radii) = (self.local(question.center, "center")?, radii(question.radius)?);
        let mut slide = Slide::new(center, radii, vector(question.displacement, "displacement")?);
        if let Some(restitution) = question.restitution {
            ensure!((0.0..=1.0).contains(&restitution), "restitution must be from 0 to 1");
            slide.restitution = Some(restitution as f32);
        }
        let center = self.tree.slide(&slide, &mut self.contacts);
        let touch = |contact: &SlideContact| Touch {
            point: self.level_point(contact.point),
            normal: numbers(contact.normal),
            triangle: contact.triangle,
        };
        Ok(Answer::Slide { center: self.level_point(center), contacts: self.contacts.iter().map(touch).collect() })
    }

    fn hit(&self, hit: &RayHit) -> Hit<'a> {
        let RayHit { distance, point, normal, front, triangle, u, v } = *hit;
        let material = &self.level.material_of(triangle).name;
        let face = self.level.triangles[triangle as usize].face;
        let (point, normal) = (self.level_point(point), numbers(normal));
        let prop = (self.owner)(triangle);
        Hit { distance, point, normal, front, triangle, prop, face, material, u, v }
    }

    /// A point in local space. In the level's range a coordinate is rounded as those of the level are, so that a point on a
    /// surface stays there; outside, where f32 may be coarser than the level's details, it is kept.
    fn place(&self, point: [f64; 3]) -> DVec3 {
        let exact = DVec3::from_array(point) - self.level.origin;
        let rounded = exact.as_vec3();
        DVec3::from_array([0, 1, 2].map(|axis: usize| {
            let is_in_range = self.bounds.min[axis] <= rounded[axis] && rounded[axis] <= self.bounds.max[axis];
            if is_in_range { f64::from(rounded[axis]) } else { exact[axis] }
        }))
    }

    /// A point in local space, rounded as those of the level are.
    fn local(&self, point: [f64; 3], name: &str) -> anyhow::Result<Vec3> {
        let local = self.level.to_local(DVec3::from_array(point));
        if local.is_finite() { Ok(local) } else { bail!("{name} is too far away") }
    }

    fn level_point(&self, local: Vec3) -> [f64; 3] {
        (DVec3::from_array(local.to_array().map(shortest)) + self.level.origin).to_array()
    }
}

/// The shortest decimal that is this number in f32: what stood in the file, if that had no more digits than f32 holds.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| f64::from(number))
}

/// The components, without the sign of a zero, which says nothing.
fn numbers(vector: Vec3) -> [f32; 3] {
    (vector + 0.0).to_array()
}

fn not_negative(number: f64, name: &str) -> anyhow::Result<f32> {
    if number >= 0.0 { Ok(number as f32) } else { bail!("{name} is negative") }
}

/// A length of something real: not negative, not beyond f32.
fn length(number: f64, name: &str) -> anyhow::Result<f32> {
    let length = not_negative(number, name)?;
    if length.is_finite() { Ok(length) } else { bail!("{name} is too large") }
}

fn radii(radius: Radius) -> anyhow::Result<Vec3> {
    match radius {
        Radius::Sphere(radius) => Ok(Vec3::splat(length(radius, "radius")?)),
        Radius::Ellipsoid([x, y, z]) => Ok(Vec3::new(length(x, "radius")?, length(y, "radius")?, length(z, "radius")?)),
    }
}

fn vector(vector: [f64; 3], name: &str) -> anyhow::Result<Vec3> {
    let vector = DVec3::from_array(vector).as_vec3();
    if vector.is_finite() { Ok(vector) } else { bail!("{name} is too large") }
}
