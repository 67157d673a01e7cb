//! What can be asked: JSON to typed questions, in level coordinates.

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A question of any kind.
#[derive(Debug)]
pub enum Question {
    Ray(RayQuestion),
    Segment(SegmentQuestion),
    Height(HeightQuestion),
    Sphere(SphereQuestion),
    Sweep(SweepQuestion),
    Slide(SlideQuestion),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RayQuestion {
    pub origin: [f64; 3],
    pub direction: [f64; 3],
    pub max_distance: Option<f64>,
    pub faces: Option<Faces>,
    pub mode: Option<RayMode>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RayMode {
    #[default]
    Nearest,
    Any,
    All,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Faces {
    #[default]
    Both,
    Front,
    Back,
}

impl From<Faces> for nodetree::query::Faces {
    fn from(faces: Faces) -> Self {
        match faces {
            Faces::Both => Self::Both,
            Faces::Front => Self::Front,
            Faces::Back => Self::Back,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentQuestion {
    pub from: [f64; 3],
    pub to: [f64; 3],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeightQuestion {
    pub point: [f64; 3],
    pub which: Option<Which>,
    pub snap: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    #[default]
    Below,
    Above,
    Closest,
    All,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SphereQuestion {
    pub center: [f64; 3],
    pub radius: f64,
    pub all: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepQuestion {
    pub center: [f64; 3],
    pub radius: Radius,
    pub displacement: [f64; 3],
    pub faces: Option<Faces>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlideQuestion {
    pub center: [f64; 3],
    pub radius: Radius,
    pub displacement: [f64; 3],
    pub restitution: Option<f64>,
}

/// Of a sphere, or along each axis of an ellipsoid.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "expected radius to be a number, or three numbers")]
pub enum Radius {
    Sphere(f64),
    Ellipsoid([f64; 3]),
}

/// The `id` of a line, if it has one, and its question.
pub fn parse(line: &[u8]) -> (Option<Value>, anyhow::Result<Question>) {
    // Some programs begin what they write with a byte order mark.
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let mut fields = match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return (None, Err(anyhow::anyhow!("a question is an object, as in {{\"ray\":{{…}}}}"))),
        Err(error) => {
            let error = error.to_string().replace(" at line 1 column ", " at column ");
            return (None, Err(anyhow::anyhow!("not JSON: {error}")));
        }
    };
    let id = fields.remove("id");
    let mut fields = fields.into_iter();
    let question = match (fields.next(), fields.next()) {
        (Some((kind, body)), None) => of_kind(&kind, body),
        (None, _) => Err(anyhow::anyhow!("no question; {KINDS}")),
        (Some((first, _)), Some((second, _))) => {
            Err(anyhow::anyhow!("one question a line, not {first:?} and {second:?}"))
        }
    };
    (id, question)
}

const KINDS: &str = "there are ray, segment, height, sphere, sweep and slide";

fn of_kind(kind: &str, body: Value) -> anyhow::Result<Question> {
    fn typed<T: DeserializeOwned>(kind: &str, body: Value) -> anyhow::Result<T> {
        // A list in the order of the fields would do for serde; it is not in the contract.
        if !body.is_object() {
            bail!("{kind}: expected an object");
        }
        serde_json::from_value(body).with_context(|| kind.to_owned())
    }
    Ok(match kind {
        "ray" => Question::Ray(typed(kind, body)?),
        "segment" => Question::Segment(typed(kind, body)?),
        "height" => Question::Height(typed(kind, body)?),
        "sphere" => Question::Sphere(typed(kind, body)?),
        "sweep" => Question::Sweep(typed(kind, body)?),
        "slide" => Question::Slide(typed(kind, body)?),
        _ => bail!("no question {kind:?}; {KINDS}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        let (_, question) = parse(line.as_bytes());
        format!("{:#}", question.expect_err(line))
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (line, expected) in [
            ("{", "not JSON: EOF while parsing an object at column 1"),
            ("[1]", "a question is an object"),
            ("{}", "no question; there are ray"),
            (r#"{"id":4}"#, "no question; there are ray"),
            (r#"{"rya":{}}"#, "no question \"rya\""),
            (r#"{"ray":{},"height":{}}"#, "one question a line, not \"height\" and \"ray\""),
            (r#"{"ray":[1]}"#, "ray: expected an object"),
            (r#"{"ray":{"origin":[0,0,0]}}"#, "ray: missing field `direction`"),
            (r#"{"height":{"point":[0,0]}}"#, "height: invalid length 2, expected an array of length 3"),
            (r#"{"height":{"point":[0,0,0],"snpa":1}}"#, "height: unknown field `snpa`"),
            (r#"{"height":{"point":[0,0,0],"which":"under"}}"#, "height: unknown variant `under`"),
            (r#"{"sweep":{"center":[0,0,0],"radius":"big","displacement":[0,0,0]}}"#, "sweep: expected radius to be"),
            (r#"{"ray":{"origin":[1e999,0,0],"direction":[0,1,0]}}"#, "not JSON: number out of range"),
        ] {
            let error = error(line);
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    #[test]
    fn an_id_is_kept_when_the_question_is_wrong() {
        let (id, question) = parse(br#"{"id":{"a":1},"ray":7}"#);
        assert_eq!(id, Some(serde_json::json!({"a": 1})));
        assert!(question.is_err());
    }
}
