//! A measurement frame by frame, as comma-separated values.

use std::fmt::Write;

use nodetree::camera::Camera;
use nodetree::level::Level;

use super::report::Report;

/// A head line, then a line a frame: where the camera is (level coordinates, degrees), how many triangles its view needs, and
/// what each method took and gave. No field needs quotes.
pub fn table(level: &Level, path: &[Camera], report: &Report) -> String {
    let mut text = String::from("frame,x,y,z,yaw,pitch,triangles_needed");
    for (name, _) in report.methods() {
        let name = name.replace(' ', "_");
        // Writing to a string never fails.
        let _ = write!(text, ",{name}_us,{name}_nodes,{name}_ranges,{name}_triangles");
    }
    text.push('\n');
    for (frame, camera) in path.iter().enumerate() {
        let eye = level.to_level(camera.eye);
        let (yaw, pitch) = (camera.yaw.to_degrees(), camera.pitch.to_degrees());
        let needed = report.modes.octree.series.needed[frame];
        let _ = write!(text, "{frame},{:.3},{:.3},{:.3},{yaw:.3},{pitch:.3},{needed}", eye.x, eye.y, eye.z);
        for (_, figures) in report.methods() {
            let (us, output) = (figures.series.frame_us[frame], figures.series.outputs[frame]);
            let _ = write!(text, ",{us:.3},{},{},{}", output.nodes_visited, output.ranges, output.triangles);
        }
        text.push('\n');
    }
    text
}
