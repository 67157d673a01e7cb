//! What a scene is made of.

use std::sync::Arc;

use glam::DAffine3;

use super::{Lamp, Motion, Pose, Volume};
use crate::bodies::{Met, PropId};
use crate::level::Level;

/// A thing in a [`Scene`](super::Scene). One that was removed is never taken for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// What a node is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Nothing by itself: others hang on it.
    Group,
    /// A part of the level. One that moves, or hangs on something that does, is a prop instead.
    Piece(Arc<Level>),
    /// A copy of a model that is not part of the level.
    Prop(Arc<Level>, Met),
    /// Tells who is in it, and stops nobody.
    Trigger(Volume),
    /// A light.
    Light(Lamp),
    /// Something to look through, along its -Z.
    Camera {
        /// Vertical field of view in radians; `None` leaves it to who looks.
        fov_y: Option<f32>,
    },
}

/// What to add to a scene.
#[derive(Clone, Debug)]
pub struct NewNode {
    /// Its own; an empty one is no name.
    pub name: String,
    /// What it hangs on.
    pub parent: Option<NodeId>,
    /// Where it stands in its parent's space, or else in level coordinates.
    pub pose: Pose,
    /// How it moves by itself.
    pub motion: Option<Motion>,
    /// What it is.
    pub kind: Kind,
    /// Whether it is not drawn, nor what hangs on it. It is met all the same; a hidden light does not shine.
    pub hidden: bool,
    /// How much of it is seen, 0 to 1; what hangs on it has this part of its own.
    pub opacity: f32,
}

impl NewNode {
    /// Something with a name that stands where its own space says, and is drawn.
    pub fn new(name: impl Into<String>, kind: Kind) -> NewNode {
        NewNode {
            name: name.into(),
            parent: None,
            pose: Pose::default(),
            motion: None,
            kind,
            hidden: false,
            opacity: 1.0,
        }
    }
}

/// A thing in a scene.
#[derive(Clone, Debug)]
pub struct Node {
    pub(super) new: NewNode,
    /// Whether it or something that it hangs on moves by itself.
    pub(super) moves: bool,
    /// As it stands now.
    pub(super) level_from_own: DAffine3,
    /// With all that it hangs on.
    pub(super) is_hidden: bool,
    pub(super) opacity: f32,
    /// Of a prop, or a piece that moves.
    pub(super) prop: Option<PropId>,
    /// Whether something hangs on it, or did.
    pub(super) bears: bool,
}

impl Node {
    /// Its name, empty for none.
    pub fn name(&self) -> &str {
        &self.new.name
    }

    /// What it is.
    pub fn kind(&self) -> &Kind {
        &self.new.kind
    }

    /// What it hangs on.
    pub fn parent(&self) -> Option<NodeId> {
        self.new.parent
    }

    /// Where it stands in its parent's space, without its motion.
    pub fn pose(&self) -> &Pose {
        &self.new.pose
    }

    /// The map from its own space to level coordinates, at the moment.
    pub fn level_from_own(&self) -> &DAffine3 {
        &self.level_from_own
    }

    /// Whether it or something that it hangs on moves by itself.
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// Whether it, or something that it hangs on, is not drawn.
    pub fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// How much of it is seen, with all that it hangs on, 0 to 1.
    pub fn opacity(&self) -> f32 {
        self.opacity
    }

    /// The prop that it is drawn as.
    pub fn prop(&self) -> Option<PropId> {
        self.prop
    }

    /// The mesh of a piece that is part of the level.
    pub(super) fn static_piece(&self) -> Option<&Arc<Level>> {
        match &self.new.kind {
            Kind::Piece(level) if !self.moves => Some(level),
            _ => None,
        }
    }
}
