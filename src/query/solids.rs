//! All that a body can meet.

use glam::Vec3;

use crate::tree::{Loose, Question, Tree};

/// What is in the way of a body: the level, and beside it triangles of things that are no part of it, as those of props. A tree
/// alone does as well: `walker.step(&tree, …)`.
#[derive(Clone, Copy, Debug)]
pub struct Solids<'a> {
    tree: &'a Tree,
    loose: &'a Loose,
}

static NOTHING: Loose = Loose::new();

impl<'a> From<&'a Tree> for Solids<'a> {
    fn from(tree: &'a Tree) -> Solids<'a> {
        Solids { tree, loose: &NOTHING }
    }
}

impl<'a> Solids<'a> {
    /// The level and triangles beside it, all in local space. Those must hold everything that the body can reach in a step.
    pub fn new(tree: &'a Tree, loose: &'a Loose) -> Solids<'a> {
        Solids { tree, loose }
    }

    /// The level.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// Makes a question, puts it to everything, and makes an answer of it.
    #[inline]
    pub(crate) fn ask<Q: Question, A>(&self, question: impl FnOnce() -> Q, answer: impl FnOnce(&Q) -> A) -> A {
        // Mostly there is nothing beside the tree.
        match self.loose.is_empty() {
            true => self.tree.ask(question, answer),
            false => self.tree.ask_beside(self.loose, question, answer),
        }
    }

    /// The triangle at a place that a question was told.
    #[inline]
    pub(crate) fn triangle(&self, place: usize) -> [Vec3; 3] {
        match place.checked_sub(self.tree.places()) {
            None => self.tree.triangle(place),
            Some(index) => self.loose.triangle(index),
        }
    }

    /// The number of the triangle at a place that a question was told, and whether it is one beside the level.
    #[inline]
    pub(crate) fn number(&self, place: usize) -> (u32, bool) {
        match place.checked_sub(self.tree.places()) {
            None => (self.tree.number(place), false),
            Some(index) => (self.loose.number(index), true),
        }
    }
}
