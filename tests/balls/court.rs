//! Balls over triangles, and what holds for them.

use glam::{DVec3, Vec3};
use nodetree::bodies::{Ball, BallId, Balls, Props, Settings, Throw};
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};

use crate::support::{contact, fan, tree};

pub const SECOND: usize = 120;

/// Balls over triangles, with no props and nobody else.
pub struct Court {
    pub tree: Tree,
    pub triangles: Vec<[Vec3; 3]>,
    pub balls: Balls,
    pub props: Props,
}

impl Court {
    pub fn new(triangles: &[[Vec3; 3]], settings: Settings) -> Court {
        Court {
            tree: tree(triangles, &TreeSettings::new(Mode::Octree)),
            triangles: triangles.to_vec(),
            balls: Balls::new(settings).expect("settings that make sense"),
            props: Props::new(),
        }
    }

    /// Nothing around, and no weight.
    pub fn space() -> Court {
        Court::new(&[], weightless())
    }

    pub fn throw(&mut self, throw: Throw) -> BallId {
        self.balls.throw(&throw).expect("a ball that can be")
    }

    pub fn step(&mut self) {
        self.balls.step(&self.tree, &self.props, None);
    }

    pub fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.step());
    }

    pub fn ball(&self, id: BallId) -> &Ball {
        self.balls.get(id).expect("a ball that is still there")
    }

    /// The deepest, in metres, that a ball is inside a triangle, and inside another ball.
    pub fn deepest(&self) -> [f64; 2] {
        let balls: Vec<&Ball> = self.balls.iter().collect();
        let mut by_x: Vec<usize> = (0..balls.len()).collect();
        by_x.sort_by(|&a, &b| balls[a].position().x.total_cmp(&balls[b].position().x));
        let mut deepest = [f64::NEG_INFINITY; 2];
        for (place, &ball) in by_x.iter().enumerate() {
            let ball = balls[ball];
            for triangle in &self.triangles {
                let distance = contact::distance(ball.position(), triangle.map(|corner| corner.as_dvec3()));
                deepest[0] = deepest[0].max(ball.radius() - distance);
            }
            let others = by_x[place + 1..].iter().map(|&other| balls[other]);
            for other in others.take_while(|other| other.position().x - ball.position().x < 2.0 * ball.radius()) {
                let distance = ball.position().distance(other.position());
                deepest[1] = deepest[1].max(ball.radius() + other.radius() - distance);
            }
        }
        deepest
    }

    pub fn momentum(&self) -> DVec3 {
        self.balls.iter().map(|ball| ball.velocity() * ball.mass()).sum()
    }

    /// About the origin.
    pub fn angular_momentum(&self) -> DVec3 {
        let of = |ball: &Ball| {
            let inertia = 0.4 * ball.mass() * ball.radius() * ball.radius();
            ball.position().cross(ball.velocity() * ball.mass()) + ball.spin() * inertia
        };
        self.balls.iter().map(of).sum()
    }

    pub fn energy(&self) -> f64 {
        let gravity = f64::from(self.balls.settings().gravity);
        self.balls.iter().map(|ball| ball.kinetic_energy() + ball.mass() * gravity * ball.position().y).sum()
    }
}

pub fn weightless() -> Settings {
    Settings { gravity: 0.0, ..Settings::default() }
}

pub fn floor(half: f32) -> Vec<[Vec3; 3]> {
    fan(&[[-half, half], [half, half], [half, -half], [-half, -half]].map(|[x, z]| Vec3::new(x, 0.0, z)))
}

/// A ball without friction.
pub fn slippery() -> Throw {
    Throw { friction: 0.0, ..Throw::default() }
}
