//! Who is in which trigger.

use super::{Kind, NodeId, Scene};
use crate::bodies::{Body, Ellipsoid};

/// Somebody entered or left a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriggerEvent {
    /// Which.
    pub trigger: NodeId,
    /// Who.
    pub body: Body,
    /// Whether it came; else it left.
    pub entered: bool,
}

impl Scene {
    /// Looks who is in which trigger, and hands to `report` who entered or left one since the last look. `bodies` are all that
    /// count, in local space.
    pub fn watch(
        &mut self,
        bodies: impl Iterator<Item = (Body, Ellipsoid)> + Clone,
        mut report: impl FnMut(TriggerEvent),
    ) {
        let mut now = std::mem::take(&mut self.spare);
        now.clear();
        for (id, node) in self.iter() {
            if let Kind::Trigger(volume) = &node.new.kind {
                let local_from_own = self.local_from_own(node);
                now.extend(
                    bodies.clone().filter(|(_, at)| volume.touches(&local_from_own, at)).map(|(body, _)| (id, body)),
                );
            }
        }
        now.sort_unstable();
        for (list, other, entered) in [(&self.inside, &now, false), (&now, &self.inside, true)] {
            for &(trigger, body) in list.iter().filter(|pair| other.binary_search(pair).is_err()) {
                report(TriggerEvent { trigger, body, entered });
            }
        }
        self.spare = std::mem::replace(&mut self.inside, now);
    }

    /// Who is in which trigger, as [`Scene::watch`] last found, in order.
    pub fn inside(&self) -> &[(NodeId, Body)] {
        &self.inside
    }

    /// Whether there are triggers to watch.
    pub fn has_triggers(&self) -> bool {
        self.iter().any(|(_, node)| matches!(node.new.kind, Kind::Trigger(_)))
    }
}
