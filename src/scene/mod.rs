//! Levels made of named things: pieces, props, triggers, lights and cameras, each of which may hang on another.
//!
//! [`Scene::open`] reads a scene file. The pieces that stand still become one [`Level`] by [`Scene::level`], for a tree to be
//! built of; everything else lives on in the scene: props, also the pieces that move, as [`Props`]; triggers, lights and cameras.
//! [`Scene::advance`] moves what moves by itself, and [`Scene::watch`] tells who entered and left the triggers. Everything is
//! found, added, moved, hidden, faded and removed by its id or name; once that concerns a piece of the level,
//! [`Scene::level_revision`] grows, and the level and its tree are to be made anew.
//!
//! Poses are in the space of the parent or in level coordinates; props, lights and triggers answer in local space, whose
//! [`Scene::origin`] stays where it was first put.
//!
//! ```
//! use std::sync::Arc;
//! use glam::DVec3;
//! use nodetree::generate;
//! use nodetree::scene::{Kind, Motion, NewNode, Pose, Scene};
//!
//! let mut scene = Scene::new("yard");
//! let barrel = Arc::new(generate::props::barrel());
//! scene.add(NewNode::new("barrel", Kind::Piece(barrel.clone()))).unwrap();
//! let lift = NewNode {
//!     pose: Pose::at(DVec3::new(4.0, 0.0, 0.0)),
//!     motion: Some(Motion::default().along(&[DVec3::ZERO, DVec3::Y], 0.5, false).unwrap()),
//!     ..NewNode::new("lift", Kind::Piece(barrel))
//! };
//! let lift = scene.add(lift).unwrap();
//! assert_eq!(scene.level().triangles.len(), generate::props::barrel().triangles.len());
//! scene.advance(1.0);
//! let lift = scene.props().get(scene.get(lift).unwrap().prop().unwrap()).unwrap();
//! assert!((lift.transform().translation.y - 0.5).abs() < 1e-6);
//! ```

mod bake;
mod entries;
mod fault;
mod file;
mod light;
mod load;
mod meshes;
mod motion;
mod node;
mod pose;
mod read;
mod triggers;
mod views;
mod volume;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{DAffine3, DVec3};

use crate::bodies::{Body, Met, Model, ModelId, PropId, Props, Transform};
use crate::level::{Level, Spawn, Warnings};
use crate::tree::{Mode, Settings};

pub use bake::Solid;
pub use light::Lamp;
pub use load::SceneError;
pub use motion::Motion;
pub use node::{Kind, NewNode, Node, NodeId};
pub use pose::Pose;
pub use triggers::TriggerEvent;
pub use volume::Volume;

/// Pictures behind the level, as a scene file names them.
#[derive(Clone, Debug, PartialEq)]
pub struct SkyPictures {
    /// One of the pictures, what their names share, or their folder.
    pub path: PathBuf,
    /// Counter-clockwise seen from above, in radians.
    pub turn: f32,
    /// Pictures over these, which show through them.
    pub over: Option<PathBuf>,
}

/// All that a level is made of and holds. See [the module](self).
#[derive(Clone, Debug, Default)]
pub struct Scene {
    name: String,
    /// Those that were removed are `None`; parents stand before what hangs on them.
    nodes: Vec<Option<Node>>,
    names: HashMap<String, NodeId>,
    /// Those that move by themselves.
    moving: Vec<NodeId>,
    props: Props,
    /// Models by the address of the mesh, which the model keeps alive.
    models: HashMap<usize, (Arc<Level>, ModelId)>,
    origin: Option<DVec3>,
    spawn: Option<Spawn>,
    sky: Option<SkyPictures>,
    seconds: f64,
    level_revision: u64,
    /// Who is in which trigger, in order.
    inside: Vec<(NodeId, Body)>,
    /// Room for who is inside next.
    spare: Vec<(NodeId, Body)>,
    warnings: Warnings,
}

/// A node that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadNode {
    /// Names are unique.
    #[error("there is something named {0:?} already; give this another name")]
    NameTaken(String),
    /// The parent is not there.
    #[error("what it hangs on is not there")]
    NoParent,
    /// The pose makes no sense.
    #[error("{0}")]
    Pose(String),
    /// Together, the scales and rotations above it make it lean.
    #[error("it leans, because something that it hangs on is scaled unevenly; only pieces that stand still may lean")]
    Leans,
    /// The opacity is not from 0 to 1.
    #[error("the opacity must be from 0 to 1")]
    Opacity,
    /// It is not there, or no longer.
    #[error("there is no such thing in the scene")]
    Missing,
}

impl Scene {
    /// An empty one.
    pub fn new(name: impl Into<String>) -> Scene {
        Scene { name: name.into(), ..Scene::default() }
    }

    /// The props: those of the scene, the pieces that move, and what else was added to them.
    pub fn props(&self) -> &Props {
        &self.props
    }

    /// The same, to add more. Those of the scene are moved and removed through the scene.
    pub fn props_mut(&mut self) -> &mut Props {
        &mut self.props
    }

    /// What to add to local space to get level coordinates, in metres; 0 until the level is first made, or
    /// [`Scene::set_origin`].
    pub fn origin(&self) -> DVec3 {
        self.origin.unwrap_or_default()
    }

    /// Puts the origin of local space, as that of a level from elsewhere.
    pub fn set_origin(&mut self, origin: DVec3) {
        self.origin = Some(origin);
        self.refresh(None);
    }

    /// Where the walker starts, if the scene says so.
    pub fn spawn(&self) -> Option<&Spawn> {
        self.spawn.as_ref()
    }

    /// Says where the walker starts.
    pub fn set_spawn(&mut self, spawn: Option<Spawn>) {
        self.spawn = spawn;
    }

    /// The sky, if the scene says which.
    pub fn sky(&self) -> Option<&SkyPictures> {
        self.sky.as_ref()
    }

    /// Grows whenever a piece of the level is added, moved, hidden, faded or removed.
    pub fn level_revision(&self) -> u64 {
        self.level_revision
    }

    /// Seconds that have passed in the scene.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The thing of that name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.names.get(name).copied()
    }

    /// A thing; `None` for one that was removed.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)?.as_ref()
    }

    /// Everything, what hangs on something behind it.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| Some((NodeId(index as u32), node.as_ref()?)))
    }

    /// Adds something.
    ///
    /// # Errors
    /// When its name is taken, what it hangs on is gone, or a number makes no sense.
    pub fn add(&mut self, new: NewNode) -> Result<NodeId, BadNode> {
        if self.names.contains_key(&new.name) {
            return Err(BadNode::NameTaken(new.name));
        }
        new.pose.check().map_err(|wrong| BadNode::Pose(wrong.what))?;
        if !(0.0..=1.0).contains(&new.opacity) {
            return Err(BadNode::Opacity);
        }
        let parent = match new.parent {
            Some(parent) => Some(self.get(parent).ok_or(BadNode::NoParent)?),
            None => None,
        };
        let mut node = Node {
            moves: new.motion.is_some() || parent.is_some_and(|parent| parent.moves),
            level_from_own: DAffine3::IDENTITY,
            is_hidden: false,
            opacity: 1.0,
            prop: None,
            bears: false,
            new,
        };
        stand(&mut node, parent, self.seconds);
        if must_not_lean(&node) && pose::pose_of(&node.level_from_own).is_none() {
            return Err(BadNode::Leans);
        }
        let id = NodeId(self.nodes.len() as u32);
        let origin = self.origin();
        node.prop = match &node.new.kind {
            Kind::Piece(mesh) if node.moves => Some(self.add_prop(&node, &mesh.clone(), Met::Mesh, origin)?),
            Kind::Prop(mesh, met) => Some(self.add_prop(&node, &mesh.clone(), *met, origin)?),
            _ => None,
        };
        if !node.new.name.is_empty() {
            self.names.insert(node.new.name.clone(), id);
        }
        if node.moves {
            self.moving.push(id);
        }
        if let Some(Some(parent)) = node.new.parent.map(|parent| &mut self.nodes[parent.0 as usize]) {
            parent.bears = true;
        }
        self.level_revision += u64::from(node.static_piece().is_some());
        self.nodes.push(Some(node));
        Ok(id)
    }

    fn add_prop(&mut self, node: &Node, mesh: &Arc<Level>, met: Met, origin: DVec3) -> Result<PropId, BadNode> {
        let props = &mut self.props;
        let (_, model) = *self.models.entry(Arc::as_ptr(mesh).addr()).or_insert_with(|| {
            let model = Model::new(Level::clone(mesh), &Settings::new(Mode::Octree));
            (mesh.clone(), props.add_model(Arc::new(model)))
        });
        // Names are the scene's: props of their own may have the same.
        let transform = transform_of(node, mesh, origin).ok_or(BadNode::Leans)?;
        let prop = self.props.add("", model, transform, met).map_err(|error| BadNode::Pose(error.to_string()))?;
        self.props.set_hidden(prop, node.is_hidden);
        self.props.set_opacity(prop, node.opacity);
        Ok(prop)
    }

    /// Puts something elsewhere in its parent's space, with all that hangs on it.
    ///
    /// # Errors
    /// When it is gone, a number makes no sense, or something that hangs on it would lean; everything stays then.
    pub fn place(&mut self, id: NodeId, pose: Pose) -> Result<(), BadNode> {
        pose.check().map_err(|wrong| BadNode::Pose(wrong.what))?;
        let before = self.get(id).ok_or(BadNode::Missing)?.new.pose;
        self.change(id, |node| node.new.pose = pose);
        let leans = |node: &Node| must_not_lean(node) && pose::pose_of(&node.level_from_own).is_none();
        if self.family(id).iter().any(|&id| self.get(id).is_some_and(leans)) {
            self.change(id, |node| node.new.pose = before);
            return Err(BadNode::Leans);
        }
        Ok(())
    }

    /// Whether to draw something and all that hangs on it. It is met all the same. Nothing for one that is gone.
    pub fn set_hidden(&mut self, id: NodeId, hidden: bool) {
        self.change(id, |node| node.new.hidden = hidden);
    }

    /// How much of something is seen, clamped to 0 to 1; what hangs on it has this part of its own. Nothing for one that is
    /// gone.
    pub fn set_opacity(&mut self, id: NodeId, opacity: f32) {
        self.change(id, |node| node.new.opacity = opacity.clamp(0.0, 1.0));
    }

    /// Removes something and all that hangs on it. How many that were, 0 for one that was gone.
    pub fn remove(&mut self, id: NodeId) -> usize {
        let gone: Vec<NodeId> = self.family(id);
        for &id in &gone {
            let Some(node) = self.nodes[id.0 as usize].take() else { continue };
            self.names.remove(&node.new.name);
            if let Some(prop) = node.prop {
                self.props.remove(prop);
            }
            self.level_revision += u64::from(node.static_piece().is_some());
        }
        // Those that are gone stand in order.
        self.moving.retain(|id| gone.binary_search(id).is_err());
        gone.len()
    }

    /// The box around a thing and all that hangs on it, in local space, by its least and greatest corner; `None` for what has
    /// no extent.
    pub fn bounds(&self, id: NodeId) -> Option<[DVec3; 2]> {
        let family = self.family(id);
        let boxes = family.iter().filter_map(|&id| self.own_bounds(self.get(id)?));
        boxes.reduce(|[low, high], [min, max]| [low.min(min), high.max(max)])
    }

    fn own_bounds(&self, node: &Node) -> Option<[DVec3; 2]> {
        let local_from_own = self.local_from_own(node);
        match &node.new.kind {
            Kind::Piece(mesh) | Kind::Prop(mesh, _) => {
                let bounds = mesh.bounds();
                let corners = [bounds.min, bounds.max].map(|corner| mesh.to_level(corner));
                let corner = |index: usize| {
                    let of = |axis: usize| corners[index >> axis & 1][axis];
                    local_from_own.transform_point3(DVec3::new(of(0), of(1), of(2)))
                };
                (!bounds.is_empty()).then(|| {
                    (0..8).map(corner).fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], corner| {
                        [low.min(corner), high.max(corner)]
                    })
                })
            }
            Kind::Trigger(volume) => Some(volume.bounds(&local_from_own)),
            Kind::Group | Kind::Light(_) | Kind::Camera { .. } => None,
        }
    }

    fn local_from_own(&self, node: &Node) -> DAffine3 {
        let mut map = node.level_from_own;
        map.translation -= self.origin();
        map
    }

    /// A thing and all that hangs on it, in order. Only where something ever hung on it, all others are looked at.
    fn family(&self, id: NodeId) -> Vec<NodeId> {
        let mut family: Vec<NodeId> = self.get(id).map(|_| id).into_iter().collect();
        if !self.get(id).is_some_and(|node| node.bears) {
            return family;
        }
        for (other, node) in self.iter().skip_while(|(other, _)| *other <= id) {
            if node.new.parent.is_some_and(|parent| family.binary_search(&parent).is_ok()) {
                family.push(other);
            }
        }
        family
    }

    fn change(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize).and_then(Option::as_mut) {
            change(node);
            let family = self.family(id);
            self.level_revision +=
                u64::from(family.iter().any(|&id| self.get(id).is_some_and(|node| node.static_piece().is_some())));
            self.refresh(Some(&family));
        }
    }

    /// Moves everything that moves by itself on by so many seconds.
    pub fn advance(&mut self, seconds: f64) {
        self.seconds += seconds;
        if !self.moving.is_empty() {
            let moving = std::mem::take(&mut self.moving);
            self.refresh(Some(&moving));
            self.moving = moving;
        }
    }

    /// Whether something moves by itself.
    pub fn is_moving(&self) -> bool {
        !self.moving.is_empty()
    }

    /// Works out anew where these stand, or all.
    fn refresh(&mut self, which: Option<&[NodeId]>) {
        let origin = self.origin();
        let all = 0..self.nodes.len() as u32;
        let count = which.map_or(all.len(), <[NodeId]>::len);
        for place in 0..count {
            let id = which.map_or(place as u32, |which| which[place].0);
            // Parents stand before.
            let (before, rest) = self.nodes.split_at_mut(id as usize);
            let Some(node) = &mut rest[0] else { continue };
            let parent = node.new.parent.and_then(|parent| before[parent.0 as usize].as_ref());
            stand(node, parent, self.seconds);
            let (Some(prop), Kind::Piece(mesh) | Kind::Prop(mesh, _)) = (node.prop, &node.new.kind) else { continue };
            if let Some(transform) = transform_of(node, mesh, origin) {
                // What a motion makes of a pose that was checked is a pose.
                let _placed = self.props.place(prop, transform);
            }
            self.props.set_hidden(prop, node.is_hidden);
            self.props.set_opacity(prop, node.opacity);
        }
    }
}

/// Works out where a node stands, and how it is seen.
fn stand(node: &mut Node, parent: Option<&Node>, seconds: f64) {
    let pose = node.new.motion.as_ref().map_or(node.new.pose, |motion| motion.pose(&node.new.pose, seconds));
    let own = pose.parent_from_own();
    node.level_from_own = parent.map_or(own, |parent| parent.level_from_own * own);
    node.is_hidden = node.new.hidden || parent.is_some_and(|parent| parent.is_hidden);
    node.opacity = node.new.opacity * parent.map_or(1.0, |parent| parent.opacity);
}

/// Only the pieces of the level, and groups, may lean.
fn must_not_lean(node: &Node) -> bool {
    node.static_piece().is_none() && !matches!(node.new.kind, Kind::Group | Kind::Light(_) | Kind::Trigger(_))
}

/// Where the copy of a mesh stands, in local space.
fn transform_of(node: &Node, mesh: &Level, origin: DVec3) -> Option<Transform> {
    let Pose { rotation, scale, .. } = pose::pose_of(&node.level_from_own)?;
    let translation = node.level_from_own.transform_point3(mesh.origin) - origin;
    Some(Transform {
        translation: translation.as_vec3(),
        rotation: rotation.as_quat().normalize(),
        scale: scale.as_vec3(),
    })
}
