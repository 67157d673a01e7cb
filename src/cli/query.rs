//! `nodetree query`: questions as JSON Lines in, answers as JSON Lines out.

mod answer;
mod lines;
mod question;

use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;

use anyhow::Context;
use nodetree::level::Level;
use nodetree::tree::Tree;
use serde::Serialize;
use serde_json::Value;

use super::open::LevelArgs;
use answer::{Answer, Responder};
use lines::{Line, Lines};
use question::parse;

/// The shapes of questions and answers.
const SHAPES: &str = "\
Questions, one JSON object a line (? may be left away; an \"id\" comes back with the answer):
  {\"ray\":{\"origin\":[X,Y,Z],\"direction\":[X,Y,Z],\"max_distance\"?:D,\"faces\"?:\"both|front|back\",\"mode\"?:\"nearest|any|all\"}}
  {\"segment\":{\"from\":[X,Y,Z],\"to\":[X,Y,Z]}}
  {\"height\":{\"point\":[X,Y,Z],\"which\"?:\"below|above|closest|all\",\"snap\"?:D}}
  {\"sphere\":{\"center\":[X,Y,Z],\"radius\":R,\"all\"?:true}}
  {\"sweep\":{\"center\":[X,Y,Z],\"radius\":R or [X,Y,Z],\"displacement\":[X,Y,Z],\"faces\"?:\"both|front|back\"}}
  {\"slide\":{\"center\":[X,Y,Z],\"radius\":R or [X,Y,Z],\"displacement\":[X,Y,Z],\"restitution\"?:E}}
Each gets a line: a \"hit\" (null for none) or \"hits\", \"blocked\", \"height\", and so on; {\"error\":\"…\"} for one that can't be answered,
and the exit code is then 1. Example:
  $ echo '{\"height\":{\"point\":[0,50,10]}}' | nodetree query builtin:castle
  {\"height\":-0.047838032}";

#[derive(clap::Args)]
#[command(after_help = SHAPES)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (level, mut scene) = args.level.open_scene()?;
    let (level, solid) = if scene.props().is_empty() { (level, None) } else { (Level::default(), Some(scene.solid())) };
    let level = solid.as_ref().map_or(&level, |solid| &solid.level);
    let tree = Tree::build(level, &args.level.tree_settings(level));
    let owner = |triangle: u32| Some(scene.get(solid.as_ref()?.owner(triangle)?)?.name());
    let responder = Responder::new(level, &tree, &owner);
    let all_answered = converse(responder, io::stdin().lock(), io::stdout().lock())?;
    Ok(if all_answered { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// An answer as it is written.
#[derive(Serialize)]
struct Reply<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    answer: Answer<'a>,
}

/// Answers each line of `input` on a line of `output`, in order, and flushes whenever the input pauses. Whether every
/// question could be answered.
fn converse(mut responder: Responder<'_>, input: impl Read, output: impl Write) -> anyhow::Result<bool> {
    let mut lines = Lines::new(input);
    let mut output = BufWriter::new(output);
    let mut all_answered = true;
    loop {
        if lines.would_wait() {
            output.flush()?;
        }
        let (id, answer) = match lines.next().context("cannot read the questions")? {
            Line::Partial => continue,
            Line::End => break,
            Line::TooLong => (None, Err(anyhow::anyhow!("the line is longer than {} bytes", lines::LONGEST))),
            Line::Whole(text) if text.trim_ascii().is_empty() => continue,
            Line::Whole(text) => {
                let (id, question) = parse(text);
                (id, question.and_then(|question| responder.answer(&question)))
            }
        };
        let answer = answer.unwrap_or_else(|error| {
            all_answered = false;
            Answer::Error { error: format!("{error:#}") }
        });
        serde_json::to_writer(&mut output, &Reply { id, answer })?;
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(all_answered)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use nodetree::level::{LevelBuilder, Placement};
    use nodetree::tree::{Mode, Settings};

    fn empty() -> (Level, Tree) {
        let level = LevelBuilder::new(Placement::default()).finish("nothing", None);
        let tree = Tree::build(&level, &Settings::new(Mode::Octree));
        (level, tree)
    }

    /// Gives its pieces one a read, and notes how much had been written before each.
    struct Pieces {
        left: Vec<&'static [u8]>,
        written: Rc<RefCell<Vec<u8>>>,
        before: Rc<RefCell<Vec<usize>>>,
    }

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.before.borrow_mut().push(self.written.borrow().iter().filter(|&&byte| byte == b'\n').count());
            let Some(piece) = self.left.pop() else { return Ok(0) };
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    struct Shared(Rc<RefCell<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn answers_are_out_before_the_program_waits() {
        let (level, tree) = empty();
        let question: &[u8] = b"{\"height\":{\"point\":[0,0,0]}}\n";
        let (written, before) = <(Rc<RefCell<Vec<u8>>>, Rc<RefCell<Vec<usize>>>)>::default();
        let left = vec![b"{\"height\":{\"poi", question, question];
        let input = Pieces { left, written: written.clone(), before: before.clone() };
        let all_answered = converse(Responder::new(&level, &tree, &|_| None), input, Shared(written.clone())).unwrap();
        assert_eq!(before.borrow()[..4], [0, 1, 2, 2]);
        let written = String::from_utf8(written.borrow().clone()).unwrap();
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!(lines[..2], ["{\"height\":null}"; 2]);
        assert!(lines.len() == 3 && lines[2].starts_with("{\"error\":"), "{written}");
        assert!(!all_answered);
    }

    #[test]
    fn an_empty_level_answers_nothing_there() {
        let (level, tree) = empty();
        let ask = |question: &str| {
            let mut written = Vec::new();
            assert!(converse(Responder::new(&level, &tree, &|_| None), question.as_bytes(), &mut written).unwrap());
            serde_json::from_slice::<Value>(&written).unwrap()
        };
        let sphere = ask(r#"{"sphere":{"center":[0,0,0],"radius":1,"all":true},"id":[7]}"#);
        let nothing = serde_json::json!({"id": [7], "touches": false, "closest": null, "distance": null, "way_out": null,
            "triangles": []});
        assert_eq!(sphere, nothing);
        let slide = ask(r#"{"slide":{"center":[0,1,0],"radius":1,"displacement":[3,0,0]}}"#);
        assert_eq!(slide, serde_json::json!({"center": [3.0, 1.0, 0.0], "contacts": []}));
        assert_eq!(ask(r#"{"sweep":{"center":[0,1,0],"radius":1,"displacement":[3,0,0]}}"#)["hit"], Value::Null);
        assert_eq!(ask(r#"{"segment":{"from":[0,1,0],"to":[3,0,0]}}"#), serde_json::json!({"blocked": false}));
    }
}
