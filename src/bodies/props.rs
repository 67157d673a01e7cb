//! Named copies of models that stand in a level.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use super::Transform;
use super::transform::Place;
use crate::geometry::Aabb;
use crate::level::Level;
use crate::tree::{self, Tree};

/// A mesh that props are copies of, in its own space.
#[derive(Debug)]
pub struct Model {
    /// Vertices, triangles, materials and textures.
    pub level: Level,
    /// The tree over it, which meets balls.
    pub tree: Tree,
    bounds: Aabb,
    radius: f32,
}

impl Model {
    /// Builds the tree.
    pub fn new(level: Level, settings: &tree::Settings) -> Model {
        let tree = Tree::build(&level, settings);
        let bounds = level.bounds();
        let center = bounds.center();
        let corners = (0..level.triangles.len() as u32).flat_map(|triangle| level.corners(triangle));
        let radius =
            corners.filter(|corner| corner.is_finite()).map(|corner| corner.distance(center)).fold(0.0, f32::max);
        Model { level, tree, bounds, radius }
    }

    /// The smallest box around it, in its own space; empty for one without triangles.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}

/// A model among [`Props`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub(super) u32);

impl ModelId {
    /// Its place in [`Props::models`].
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A prop among [`Props`]. One that was removed is never taken for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropId {
    pub(super) index: u32,
    generation: u32,
}

/// What of a prop is met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Met {
    /// Every triangle of its model.
    #[default]
    Mesh,
    /// A ball around its origin of so many metres, which scale does not change.
    Radius(f32),
    /// Nothing.
    Nothing,
}

/// A copy of a model that stands somewhere.
#[derive(Clone, Debug)]
pub struct Prop {
    id: PropId,
    name: String,
    model: ModelId,
    transform: Transform,
    met: Met,
    hidden: bool,
    opacity: f32,
    bounds: Aabb,
    center: Vec3,
    radius: f32,
    pub(super) place: Place,
}

impl Prop {
    /// The name that it was added under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its id.
    pub fn id(&self) -> PropId {
        self.id
    }

    /// What it is a copy of.
    pub fn model(&self) -> ModelId {
        self.model
    }

    /// Where it stands.
    pub fn transform(&self) -> &Transform {
        &self.transform
    }

    /// What of it is met.
    pub fn met(&self) -> Met {
        self.met
    }

    /// Whether it is not drawn. It is met all the same.
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// How much of it is seen, 0 to 1.
    pub fn opacity(&self) -> f32 {
        self.opacity
    }

    /// A box around all that is drawn of it, in local space.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Centre and radius of a ball around all that is drawn of it, in local space.
    pub fn bounding_sphere(&self) -> (Vec3, f32) {
        (self.center, self.radius)
    }

    /// A box around all of it that can be met.
    pub(super) fn met_bounds(&self) -> Aabb {
        match self.met {
            Met::Mesh => self.bounds,
            Met::Radius(radius) => {
                let center = self.transform.translation;
                Aabb { min: center, max: center }.expanded(Vec3::splat(radius.next_up()))
            }
            Met::Nothing => Aabb::EMPTY,
        }
    }
}

/// A prop that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadProp {
    /// Names are unique.
    #[error("there is a prop named {0:?} already; give this one another name")]
    NameTaken(String),
    /// A number is not finite, the rotation is not of unit length, a scale is 0, or the radius is negative.
    #[error(
        "prop {0:?} needs finite numbers, a rotation of unit length, scales other than 0 and a radius of 0 or more"
    )]
    Transform(String),
}

/// A place for a prop, which remembers when and where something changed.
#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    prop: Option<Prop>,
    changed: u64,
    /// Around what was met there before and after the last change.
    disturbed: Aabb,
}

/// All props of a level. Cheap to ask, cheap to move; copies share their model.
#[derive(Clone, Debug, Default)]
pub struct Props {
    models: Vec<Arc<Model>>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    names: HashMap<String, PropId>,
    /// Slots in use by model and then by number: what is drawn at once stands together.
    order: Vec<u32>,
    changes: u64,
}

impl Props {
    /// None.
    pub fn new() -> Props {
        Props::default()
    }

    /// Adds a model to make copies of.
    pub fn add_model(&mut self, model: Arc<Model>) -> ModelId {
        self.models.push(model);
        ModelId(self.models.len() as u32 - 1)
    }

    /// The models, in the order in which they were added.
    pub fn models(&self) -> &[Arc<Model>] {
        &self.models
    }

    /// A model.
    ///
    /// # Panics
    /// When the id is of other props.
    pub fn model(&self, id: ModelId) -> &Model {
        &self.models[id.0 as usize]
    }

    /// Adds a copy of a model. Its name is its own; an empty one is no name.
    ///
    /// # Errors
    /// When the name is taken, or a number makes no sense.
    pub fn add(&mut self, name: &str, model: ModelId, transform: Transform, met: Met) -> Result<PropId, BadProp> {
        if self.names.contains_key(name) {
            return Err(BadProp::NameTaken(name.to_owned()));
        }
        let radius_is_fine = !matches!(met, Met::Radius(radius) if !(radius >= 0.0 && radius.is_finite()));
        if !transform.is_valid() || !radius_is_fine {
            return Err(BadProp::Transform(name.to_owned()));
        }
        let index = self.free.pop().unwrap_or(self.slots.len() as u32);
        if index as usize == self.slots.len() {
            self.slots.push(Slot { generation: 0, prop: None, changed: 0, disturbed: Aabb::EMPTY });
        }
        let id = PropId { index, generation: self.slots[index as usize].generation };
        let mut prop = Prop {
            id,
            name: name.to_owned(),
            model,
            transform,
            met,
            hidden: false,
            opacity: 1.0,
            bounds: Aabb::EMPTY,
            center: Vec3::ZERO,
            radius: 0.0,
            place: Place::LEVEL,
        };
        prop.stand_at(&self.models[model.0 as usize], transform);
        let bounds = prop.met_bounds();
        self.slots[index as usize].prop = Some(prop);
        self.disturb(index, bounds);
        if !name.is_empty() {
            self.names.insert(name.to_owned(), id);
        }
        let key = |&slot: &u32| (self.slots[slot as usize].prop.as_ref().map(|prop| prop.model), slot);
        let at = self.order.partition_point(|slot| key(slot) < (Some(model), index));
        self.order.insert(at, index);
        Ok(id)
    }

    /// The prop of that name.
    pub fn find(&self, name: &str) -> Option<PropId> {
        self.names.get(name).copied()
    }

    /// A prop; `None` for one that was removed.
    pub fn get(&self, id: PropId) -> Option<&Prop> {
        self.slots.get(id.index as usize)?.prop.as_ref().filter(|prop| prop.id == id)
    }

    /// All props, those of one model together.
    pub fn iter(&self) -> impl Iterator<Item = &Prop> {
        self.order.iter().filter_map(|&slot| self.slots[slot as usize].prop.as_ref())
    }

    /// How many there are, the hidden ones included.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Puts a prop elsewhere, at once: balls that it then overlaps move out of it, and those that lay on it wake up.
    ///
    /// # Errors
    /// When a number makes no sense; the prop stays.
    pub fn place(&mut self, id: PropId, transform: Transform) -> Result<(), BadProp> {
        let Some(prop) = self.get(id) else { return Ok(()) };
        if !transform.is_valid() {
            return Err(BadProp::Transform(prop.name.clone()));
        }
        let before = prop.met_bounds();
        let model = self.models[prop.model.0 as usize].clone();
        if let Some(prop) = &mut self.slots[id.index as usize].prop {
            prop.stand_at(&model, transform);
            let bounds = before.union(prop.met_bounds());
            self.disturb(id.index, bounds);
        }
        Ok(())
    }

    /// Whether to draw a prop. It is met all the same.
    pub fn set_hidden(&mut self, id: PropId, hidden: bool) {
        if self.get(id).is_some()
            && let Some(prop) = &mut self.slots[id.index as usize].prop
        {
            prop.hidden = hidden;
        }
    }

    /// How much of a prop is seen, clamped to 0 to 1: nothing of it is drawn at 0. It is met all the same.
    pub fn set_opacity(&mut self, id: PropId, opacity: f32) {
        if self.get(id).is_some()
            && let Some(prop) = &mut self.slots[id.index as usize].prop
        {
            prop.opacity = opacity.clamp(0.0, 1.0);
        }
    }

    /// Removes a prop and gives it back; `None` when it was gone already.
    pub fn remove(&mut self, id: PropId) -> Option<Prop> {
        self.get(id)?;
        let slot = &mut self.slots[id.index as usize];
        slot.generation += 1;
        let prop = slot.prop.take()?;
        self.names.remove(&prop.name);
        self.order.retain(|&other| other != id.index);
        self.free.push(id.index);
        self.disturb(id.index, prop.met_bounds());
        Some(prop)
    }

    fn disturb(&mut self, index: u32, bounds: Aabb) {
        self.changes += 1;
        let slot = &mut self.slots[index as usize];
        (slot.changed, slot.disturbed) = (self.changes, bounds);
    }

    /// How often something was added, moved or removed.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Where something changed after the first `seen` changes.
    pub(super) fn disturbed_since(&self, seen: u64) -> impl Iterator<Item = &Aabb> {
        self.slots.iter().filter(move |slot| slot.changed > seen).map(|slot| &slot.disturbed)
    }

    /// The prop in a slot that is known to be in use.
    pub(super) fn in_slot(&self, index: u32) -> Option<&Prop> {
        self.slots[index as usize].prop.as_ref()
    }
}

impl Prop {
    fn stand_at(&mut self, model: &Model, transform: Transform) {
        self.transform = transform;
        self.place = Place::new(&transform);
        self.bounds = transform.bounds(&model.bounds);
        self.center = self.place.to_world(model.bounds.center().as_dvec3()).as_vec3();
        let radius = model.radius * transform.scale.abs().max_element();
        self.radius = radius + 8.0 * f32::EPSILON * (radius + self.center.abs().max_element());
        if model.bounds.is_empty() {
            (self.center, self.radius) = (transform.translation, 0.0);
        }
    }
}
