//! Meshes that bend: morph targets with their weights, and skins, as the nodes of the file stand.

use glam::DMat4;
use gltf::{Accessor, Document, Node, Primitive, Semantic, Skin};

use super::accessor::vectors;
use super::buffers::Buffers;
use super::node_matrix;

/// Sets of four joints a vertex that are looked at.
const MOST_SETS: u32 = 4;

/// For each node of the document the map from its space to the file's. Nodes that hang below themselves stand at the origin.
pub(super) fn of_nodes(document: &Document) -> Vec<DMat4> {
    let mut is_child = vec![false; document.nodes().len()];
    document.nodes().flat_map(|node| node.children()).for_each(|child| is_child[child.index()] = true);
    let mut poses = vec![None; is_child.len()];
    let mut waiting: Vec<(Node<'_>, DMat4)> =
        document.nodes().filter(|node| !is_child[node.index()]).map(|node| (node, DMat4::IDENTITY)).collect();
    while let Some((node, file_from_parent)) = waiting.pop() {
        let pose = &mut poses[node.index()];
        if pose.is_none() {
            let file_from_node = file_from_parent * node_matrix(&node);
            *pose = Some(file_from_node);
            waiting.extend(node.children().map(|child| (child, file_from_node)));
        }
    }
    poses.into_iter().map(Option::unwrap_or_default).collect()
}

/// The maps that the joints of a skin stand for: from the mesh as it was bound to the file.
pub(super) fn of_joints(buffers: &Buffers, skin: &Skin<'_>, of_nodes: &[DMat4]) -> Result<Vec<DMat4>, String> {
    let fault = |what: String| format!("skin {}: {what}", skin.index());
    let inverse =
        skin.inverse_bind_matrices().map(|accessor| vectors::<16>(buffers, &accessor)).transpose().map_err(fault)?;
    let joints = skin.joints();
    if let Some(inverse) = inverse.as_ref().filter(|inverse| inverse.len() < joints.len()) {
        return Err(fault(format!("it has {} inverse bind matrices for {} joints", inverse.len(), joints.len())));
    }
    let joint_from_mesh =
        |joint: usize| inverse.as_ref().map_or(DMat4::IDENTITY, |inverse| DMat4::from_cols_array(&inverse[joint]));
    Ok(joints.enumerate().map(|(number, joint)| of_nodes[joint.index()] * joint_from_mesh(number)).collect())
}

/// The map of each vertex of a primitive by its joints and their weights; `None` where it names no joints. A vertex without
/// weight goes with the first joint.
pub(super) fn of_vertices(
    buffers: &Buffers,
    primitive: &Primitive<'_>,
    joints: &[DMat4],
    count: usize,
) -> Result<Option<Vec<DMat4>>, String> {
    let mut sums = vec![(DMat4::ZERO, 0.0); count];
    let mut is_skinned = false;
    for set in 0..MOST_SETS {
        let both = primitive.get(&Semantic::Joints(set)).zip(primitive.get(&Semantic::Weights(set)));
        let Some((numbers, weights)) = both else { break };
        let (numbers, weights) = (vectors::<4>(buffers, &numbers)?, vectors::<4>(buffers, &weights)?);
        if numbers.len() != count || weights.len() != count {
            return Err("its attributes have different numbers of elements".to_owned());
        }
        is_skinned = true;
        for ((sum, whole), (numbers, weights)) in sums.iter_mut().zip(numbers.iter().zip(&weights)) {
            for (number, weight) in numbers.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                let joint = joints.get(*number as usize);
                *sum += *joint.ok_or_else(|| format!("joint {number} is none of its skin's"))? * *weight;
                *whole += weight;
            }
        }
    }
    let first = joints.first().copied().unwrap_or_default();
    let map = |(sum, whole): (DMat4, f64)| if whole == 0.0 { first } else { sum * whole.recip() };
    Ok(is_skinned.then(|| sums.into_iter().map(map).collect()))
}

/// Adds what the targets of a primitive say of one attribute, as far as each counts.
pub(super) fn morph<'a, const N: usize>(
    buffers: &Buffers,
    base: &mut [[f64; N]],
    targets: impl Iterator<Item = Option<Accessor<'a>>>,
    weights: &[f32],
) -> Result<(), String> {
    for (target, &weight) in targets.zip(weights).filter(|(_, weight)| **weight != 0.0) {
        let Some(target) = target else { continue };
        let offsets = vectors::<3>(buffers, &target)?;
        if offsets.len() != base.len() {
            return Err("a morph target has another number of elements than the mesh".to_owned());
        }
        // Of a tangent the fourth number is its sign, which stays.
        for (base, offsets) in base.iter_mut().zip(&offsets) {
            base.iter_mut().zip(offsets).for_each(|(base, offset)| *base += f64::from(weight) * offset);
        }
    }
    Ok(())
}
