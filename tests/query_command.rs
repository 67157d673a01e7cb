//! `nodetree query` as a program: questions in, answers out.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

/// A room of 4 by 3 by 4 m with an open top, its floor at Y 1, far from zero; the floor is of a material of its own, and the
/// last face is a shelf at half its height.
const ROOM: &str = "\
mtllib missing.mtl
v 100000 1 500000\nv 100004 1 500000\nv 100004 1 500004\nv 100000 1 500004
v 100000 4 500000\nv 100004 4 500000\nv 100004 4 500004\nv 100000 4 500004
v 100000 2.5 500000\nv 100001 2.5 500000\nv 100001 2.5 500004\nv 100000 2.5 500004
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
usemtl tiles
f 1 4 3 2
usemtl wood
f 9 12 11 10
";

struct Session {
    answers: Vec<Value>,
    code: Option<i32>,
    errors: String,
}

/// Asks about a level of the given text, each question a line.
fn ask_with(obj: &str, options: &[&str], questions: &[u8]) -> Session {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.obj");
    std::fs::write(&path, obj).unwrap();
    let output = assert_cmd::Command::new(cargo_bin!("nodetree"))
        .arg("query")
        .arg(&path)
        .args(options)
        .write_stdin(questions)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Session { answers, code: output.status.code(), errors: String::from_utf8(output.stderr).unwrap() }
}

/// The answers to questions that all have one.
fn ask(questions: &[Value]) -> Vec<Value> {
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    for mode in ["quadtree", "octree"] {
        let session =
            ask_with(ROOM, &["--tree", mode, "--leaf-triangles", "1", "--leaf-size", "0.5"], lines.as_bytes());
        assert_eq!((session.answers.len(), session.code), (questions.len(), Some(0)), "{}", session.errors);
        if mode == "octree" {
            return session.answers;
        }
    }
    unreachable!()
}

#[track_caller]
fn assert_near(found: &Value, expected: &[f64]) {
    let found: Vec<f64> = match found {
        Value::Array(list) => list.iter().map(|number| number.as_f64().unwrap()).collect(),
        number => vec![number.as_f64().unwrap()],
    };
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }
}

#[test]
fn rays_answer_in_level_coordinates() {
    let down = json!({"origin": [100_003.0, 3.0, 500_001.0], "direction": [0, -2, 0]});
    let with = |name: &str, value: Value| {
        let mut ray = down.clone();
        ray[name] = value;
        json!({"ray": ray, "id": name})
    };
    let answers = ask(&[
        json!({"ray": down}),
        with("max_distance", json!(2)),
        with("max_distance", json!(1.999)),
        with("faces", json!("back")),
        with("mode", json!("any")),
        with("mode", json!("all")),
        json!({"ray": {"origin": [100_000.5, 9, 500_001], "direction": [0, -1, 0], "mode": "all"}}),
        json!({"ray": {"origin": [100_002, 2, 500_002], "direction": [1, 0, 0]}, "id": 5}),
    ]);
    let floor = &answers[0]["hit"];
    assert_near(&floor["distance"], &[2.0]);
    assert_near(&floor["point"], &[100_003.0, 1.0, 500_001.0]);
    assert_eq!(floor["normal"], json!([0.0, 1.0, 0.0]));
    assert_eq!((&floor["front"], &floor["face"], &floor["material"]), (&json!(true), &json!(4), &json!("tiles")));
    // The floor is a fan from its first corner; this is in the half with the corners 1, 3 and 2.
    assert_eq!(floor["triangle"], json!(9));
    assert_near(&floor["u"], &[0.25]);
    assert_near(&floor["v"], &[0.5]);
    assert_eq!(answers[1]["hit"]["triangle"], json!(9));
    assert_eq!(answers[2], json!({"hit": null, "id": "max_distance"}));
    assert_eq!(answers[3], json!({"hit": null, "id": "faces"}));
    assert_eq!(answers[4], json!({"hit": true, "id": "mode"}));
    assert_eq!(answers[5]["hits"].as_array().unwrap().len(), 1);
    let two = answers[6]["hits"].as_array().unwrap();
    assert_eq!((two.len(), &two[0]["material"], &two[1]["material"]), (2, &json!("wood"), &json!("tiles")));
    assert_near(&two[0]["distance"], &[6.5]);
    assert_eq!((&answers[7]["id"], &answers[7]["hit"]["material"]), (&json!(5), &json!("default")));
    assert_near(&answers[7]["hit"]["distance"], &[2.0]);
}

#[test]
fn segments_and_heights_answer_in_level_coordinates() {
    let height = |which: &str, y: f64| json!({"height": {"point": [100_000.5, y, 500_002.0], "which": which}});
    let answers = ask(&[
        json!({"segment": {"from": [100_002, 2, 500_002], "to": [100_009, 2, 500_002]}}),
        json!({"segment": {"from": [100_002, 2, 500_002], "to": [100_003, 2, 500_002]}}),
        json!({"height": {"point": [100_000.5, 2, 500_002]}}),
        height("above", 2.0),
        height("closest", 2.0),
        height("all", 2.0),
        height("below", 0.5),
        json!({"height": {"point": [100_000.5, 2.499, 500_002], "snap": 0.01}}),
        json!({"height": {"point": [100_000.5, 2.5, 500_002]}}),
        json!({"height": {"point": [5, 2, 5], "which": "all"}}),
    ]);
    assert_near(&answers[0]["distance"], &[2.0]);
    assert_eq!(answers[0]["blocked"], json!(true));
    assert_eq!(answers[1], json!({"blocked": false}));
    let heights = [json!(1.0), json!(2.5), json!(2.5), Value::Null, json!(2.5), json!(2.5)];
    for (answer, height) in [2, 3, 4, 6, 7, 8].into_iter().zip(heights) {
        assert_eq!(answers[answer], json!({"height": height}), "answer {answer}");
    }
    assert_eq!(answers[5], json!({"heights": [2.5, 1.0]}));
    assert_eq!(answers[9], json!({"heights": []}));
}

#[test]
fn spheres_sweeps_and_slides_answer_in_level_coordinates() {
    let answers = ask(&[
        json!({"sphere": {"center": [100_003, 1.4, 500_002], "radius": 0.5}}),
        json!({"sphere": {"center": [100_003, 1.5, 500_002], "radius": 0.5, "all": true}}),
        json!({"sphere": {"center": [100_003, 1.6, 500_002], "radius": 0.5, "all": true}}),
        json!({"sweep": {"center": [100_002, 3, 500_002], "radius": 0.5, "displacement": [0, -3, 0]}}),
        json!({"sweep": {"center": [100_002, 3, 500_002], "radius": [0.5, 1, 0.5], "displacement": [0, -2, 0]}}),
        json!({"sweep": {"center": [100_002, 3, 500_002], "radius": 0.5, "displacement": [0, -3, 0], "faces": "back"}}),
        json!({"sweep": {"center": [100_002, 1.25, 500_002], "radius": 0.5, "displacement": [0, 0, 0]}}),
        json!({"slide": {"center": [100_002, 2, 500_002], "radius": 0.5, "displacement": [0, 0, 1]}}),
        json!({"slide": {"center": [100_002, 2, 500_002], "radius": 0.5, "displacement": [1, -3, 0]}}),
        json!({"slide": {"center": [100_002, 2, 500_002], "radius": [0.5, 0.5, 0.5], "displacement": [0, -1, 0],
            "restitution": 1}}),
    ]);
    assert_eq!(answers[0]["touches"], json!(true));
    assert_near(&answers[0]["closest"], &[100_003.0, 1.0, 500_002.0]);
    assert_near(&answers[0]["distance"], &[0.4]);
    assert_near(&answers[0]["way_out"], &[0.0, 0.1, 0.0]);
    assert_eq!(answers[0].get("triangles"), None);
    assert_eq!((&answers[1]["touches"], &answers[1]["triangles"]), (&json!(true), &json!([9])));
    assert_eq!((&answers[2]["touches"], &answers[2]["triangles"]), (&json!(false), &json!([])));
    assert_near(&answers[3]["hit"]["fraction"], &[0.5]);
    assert_near(&answers[3]["hit"]["point"], &[100_002.0, 1.0, 500_002.0]);
    assert_near(&answers[3]["hit"]["normal"], &[0.0, 1.0, 0.0]);
    assert_eq!(answers[3]["hit"]["material"], json!("tiles"));
    assert_near(&answers[3]["hit"]["depth"], &[0.0]);
    assert_near(&answers[4]["hit"]["fraction"], &[0.5]);
    assert_eq!(answers[5], json!({"hit": null}));
    assert_near(&answers[6]["hit"]["depth"], &[0.25]);
    assert_near(&answers[6]["hit"]["way_out"], &[0.0, 0.25, 0.0]);
    assert_near(&answers[7]["center"], &[100_002.0, 2.0, 500_003.0]);
    assert_eq!(answers[7]["contacts"], json!([]));
    assert_near(&answers[8]["center"], &[100_003.0, 1.51, 500_002.0]);
    assert_near(&answers[8]["contacts"][0]["normal"], &[0.0, 1.0, 0.0]);
    assert_near(&answers[8]["contacts"][0]["point"].as_array().unwrap()[1], &[1.0]);
    // Down to the floor, and back up the rest of the metre, give or take the gap of 1 cm.
    let center = &answers[9]["center"];
    assert_near(&json!([center[0], center[2]]), &[100_002.0, 500_002.0]);
    let y = center[1].as_f64().unwrap();
    assert!((1.99..2.03).contains(&y), "{y}");
}

/// The names that scripts depend on, of every kind of answer that has something to say.
#[test]
fn answers_have_the_fields_of_the_contract() {
    let hit = ["distance", "face", "front", "material", "normal", "point", "triangle", "u", "v"];
    let contact = ["depth", "fraction", "material", "normal", "point", "triangle", "way_out"];
    let (above, down) = ([100_003.0, 2.0, 500_001.0], [0, -1, 0]);
    let cases: [(Value, &str, &[&str]); 7] = [
        (json!({"ray": {"origin": above, "direction": down}}), "/hit", &hit),
        (json!({"ray": {"origin": above, "direction": down, "mode": "all"}}), "/hits/0", &hit),
        (json!({"segment": {"from": above, "to": [100_003, 0, 500_001]}}), "", &["blocked", "distance"]),
        (json!({"sphere": {"center": above, "radius": 2}}), "", &["closest", "distance", "touches", "way_out"]),
        (json!({"sweep": {"center": above, "radius": 0.5, "displacement": down}}), "/hit", &contact),
        (json!({"slide": {"center": above, "radius": 0.5, "displacement": down}}), "", &["center", "contacts"]),
        (
            json!({"slide": {"center": above, "radius": 0.5, "displacement": down}}),
            "/contacts/0",
            &["normal", "point", "triangle"],
        ),
    ];
    let questions: Vec<Value> = cases.iter().map(|(question, ..)| question.clone()).collect();
    for ((question, place, names), answer) in cases.iter().zip(ask(&questions)) {
        let found = answer.pointer(place).and_then(Value::as_object).unwrap_or_else(|| panic!("{question}: {answer}"));
        assert!(names.iter().all(|&name| found.contains_key(name)), "{question}: {answer}");
    }
}

/// A ball on a flat floor is held up by (0, 1, 0), in which no zero is negative.
#[test]
fn zeros_have_no_sign() {
    let body = json!({"center": [2, 3, 1], "radius": 0.5, "displacement": [0, -3, 0]});
    let questions = format!("{}\n{}\n", json!({"sweep": body}), json!({"slide": body}));
    let session = ask_with("v 0 0 0\nv 4 0 0\nv 4 0 4\nf 1 3 2\n", &[], questions.as_bytes());
    for normal in [&session.answers[0]["hit"]["normal"], &session.answers[1]["contacts"][0]["normal"]] {
        assert_eq!(normal.to_string(), "[0.0,1.0,0.0]");
    }
}

/// Every option at its default says what leaving it out says, and so does null.
#[test]
fn options_have_their_defaults() {
    let point = json!([100_000.5, 2.6, 500_001.0]);
    let body = json!({"center": point, "radius": 0.3, "displacement": [0.2, -3, 0]});
    let ray = json!({"origin": point, "direction": [0, -1, 0]});
    let options = [
        ("ray", &ray, "max_distance", None),
        ("ray", &ray, "max_distance", Some(json!(1e300))),
        ("ray", &ray, "faces", None),
        ("ray", &ray, "faces", Some(json!("both"))),
        ("ray", &ray, "mode", None),
        ("ray", &ray, "mode", Some(json!("nearest"))),
        ("height", &json!({"point": point}), "which", None),
        ("height", &json!({"point": point}), "which", Some(json!("below"))),
        ("height", &json!({"point": point}), "snap", None),
        ("height", &json!({"point": point}), "snap", Some(json!(0))),
        ("sphere", &json!({"center": point, "radius": 0.3}), "all", None),
        ("sphere", &json!({"center": point, "radius": 0.3}), "all", Some(json!(false))),
        ("sweep", &body, "faces", None),
        ("sweep", &body, "faces", Some(json!("both"))),
        ("sweep", &body, "radius", Some(json!([0.3, 0.3, 0.3]))),
        ("slide", &body, "restitution", None),
        ("slide", &body, "radius", Some(json!([0.3, 0.3, 0.3]))),
    ];
    let questions = options.iter().flat_map(|(kind, body, name, value)| {
        let mut with = (*body).clone();
        with[*name] = value.clone().unwrap_or_default();
        [json!({*kind: body}), json!({*kind: with})]
    });
    for (answers, (kind, _, name, value)) in ask(&questions.collect::<Vec<_>>()).chunks(2).zip(options) {
        assert_eq!(answers[0], answers[1], "{kind} with {name} {value:?}");
        assert!(!answers[0].to_string().contains("null"), "{kind} says nothing: {}", answers[0]);
    }
}

/// The shelf is seen from above by its front, from below by its back.
#[test]
fn rays_and_sweeps_pass_the_sides_that_do_not_count() {
    let column = |y: f64, up: f64, faces: &str| {
        let point = [100_000.5, y, 500_001.0];
        [
            json!({"ray": {"origin": point, "direction": [0, up, 0], "faces": faces, "max_distance": 1}}),
            json!({"ray": {"origin": point, "direction": [0, up, 0], "faces": faces, "max_distance": 1, "mode": "any"}}),
            json!({"sweep": {"center": point, "radius": 0.2, "displacement": [0, up, 0], "faces": faces}}),
        ]
    };
    let cases =
        [(3.0, -1.0, "front", true), (3.0, -1.0, "back", false), (2.0, 1.0, "front", false), (2.0, 1.0, "back", true)];
    let questions: Vec<Value> = cases.iter().flat_map(|&(y, up, faces, _)| column(y, up, faces)).collect();
    for (answers, case) in ask(&questions).chunks(3).zip(cases) {
        let found = [answers[0]["hit"].is_object(), answers[1]["hit"] == true, answers[2]["hit"].is_object()];
        assert_eq!(found, [case.3; 3], "{case:?}");
    }
}

#[test]
fn limits_belong_to_the_question() {
    let ray = |limit: Value, mode: &str| json!({"ray": {"origin": [100_003, 3, 500_001], "direction": [0, -5, 0], "max_distance": limit, "mode": mode}});
    let answers = ask(&[
        ray(json!(2), "any"),
        ray(json!(1.999), "any"),
        ray(json!(2), "all"),
        ray(json!(1.999), "all"),
        json!({"segment": {"from": [100_003, 3, 500_001], "to": [100_003, 1, 500_001]}}),
        json!({"segment": {"from": [100_003, 1, 500_001], "to": [100_003, 1, 500_001]}}),
        json!({"ray": {"origin": [100_003, 1, 500_001], "direction": [0, 1, 0], "max_distance": 0}}),
        json!({"sphere": {"center": [100_003, 1.5, 500_001], "radius": 0.5}}),
        json!({"height": {"point": [100_000.5, 2.4375, 500_001], "snap": 0.0625}}),
        json!({"height": {"point": [100_000.5, 2.4375, 500_001], "snap": 0.0624}}),
    ]);
    assert_eq!(answers[0], json!({"hit": true}));
    assert_eq!(answers[1], json!({"hit": false}));
    assert_eq!(answers[2]["hits"].as_array().map(Vec::len), Some(1));
    assert_eq!(answers[3], json!({"hits": []}));
    assert_eq!(answers[4], json!({"blocked": true, "distance": 2.0}));
    assert_eq!(answers[5], json!({"blocked": true, "distance": 0.0}));
    assert_eq!(answers[6]["hit"]["distance"], json!(0.0));
    assert_eq!(answers[7]["touches"], json!(true));
    assert_eq!(answers[8], json!({"height": 2.5}));
    assert_eq!(answers[9], json!({"height": 1.0}));
}

/// Of any kind, also beside an error.
#[test]
fn ids_come_back_as_they_were() {
    let ids =
        [json!(null), json!(0), json!(-7), json!(u64::MAX), json!(0.1), json!("é\n"), json!([1, {"a": []}]), json!({})];
    let lines: String = ids
        .iter()
        .map(|id| {
            format!("{}\n{}\n", json!({"id": id, "height": {"point": [5, 5, 5]}}), json!({"height": 1, "id": id}))
        })
        .collect();
    let session = ask_with(ROOM, &[], lines.as_bytes());
    assert_eq!((session.answers.len(), session.code), (2 * ids.len(), Some(1)));
    for (id, answers) in ids.iter().zip(session.answers.chunks(2)) {
        assert_eq!(answers[0], json!({"id": id, "height": null}));
        assert_eq!((answers[1].get("id"), answers[1]["error"].is_string()), (Some(id), true));
    }
}

#[test]
fn heights_of_one_place_are_one_and_walls_have_none() {
    // Two floors as good as one, one clear of them, and a wall along the column.
    let obj = "v 0 1 0\nv 2 1 0\nv 0 1 2\nv 0 1.000005 0\nv 2 1.000005 0\nv 0 1.000005 2
v 0 1.001 0\nv 2 1.001 0\nv 0 1.001 2\nv 0.5 0 0.5\nv 0.5 3 0.5\nv 0.9 0 0.5\nf 1 3 2\nf 4 6 5\nf 7 9 8\nf 10 11 12\n";
    let session = ask_with(obj, &[], br#"{"height":{"point":[0.5,0,0.5],"which":"all"}}"#);
    let heights = &session.answers[0]["heights"];
    assert_eq!(heights.as_array().map(Vec::len), Some(2), "{heights}");
    assert_near(&heights[0], &[1.001]);
    assert_near(&heights[1], &[1.0]);
}

#[test]
fn a_question_without_an_answer_is_an_error_and_the_rest_go_on() {
    let lines: &[(&[u8], &str)] = &[
        (b"what?", "not JSON: expected value at column 1"),
        (b"\xff\xfe\x00\x01", "not JSON"),
        (b"[]", "a question is an object"),
        (b"{\"id\":3}", "no question"),
        (b"{\"beam\":{}}", "no question \"beam\""),
        (b"{\"ray\":{\"origin\":[0,0,0],\"direction\":[0,0,-0.0]}}", "ray: the direction is zero"),
        (b"{\"ray\":{\"origin\":[0,0,0],\"direction\":[0,1,0],\"max_distance\":-1}}", "ray: max_distance is negative"),
        (b"{\"ray\":{\"origin\":[0,0,0],\"direction\":[0,1,0],\"max_distance\":NaN}}", "not JSON"),
        (b"{\"ray\":{\"origin\":[1e300,0,0],\"direction\":[0,1,0]}}", "ray: the origin is not finite"),
        (b"{\"ray\":{\"origin\":[0,0,0],\"direction\":[0,1,0],\"faces\":\"top\"}}", "ray: unknown variant `top`"),
        (b"{\"ray\":{\"origin\":[0,0,0],\"direction\":[0,1,0],\"max\":1}}", "ray: unknown field `max`"),
        (b"{\"segment\":{\"from\":[0,0,0],\"to\":[0,1e300,0]}}", "segment: an end is too far away"),
        (b"{\"height\":{\"point\":[0,0,0],\"snap\":-0.1}}", "height: snap is negative"),
        (b"{\"height\":{\"point\":[0,1e300,0]}}", "height: point is too far away"),
        (b"{\"sphere\":{\"center\":[0,0,0],\"radius\":-1}}", "sphere: radius is negative"),
        (b"{\"sweep\":{\"center\":[0,0,0],\"radius\":[1,1],\"displacement\":[0,0,0]}}", "sweep: expected radius to be"),
        (b"{\"sweep\":{\"center\":[0,0,0],\"radius\":1e300,\"displacement\":[0,0,0]}}", "sweep: radius is too large"),
        (
            b"{\"slide\":{\"center\":[0,0,0],\"radius\":1,\"displacement\":[0,1e300,0]}}",
            "slide: displacement is too large",
        ),
        (
            b"{\"slide\":{\"center\":[0,0,0],\"radius\":1,\"displacement\":[0,0,0],\"restitution\":2}}",
            "slide: restitution",
        ),
    ];
    let mut questions = Vec::new();
    for (line, _) in lines {
        questions.extend_from_slice(line);
        questions.extend_from_slice(b"\n\r\n  \n{\"id\":\"next\",\"height\":{\"point\":[100003,2,500002]}}\r\n");
    }
    let session = ask_with(ROOM, &[], &questions);
    assert_eq!((session.answers.len(), session.code), (2 * lines.len(), Some(1)));
    for ((line, expected), answers) in lines.iter().zip(session.answers.chunks(2)) {
        let error = answers[0]["error"].as_str().unwrap_or_else(|| panic!("{:?}", answers[0]));
        assert!(error.starts_with(expected), "{}: {error}", String::from_utf8_lossy(line));
        assert_eq!(answers[1], json!({"id": "next", "height": 1.0}));
    }
    assert_eq!(session.answers[6]["id"], json!(3));
}

#[test]
fn a_very_long_line_is_one_error() {
    let mut questions = vec![b'x'; 20 << 20];
    questions.extend_from_slice(b"\n{\"height\":{\"point\":[100003,2,500002]}}");
    let session = ask_with(ROOM, &[], &questions);
    assert_eq!((session.answers.len(), session.code), (2, Some(1)));
    assert!(session.answers[0]["error"].as_str().unwrap().starts_with("the line is longer than"));
    assert_eq!(session.answers[1], json!({"height": 1.0}));
}

#[test]
fn decimals_of_the_file_come_back_as_they_were() {
    let obj = "v 64.1 0.7 0.3\nv 65.1 0.7 0.3\nv 64.1 0.7 1.3\nf 1 3 2\n";
    let questions = br#"{"height":{"point":[64.1,0.7,0.3]}}
        {"height":{"point":[64.1,0.7,0.3],"which":"above"}}
        {"ray":{"origin":[64.1,0.7,0.3],"direction":[0,1,0],"max_distance":0}}"#;
    let session = ask_with(obj, &[], questions);
    assert_eq!(session.answers[0], json!({"height": 0.7}));
    assert_eq!(session.answers[1], json!({"height": 0.7}));
    assert_eq!(session.answers[2]["hit"]["point"], json!([64.1, 0.7, 0.3]));
    assert_eq!(session.answers[2]["hit"]["distance"], json!(0.0));
}

#[test]
fn an_origin_far_from_the_level_is_not_rounded() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n";
    // f32 steps by 8 out there.
    let questions = br#"{"ray":{"origin":[100000003,100000003,0.25],"direction":[-1,-1,0]}}"#;
    let session = ask_with(obj, &[], questions);
    assert_near(&session.answers[0]["hit"]["point"], &[0.0, 0.0, 0.25]);
    let questions = br#"{"ray":{"origin":[100000003.25,100000003,0.25],"direction":[-1,-1,0]}}"#;
    let session = ask_with(obj, &[], questions);
    assert_near(&session.answers[0]["hit"]["point"], &[0.25, 0.0, 0.25]);
}

#[test]
fn scale_up_axis_and_hand_are_applied_to_the_level_and_not_to_the_questions() {
    let obj = "v 0 0 2\nv 10 0 2\nv 0 10 2\nf 1 2 3\n";
    let questions = br#"{"ray":{"origin":[0.1,5,-0.2],"direction":[0,-1,0]}}"#;
    let session = ask_with(obj, &["--up", "z", "--scale", "0.1"], questions);
    let hit = &session.answers[0]["hit"];
    assert_near(&hit["point"], &[0.1, 0.2, -0.2]);
    assert_eq!((&hit["front"], &hit["normal"]), (&json!(true), &json!([0.0, 1.0, 0.0])));
    let questions = br#"{"ray":{"origin":[0.1,5,0.2],"direction":[0,-1,0]}}"#;
    let session = ask_with(obj, &["--up", "z", "--scale", "0.1", "--handedness", "left"], questions);
    assert_eq!(session.answers[0]["hit"]["front"], json!(true));
}

/// A running program with a question answered.
fn conversation() -> (tempfile::TempDir, std::process::Child, BufReader<std::process::ChildStdout>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.obj");
    std::fs::write(&path, ROOM).unwrap();
    let mut program = Command::new(cargo_bin!("nodetree"))
        .arg("query")
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(program.stdout.take().unwrap());
    (folder, program, output)
}

const QUESTION: &[u8] = b"{\"height\":{\"point\":[100003,2,500002]}}\n";

#[test]
fn answers_come_while_the_input_is_open() {
    let (_folder, mut program, mut output) = conversation();
    let mut input = program.stdin.take().unwrap();
    for _ in 0..3 {
        input.write_all(QUESTION).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, "{\"height\":1.0}\n");
    }
    drop(input);
    assert_eq!(program.wait().unwrap().code(), Some(0));
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let (_folder, mut program, mut output) = conversation();
    let mut input = program.stdin.take().unwrap();
    input.write_all(QUESTION).unwrap();
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    // More than any pipe holds, so that the program meets the closed end.
    let more = QUESTION.repeat(100_000);
    let _ = input.write_all(&more);
    drop(input);
    assert_eq!(program.wait().unwrap().code(), Some(0));
}

#[test]
fn a_level_that_is_not_there_is_one_line() {
    let output = assert_cmd::Command::new(cargo_bin!("nodetree"))
        .args(["query", "no/such/level.obj"])
        .write_stdin(QUESTION)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len(), errors.lines().count()), (Some(1), 0, 1), "{errors}");
    assert!(errors.contains("no/such/level.obj"), "{errors}");
}
