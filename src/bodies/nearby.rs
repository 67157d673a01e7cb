//! What of props is near a walker.

use glam::{DVec3, Vec3};

use super::props::Prop;
use super::transform::Place;
use super::{Met, Model, PropId, Props};
use crate::generate::props::icosphere;
use crate::geometry::{Aabb, UnitSpace};
use crate::query::Solids;
use crate::tree::{Loose, Tree};
use crate::walk::{Input, STEP, Settings, Walker};

/// The triangles of props that a walker can reach in its next step. [`Nearby::gather`] them before each step, and let the walker
/// meet them with the level: `walker.step(nearby.beside(&tree), …)`. What a walker stands on carries it when it moves. Memory is
/// reused from step to step.
///
/// Props that are met by a radius are balls of 320 triangles here.
#[derive(Clone, Debug, Default)]
pub struct Nearby {
    loose: Loose,
    /// Of each triangle, by its number: whose it is, and its number in the model; balls have none.
    owners: Vec<(PropId, Option<u32>)>,
    /// The props among them, and where they stand.
    places: Vec<(PropId, Place)>,
    /// Of a ball, in its own space; made on first use.
    sphere: Vec<[DVec3; 3]>,
}

/// How much farther than it can go a walker looks, in metres: steps, the ground below, what it stands on.
const MARGIN: f64 = 0.5;
/// Nobody is carried farther than this in a step, in metres.
const FARTHEST: f64 = 1.0;
/// The fastest that is looked ahead for, in m/s.
const MOST_SPEED: f64 = 1e4;

impl Nearby {
    /// Nothing.
    pub fn new() -> Nearby {
        Nearby::default()
    }

    /// Takes in what is near `walker`, which will want `input` next, and forgets what was. A walker that stands on a prop which
    /// has moved since goes along, as far as nothing is in its way; it is not turned.
    ///
    /// Cost: a look at each prop's box, and the triangles within reach.
    pub fn gather(&mut self, tree: &Tree, props: &Props, walker: &mut Walker, settings: &Settings, input: &Input) {
        let way = self.way_of_support(props, walker, settings);
        self.loose.clear();
        self.owners.clear();
        self.places.clear();
        let (center, radii) = walker.ellipsoid(settings);
        let fastest = settings.fast_speed.max(settings.fast_fly_speed).max(settings.fall_speed);
        let chosen = input.speed.unwrap_or(0.0) * (fastest / settings.fly_speed.min(settings.speed)).max(1.0);
        let speed = f64::from(fastest.max(chosen).max(walker.velocity().length())).min(MOST_SPEED);
        let way_of_step = speed * STEP + way.length();
        let step = f64::from(settings.step_height);
        let reach = radii.as_dvec3() + DVec3::splat(2.0 * way_of_step + 2.0 * step + MARGIN);
        let around = UnitSpace { center: center.as_dvec3(), radii: reach };
        let bounds = Aabb { min: (around.center - reach).as_vec3(), max: (around.center + reach).as_vec3() };
        for prop in props.iter().filter(|prop| prop.met_bounds().touches(&bounds)) {
            self.places.push((prop.id(), prop.place));
            match prop.met() {
                Met::Mesh => self.add_mesh(prop, props.model(prop.model()), &around),
                Met::Radius(radius) => self.add_ball(prop, f64::from(radius)),
                Met::Nothing => {}
            }
        }
        if way != DVec3::ZERO {
            walker.carry(self.beside(tree), settings, way);
        }
    }

    /// How far what the walker stands on has taken its feet since the last time.
    fn way_of_support(&self, props: &Props, walker: &Walker, settings: &Settings) -> DVec3 {
        let rise = settings.slope_limit.cos();
        let mut ground = walker.contacts().iter().filter(|contact| contact.is_loose && contact.normal.y >= rise);
        let Some(contact) = ground.next().filter(|_| walker.grounded()) else { return DVec3::ZERO };
        // The contacts may be of a step in which others stood here.
        let Some((id, _)) = self.owners.get(contact.triangle as usize) else { return DVec3::ZERO };
        let before = self.places.iter().find(|(other, _)| other == id).map(|(_, place)| *place);
        let now = props.get(*id).map(|prop| prop.place);
        let (Some(before), Some(now)) = (before, now) else { return DVec3::ZERO };
        let feet = walker.feet_exact();
        let way = now.to_world(before.way_to_model(feet - before.translation)) - feet;
        // What is put elsewhere leaves it behind.
        if way.length() <= FARTHEST { way } else { DVec3::ZERO }
    }

    fn add_mesh(&mut self, prop: &Prop, model: &Model, around: &UnitSpace) {
        // In the model's space, a ball around all of the ellipsoid is an ellipsoid along its axes.
        let ball = prop.place.ball(around.center, around.radii.max_element());
        Solids::from(&model.tree).visit_near(&ball, 1.0, |place, triangle| {
            let corners = triangle.map(|corner| prop.place.to_world(corner.as_dvec3()));
            self.add(prop, Some(model.tree.number(place)), corners, &prop.place);
            1.0
        });
    }

    fn add_ball(&mut self, prop: &Prop, radius: f64) {
        if self.sphere.is_empty() {
            self.sphere = icosphere();
        }
        let center = prop.transform().translation.as_dvec3();
        for index in 0..self.sphere.len() {
            let corners = self.sphere[index].map(|corner| center + radius * corner);
            self.add(prop, None, corners, &Place::LEVEL);
        }
    }

    fn add(&mut self, prop: &Prop, number: Option<u32>, corners: [DVec3; 3], place: &Place) {
        let [a, b, c] = corners.map(|corner| corner.as_vec3());
        // What is mirrored turns its triangles round.
        let triangle: [Vec3; 3] = if place.scale.element_product() < 0.0 { [a, c, b] } else { [a, b, c] };
        self.loose.push(self.owners.len() as u32, &triangle);
        self.owners.push((prop.id(), number));
    }

    /// The level with these triangles beside it.
    pub fn beside<'a>(&'a self, tree: &'a Tree) -> Solids<'a> {
        Solids::new(tree, &self.loose)
    }

    /// Whose a triangle beside the level is, and its number in the model; `None` for balls' triangles, which have no number.
    ///
    /// # Panics
    /// When there is no such triangle, as for one of an earlier step.
    pub fn owner(&self, number: u32) -> (PropId, Option<u32>) {
        self.owners[number as usize]
    }

    /// How many triangles are near.
    pub fn len(&self) -> usize {
        self.loose.len()
    }

    /// Whether nothing is near.
    pub fn is_empty(&self) -> bool {
        self.loose.is_empty()
    }
}
