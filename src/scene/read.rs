//! From the entries of a scene file to the things of a scene.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::DVec3;

use super::fault::{Place, Wrong};
use super::file::{GridEntry, PieceEntry, PropEntry, SceneFile, Stand, Standing};
use super::meshes::Meshes;
use super::{Kind, Lamp, Motion, NewNode, NodeId, Pose, Scene, Volume, entries};
use crate::level::{Level, LoadError, LoadOptions, WarningKind};

/// Vertices and triangles of all pieces and props at most, some gigabytes, ...
const MOST: usize = 1 << 26;
/// ... and props.
const MOST_PROPS: usize = 1 << 16;
/// Entries hang on each other so deep at most.
const DEEPEST: usize = 64;

/// Where something is wrong, and what.
type Fault = (Place, Wrong);

/// Makes a scene of a file.
pub(super) struct Reader<'a, F> {
    /// The file, to name other lines of it.
    text: &'a str,
    scene: Scene,
    meshes: Meshes<'a, F>,
    /// Vertices and triangles that there is still room for.
    room: usize,
}

/// An entry that is not in the scene yet.
struct Waiting<'a> {
    place: Place,
    /// What it is called in the file, `piece "hall"` and the like.
    title: String,
    stand: Stand<'a>,
    entry: Entry<'a>,
}

impl Waiting<'_> {
    fn fault(&self, wrong: Wrong) -> Fault {
        (self.place, Wrong { what: format!("{}: {}", self.title, wrong.what), ..wrong })
    }
}

enum Entry<'a> {
    Piece(&'a PieceEntry),
    Prop(&'a PropEntry),
    Other(Kind),
}

impl<'a, F: FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>> Reader<'a, F> {
    /// One that adds to `scene`.
    pub fn new(text: &'a str, scene: Scene, meshes: Meshes<'a, F>) -> Reader<'a, F> {
        Reader { text, scene, meshes, room: MOST }
    }

    /// The scene with all that is in the file.
    pub fn read(mut self, file: &SceneFile) -> Result<Scene, Fault> {
        let fault = |kind: &'static str, wrong: Wrong| {
            let what = format!("{kind}: {}", wrong.what);
            (Place { kind, number: 0 }, Wrong { what, ..wrong })
        };
        if let Some(spawn) = &file.spawn {
            self.scene.spawn = Some(entries::spawn(spawn).map_err(|wrong| fault("spawn", wrong))?);
        }
        if let Some(sky) = &file.sky {
            let (pictures, are_there) = self.meshes.sky(sky).map_err(|wrong| fault("sky", wrong))?;
            if !are_there {
                let line = Place { kind: "sky", number: 0 }.line(self.text, "pictures");
                let (scene, wanted) = (&self.scene.name, pictures.path.display());
                let what = format!("{scene}, line {line}: sky: there are no pictures at {wanted}; a gradient is drawn");
                self.scene.warnings.add(WarningKind::MissingTexture, what);
            }
            self.scene.sky = are_there.then_some(pictures);
        }
        let mut waiting = Vec::new();
        gather(&mut waiting, "group", &file.group, |_| Ok(Entry::Other(Kind::Group)))?;
        gather(&mut waiting, "piece", &file.piece, |entry| Ok(Entry::Piece(entry)))?;
        gather(&mut waiting, "prop", &file.prop, |entry| Ok(Entry::Prop(entry)))?;
        gather(&mut waiting, "trigger", &file.trigger, |entry| Ok(Entry::Other(Kind::Trigger(Volume::of(entry)?))))?;
        gather(&mut waiting, "light", &file.light, |entry| Ok(Entry::Other(Kind::Light(Lamp::of(entry)?))))?;
        gather(&mut waiting, "camera", &file.camera, |entry| Ok(Entry::Other(entries::camera(entry)?)))?;
        self.add_all(&waiting)?;
        Ok(self.scene)
    }

    /// Adds everything, what it hangs on before it.
    fn add_all(&mut self, waiting: &[Waiting<'_>]) -> Result<(), Fault> {
        let mut by_name = HashMap::new();
        for (place, one) in waiting.iter().enumerate().filter(|(_, one)| !one.stand.name.is_empty()) {
            if let Some(other) = by_name.insert(one.stand.name, place) {
                let first = waiting[other].place.line(self.text, "");
                let what = format!("line {first} has that name already; names are unique in a scene");
                return Err(one.fault(Wrong::at("name", what)));
            }
        }
        let depths = depths(waiting, &by_name)?;
        let mut order: Vec<usize> = (0..waiting.len()).collect();
        order.sort_by_key(|&place| depths[place]);
        for place in order {
            let one = &waiting[place];
            self.add(one).map_err(|wrong| one.fault(wrong))?;
        }
        Ok(())
    }

    fn add(&mut self, one: &Waiting<'_>) -> Result<(), Wrong> {
        let stand = &one.stand;
        // It was added before.
        let parent: Option<NodeId> = stand.parent.and_then(|parent| self.scene.find(parent));
        let node = NewNode {
            parent,
            pose: Pose::of(stand)?,
            motion: stand.motion.map(Motion::of).transpose()?,
            ..NewNode::new(stand.name, Kind::Group)
        };
        match one.entry {
            Entry::Piece(piece) => {
                let placement = entries::placement(&piece.up, piece.unit, &piece.handedness)?;
                let heightmap = self.meshes.heightmap(piece)?;
                let mesh = self.mesh(&piece.file, &LoadOptions { placement, heightmap, ..LoadOptions::default() })?;
                let hidden = !piece.visible.unwrap_or(true);
                let opacity = entries::opacity(piece.opacity)?;
                self.put(NewNode { kind: Kind::Piece(mesh), hidden, opacity, ..node })
            }
            Entry::Prop(prop) => {
                let placement = entries::placement(&prop.up, prop.unit, &prop.handedness)?;
                let mesh = self.mesh(&prop.file, &LoadOptions { placement, ..LoadOptions::default() })?;
                let met = entries::met(prop)?;
                let hidden = !prop.visible.unwrap_or(true);
                let opacity = entries::opacity(prop.opacity)?;
                let node = NewNode { kind: Kind::Prop(mesh, met), hidden, opacity, ..node };
                match &prop.grid {
                    None => self.put(node),
                    Some(grid) => self.put_grid(&node, grid),
                }
            }
            Entry::Other(ref kind) => self.put(NewNode { kind: kind.clone(), ..node }),
        }
    }

    fn put(&mut self, node: NewNode) -> Result<(), Wrong> {
        if self.scene.props.len() >= MOST_PROPS {
            return Err(Wrong::entry(format!("there are more than {MOST_PROPS} props")));
        }
        self.scene.add(node).map(|_| ()).map_err(|error| Wrong::entry(error.to_string()))
    }

    fn put_grid(&mut self, node: &NewNode, grid: &GridEntry) -> Result<(), Wrong> {
        let [columns, layers, rows] = grid.counts;
        let spacing = DVec3::from_array(grid.spacing);
        let count = grid.counts.iter().try_fold(1_u32, |product, &count| product.checked_mul(count));
        if count.is_none_or(|count| count == 0 || count as usize > MOST_PROPS) {
            let what = format!("counts of a grid must be at least 1, and make at most {MOST_PROPS} props");
            return Err(Wrong::at("grid.counts", what));
        }
        for number in 0..columns * layers * rows {
            let cell = [number % columns, number / columns / rows, number / columns % rows].map(f64::from);
            let mut copy = node.clone();
            copy.pose.translation += DVec3::from_array(cell) * spacing;
            if !copy.name.is_empty() {
                copy.name = format!("{} {}", node.name, number + 1);
            }
            self.put(copy)?;
        }
        Ok(())
    }

    fn mesh(&mut self, file: &str, options: &LoadOptions) -> Result<Arc<Level>, Wrong> {
        let mesh = self.meshes.get(file, options)?;
        let size = mesh.vertices.len() + mesh.triangles.len();
        let full = || Wrong::at("file", format!("with it there are more than {MOST} vertices and triangles"));
        self.room = self.room.checked_sub(size).ok_or_else(full)?;
        Ok(mesh)
    }
}

/// Reads all entries of a kind.
fn gather<'a, T: Standing>(
    waiting: &mut Vec<Waiting<'a>>,
    kind: &'static str,
    entries: &'a [T],
    entry_of: impl Fn(&'a T) -> Result<Entry<'a>, Wrong>,
) -> Result<(), Fault> {
    for (number, entry) in entries.iter().enumerate() {
        let stand = entry.stand();
        let title = if stand.name.is_empty() { kind.to_owned() } else { format!("{kind} {:?}", stand.name) };
        let mut one = Waiting { place: Place { kind, number }, title, stand, entry: Entry::Other(Kind::Group) };
        one.entry = entry_of(entry).map_err(|wrong| one.fault(wrong))?;
        waiting.push(one);
    }
    Ok(())
}

/// How many entries each one hangs on, one above the other.
fn depths(waiting: &[Waiting<'_>], by_name: &HashMap<&str, usize>) -> Result<Vec<usize>, Fault> {
    let parents = waiting.iter().map(|one| match one.stand.parent {
        None => Ok(None),
        Some(parent) => match by_name.get(parent) {
            Some(&place) => Ok(Some(place)),
            None => {
                let what = format!("there is nothing named {parent:?} to hang on");
                Err(one.fault(Wrong::at("parent", what)))
            }
        },
    });
    let parents: Vec<Option<usize>> = parents.collect::<Result<_, Fault>>()?;
    let depth = |place: usize| {
        let depth = std::iter::successors(parents[place], |&parent| parents[parent]).take(DEEPEST + 1).count();
        let one = &waiting[place];
        if depth <= DEEPEST {
            Ok(depth)
        } else {
            Err(one.fault(Wrong::at("parent", format!("it hangs on itself, or more than {DEEPEST} deep"))))
        }
    };
    (0..waiting.len()).map(depth).collect()
}
