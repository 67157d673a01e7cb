//! Reading a scene file and all that it names.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;
use toml::Spanned;

use super::file::{self, GridEntry, PieceEntry, PropEntry, SceneFile, SkyEntry, SpawnEntry, Stand, Standing};
use super::{Kind, Lamp, Motion, NewNode, NodeId, Pose, Scene, SkyPictures, Volume};
use crate::bodies::Met;
use crate::generate;
use crate::level::{
    HEIGHTMAP_EXTENSIONS, Handedness, HeightmapOptions, Level, LoadError, LoadOptions, Placement, Spawn, UpAxis, files,
};

/// Why a scene could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The file could not be read.
    #[error("cannot read the scene {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// Something in it makes no sense, or what it names cannot be read.
    #[error("{}, line {line}: {what}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// Which entry, and what is wrong with it.
        what: String,
    },
    /// There is nothing to draw or to walk on.
    #[error("{} has no piece that stands still, so there is no level; add a [[piece]] with a file", .0.display())]
    NoLevel(PathBuf),
}

/// The largest scene file, in bytes.
const LARGEST: u64 = 16 << 20;
/// Vertices and triangles of all pieces and props at most, some gigabytes, ...
const MOST: usize = 1 << 26;
/// ... and props.
const MOST_PROPS: usize = 1 << 16;
/// Entries hang on each other so deep at most.
const DEEPEST: usize = 64;

impl Scene {
    /// Reads a scene file (TOML) with the meshes that it names, each once. `load` reads a mesh, as [`level::load`](crate::level::load)
    /// does; the paths it gets are relative to the folder of the scene, and `builtin:` names are not asked for.
    ///
    /// # Errors
    /// When the file or one that it names cannot be read, or an entry makes no sense. The error names the line.
    pub fn open(
        path: &Path,
        load: impl FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>,
    ) -> Result<Scene, SceneError> {
        let text = files::read(path, LARGEST);
        let text = text.map_err(|reason| SceneError::Read { path: path.to_owned(), reason })?;
        let fault = |line, what: &str| SceneError::Line { path: path.to_owned(), line, what: what.to_owned() };
        let text = String::from_utf8(text).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            fault(good.iter().filter(|&&byte| byte == b'\n').count() + 1, "this is no UTF-8 text; save it as that")
        })?;
        Scene::parse(&text, path, load)
    }

    /// The same for a text that is in memory. `path` says where it came from: errors name it, and what it names is looked for
    /// beside it.
    ///
    /// # Errors
    /// As [`Scene::open`].
    pub fn parse(
        text: &str,
        path: &Path,
        load: impl FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>,
    ) -> Result<Scene, SceneError> {
        let line = |(line, what)| SceneError::Line { path: path.to_owned(), line, what };
        let file = file::parse(text).map_err(line)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let meshes = Meshes { folder, load, known: HashMap::new() };
        let mut reader = Reader { text, scene: Scene::new(path.to_string_lossy()), meshes, room: MOST };
        reader.read(&file).map_err(line)?;
        let scene = reader.scene;
        if scene.iter().all(|(_, node)| node.static_piece().is_none()) {
            return Err(SceneError::NoLevel(path.to_owned()));
        }
        Ok(scene)
    }
}

/// A line, from 1, and what is wrong there.
type Fault = (usize, String);

struct Reader<'a, F> {
    text: &'a str,
    scene: Scene,
    meshes: Meshes<'a, F>,
    /// Vertices and triangles that there is still room for.
    room: usize,
}

/// An entry that is not in the scene yet.
struct Waiting<'a> {
    line: usize,
    /// What it is called in the file, `piece "hall"` and the like.
    title: String,
    stand: Stand<'a>,
    entry: Entry<'a>,
}

enum Entry<'a> {
    Piece(&'a PieceEntry),
    Prop(&'a PropEntry),
    Other(Kind),
}

impl<F: FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>> Reader<'_, F> {
    fn read(&mut self, file: &SceneFile) -> Result<(), Fault> {
        if let Some(spawn) = &file.spawn {
            let spot = self.at(spawn);
            self.scene.spawn = Some(spawn_of(spawn.as_ref()).map_err(|what| (spot, format!("spawn: {what}")))?);
        }
        if let Some(sky) = &file.sky {
            let spot = self.at(sky);
            self.scene.sky = Some(self.meshes.sky(sky.as_ref()).map_err(|what| (spot, format!("sky: {what}")))?);
        }
        let mut waiting = Vec::new();
        self.gather(&mut waiting, "group", &file.group, |_| Ok(Entry::Other(Kind::Group)))?;
        self.gather(&mut waiting, "piece", &file.piece, |entry| Ok(Entry::Piece(entry)))?;
        self.gather(&mut waiting, "prop", &file.prop, |entry| Ok(Entry::Prop(entry)))?;
        self.gather(&mut waiting, "trigger", &file.trigger, |entry| {
            Ok(Entry::Other(Kind::Trigger(Volume::of(entry)?)))
        })?;
        self.gather(&mut waiting, "light", &file.light, |entry| Ok(Entry::Other(Kind::Light(Lamp::of(entry)?))))?;
        self.gather(&mut waiting, "camera", &file.camera, |entry| {
            let degrees = entry.fov;
            if degrees.is_some_and(|degrees| !(1.0..=170.0).contains(&degrees)) {
                return Err("fov must be from 1 to 170 degrees".to_owned());
            }
            Ok(Entry::Other(Kind::Camera { fov_y: degrees.map(|degrees| degrees.to_radians() as f32) }))
        })?;
        self.add_all(waiting)
    }

    fn at<T>(&self, entry: &Spanned<T>) -> usize {
        file::line_of(self.text, &entry.span())
    }

    fn gather<'b, T: Standing>(
        &self,
        waiting: &mut Vec<Waiting<'b>>,
        kind: &str,
        entries: &'b [Spanned<T>],
        entry_of: impl Fn(&'b T) -> Result<Entry<'b>, String>,
    ) -> Result<(), Fault> {
        for entry in entries {
            let line = self.at(entry);
            let stand = entry.as_ref().stand();
            let title = if stand.name.is_empty() { kind.to_owned() } else { format!("{kind} {:?}", stand.name) };
            let entry = entry_of(entry.as_ref()).map_err(|what| (line, format!("{title}: {what}")))?;
            waiting.push(Waiting { line, title, stand, entry });
        }
        Ok(())
    }

    /// Adds everything, what it hangs on before it.
    fn add_all(&mut self, waiting: Vec<Waiting<'_>>) -> Result<(), Fault> {
        let mut by_name = HashMap::new();
        for (place, one) in waiting.iter().enumerate().filter(|(_, one)| !one.stand.name.is_empty()) {
            if let Some(other) = by_name.insert(one.stand.name, place) {
                let first = waiting[other].line;
                let what = format!("{}: line {first} has that name already; names are unique in a scene", one.title);
                return Err((one.line, what));
            }
        }
        let depths = depths(&waiting, &by_name)?;
        let mut order: Vec<usize> = (0..waiting.len()).collect();
        order.sort_by_key(|&place| depths[place]);
        for place in order {
            let one = &waiting[place];
            self.add(one).map_err(|what| (one.line, format!("{}: {what}", one.title)))?;
        }
        Ok(())
    }

    fn add(&mut self, one: &Waiting<'_>) -> Result<(), String> {
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
                let placement = placement(&piece.up, piece.unit, &piece.handedness)?;
                let heightmap = self.meshes.heightmap(piece)?;
                let mesh = self.mesh(&piece.file, &LoadOptions { placement, heightmap, ..LoadOptions::default() })?;
                let hidden = !piece.visible.unwrap_or(true);
                let opacity = opacity(piece.opacity)?;
                self.put(NewNode { kind: Kind::Piece(mesh), hidden, opacity, ..node })
            }
            Entry::Prop(prop) => {
                let placement = placement(&prop.up, prop.unit, &prop.handedness)?;
                let mesh = self.mesh(&prop.file, &LoadOptions { placement, ..LoadOptions::default() })?;
                let met = met(prop)?;
                let hidden = !prop.visible.unwrap_or(true);
                let opacity = opacity(prop.opacity)?;
                let node = NewNode { kind: Kind::Prop(mesh, met), hidden, opacity, ..node };
                match &prop.grid {
                    None => self.put(node),
                    Some(grid) => self.put_grid(&node, grid),
                }
            }
            Entry::Other(ref kind) => self.put(NewNode { kind: kind.clone(), ..node }),
        }
    }

    fn put(&mut self, node: NewNode) -> Result<(), String> {
        if self.scene.props.len() >= MOST_PROPS {
            return Err(format!("there are more than {MOST_PROPS} props"));
        }
        self.scene.add(node).map(|_| ()).map_err(|error| error.to_string())
    }

    fn put_grid(&mut self, node: &NewNode, grid: &GridEntry) -> Result<(), String> {
        let [columns, layers, rows] = grid.counts;
        let spacing = DVec3::from_array(grid.spacing);
        let count = grid.counts.iter().try_fold(1_u32, |product, &count| product.checked_mul(count));
        if count.is_none_or(|count| count == 0 || count as usize > MOST_PROPS) {
            return Err(format!("counts of a grid must be at least 1, and make at most {MOST_PROPS} props"));
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

    fn mesh(&mut self, file: &str, options: &LoadOptions) -> Result<Arc<Level>, String> {
        let mesh = self.meshes.get(file, options)?;
        let size = mesh.vertices.len() + mesh.triangles.len();
        self.room = self
            .room
            .checked_sub(size)
            .ok_or_else(|| format!("with it there are more than {MOST} vertices and triangles"))?;
        Ok(mesh)
    }
}

/// How many entries each one hangs on, one above the other.
fn depths(waiting: &[Waiting<'_>], by_name: &HashMap<&str, usize>) -> Result<Vec<usize>, Fault> {
    let parents = waiting.iter().map(|one| match one.stand.parent {
        None => Ok(None),
        Some(parent) => match by_name.get(parent) {
            Some(&place) => Ok(Some(place)),
            None => Err((one.line, format!("{}: there is nothing named {parent:?} to hang on", one.title))),
        },
    });
    let parents: Vec<Option<usize>> = parents.collect::<Result<_, Fault>>()?;
    let depth = |place: usize| {
        let depth = std::iter::successors(parents[place], |&parent| parents[parent]).take(DEEPEST + 1).count();
        let one = &waiting[place];
        if depth <= DEEPEST {
            Ok(depth)
        } else {
            let what = format!("{}: it hangs on itself, or more than {DEEPEST} deep", one.title);
            Err((one.line, what))
        }
    };
    (0..waiting.len()).map(depth).collect()
}

/// The meshes that a scene names, each read once.
struct Meshes<'a, F> {
    folder: &'a Path,
    load: F,
    /// Few files are read in more ways than one.
    known: HashMap<String, Vec<(LoadOptions, Arc<Level>)>>,
}

impl<F: FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>> Meshes<'_, F> {
    fn get(&mut self, file: &str, options: &LoadOptions) -> Result<Arc<Level>, String> {
        let known = self.known.get(file).into_iter().flatten().find(|(known, _)| known == options);
        if let Some((_, mesh)) = known {
            return Ok(mesh.clone());
        }
        let mesh = match file.strip_prefix("builtin:") {
            Some(_) if *options != LoadOptions::default() => {
                return Err(
                    "what is built in is made in metres with Y up: leave everything about its file away".to_owned()
                );
            }
            Some(name) => generate::by_name(name, None, 1).or_else(|| generate::model(name)).ok_or_else(|| {
                let names = [&generate::NAMES[..], &generate::MODELS].concat().join(", ");
                format!("there is nothing built in named {name:?}; there are {names}")
            })?,
            None if file.to_lowercase().ends_with(".toml") => {
                return Err("a scene cannot hold another scene; name the meshes in it".to_owned());
            }
            None => {
                let path = self.path(file);
                (self.load)(&path, options).map_err(|error| error.to_string())?
            }
        };
        let mesh = Arc::new(mesh);
        self.known.entry(file.to_owned()).or_default().push((options.clone(), mesh.clone()));
        Ok(mesh)
    }

    /// A file that the scene names, beside it unless it says otherwise, whatever system that was written on.
    fn path(&self, file: &str) -> PathBuf {
        let name = file.replace('\\', "/");
        files::find(&[self.folder], &name).unwrap_or_else(|| self.folder.join(name))
    }

    /// How to read a heightmap; its keys are for nothing else.
    fn heightmap(&self, piece: &PieceEntry) -> Result<HeightmapOptions, String> {
        let usual = HeightmapOptions::default();
        let [lowest, highest] = piece.height_range.unwrap_or([usual.lowest, usual.highest]);
        let options = HeightmapOptions {
            cell_size: piece.cell_size.unwrap_or(usual.cell_size),
            lowest,
            highest,
            texture: piece.texture.as_ref().map(|texture| self.path(texture)),
            texture_size: piece.texture_size,
        };
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        if !is_positive(options.cell_size) || options.texture_size.is_some_and(|size| !is_positive(size)) {
            return Err("cell-size and texture-size must be above 0 m".to_owned());
        }
        if !(lowest.is_finite() && highest.is_finite()) {
            return Err("height-range must be two finite numbers".to_owned());
        }
        let extension = Path::new(&piece.file).extension().map(|extension| extension.to_string_lossy().to_lowercase());
        if options != usual && extension.is_none_or(|extension| !HEIGHTMAP_EXTENSIONS.contains(&&*extension)) {
            return Err("cell-size, height-range, texture and texture-size are for heightmaps".to_owned());
        }
        Ok(options)
    }

    fn sky(&self, entry: &SkyEntry) -> Result<SkyPictures, String> {
        let turn = entry.turn.unwrap_or(0.0);
        if !turn.is_finite() {
            return Err("turn must be a finite number of degrees".to_owned());
        }
        // No file by itself: what the names of several share, or a folder.
        let path = self.folder.join(entry.pictures.replace('\\', "/"));
        Ok(SkyPictures { path, turn: (turn % 360.0).to_radians() as f32 })
    }
}

fn spawn_of(entry: &SpawnEntry) -> Result<Spawn, String> {
    let pose = Pose::at(entry.translation.three("translation")?);
    pose.check()?;
    let yaw = entry.yaw.unwrap_or(0.0);
    if !yaw.is_finite() {
        return Err("yaw must be a finite number of degrees".to_owned());
    }
    Ok(Spawn { feet: pose.translation, yaw: (yaw % 360.0).to_radians() as f32 })
}

fn placement(up: &Option<String>, unit: Option<f64>, handedness: &Option<String>) -> Result<Placement, String> {
    let scale = unit.unwrap_or(1.0);
    if !(scale > 0.0 && scale.is_finite()) {
        return Err("unit must be above 0 metres".to_owned());
    }
    Ok(Placement {
        up: match up.as_deref() {
            None | Some("y") => UpAxis::Y,
            Some("z") => UpAxis::Z,
            Some(_) => return Err("up must be \"y\" or \"z\"".to_owned()),
        },
        scale,
        handedness: match handedness.as_deref() {
            None | Some("right") => Handedness::Right,
            Some("left") => Handedness::Left,
            Some(_) => return Err("handedness must be \"right\" or \"left\"".to_owned()),
        },
    })
}

fn opacity(value: Option<f64>) -> Result<f32, String> {
    match value.unwrap_or(1.0) {
        value if (0.0..=1.0).contains(&value) => Ok(value as f32),
        _ => Err("opacity must be from 0 to 1".to_owned()),
    }
}

fn met(entry: &PropEntry) -> Result<Met, String> {
    match (entry.met.as_deref(), entry.radius) {
        (None | Some("mesh"), None) => Ok(Met::Mesh),
        (Some("nothing"), None) => Ok(Met::Nothing),
        (None, Some(radius)) if (0.0..=1e6).contains(&radius) => Ok(Met::Radius(radius as f32)),
        (None, Some(_)) => Err("radius must be from 0 to 1000000 m".to_owned()),
        (Some(_), Some(_)) => Err("met and radius exclude each other".to_owned()),
        (Some(_), None) => Err("met must be \"mesh\" or \"nothing\"; a radius makes it a ball".to_owned()),
    }
}
