//! Prints an object of JSON for each position.

use std::io::{self, Write};

use nnue::{Color, Position};
use serde_json::{Map, Value, json};

use crate::input::games::Game;
use crate::input::{Given, Placement};
use crate::network::{Evaluator, Inner, Ply, Verdict};

pub(super) fn position(
    given: &Given,
    network: &dyn Evaluator,
    out: &mut dyn Write,
) -> io::Result<()> {
    let trace = network.trace(&given.position);
    let mut object = evaluation(&given.position, trace.used());
    object.insert("fen".into(), given.fen.as_str().into());
    let buckets = trace.buckets.iter().map(|verdict| parts(*verdict));
    object.insert("buckets".into(), buckets.collect());
    let outputs = network.outputs(&given.position).into_iter();
    let outputs: Map<String, Value> = outputs
        .map(|(name, numbers)| (name.to_owned(), json!(numbers)))
        .collect();
    object.insert("outputs".into(), outputs.into());
    writeln!(out, "{}", Value::Object(object))
}

pub(super) fn ply(game: &Game, ply: &Ply, out: &mut dyn Write) -> io::Result<()> {
    let mut object = evaluation(&ply.board, ply.verdict);
    object.insert("game".into(), game.id.as_str().into());
    object.insert("ply".into(), ply.number.into());
    writeln!(out, "{}", Value::Object(object))
}

/// What is said about a position: the parts, the bucket, the side to move, the number of pieces.
fn evaluation(position: &Placement, verdict: Verdict) -> Map<String, Value> {
    let mut object = match parts(verdict) {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    let side = match position.side_to_move() {
        Color::White => "white",
        Color::Black => "black",
    };
    object.insert("bucket".into(), verdict.evaluation.bucket.into());
    object.insert("side_to_move".into(), side.into());
    let pieces = position.occupied().count_ones();
    object.insert("pieces".into(), pieces.into());
    object
}

/// The value and its parts. `output` is a float before it becomes a value, `raw_sum` a sum that is added to it.
fn parts(verdict: Verdict) -> Value {
    let nnue::Evaluation {
        psqt,
        positional,
        value,
        ..
    } = verdict.evaluation;
    let mut object = json!({ "psqt": psqt, "positional": positional, "value": value });
    match verdict.inner {
        Inner::Hidden => {}
        Inner::Sum(sum) => object["raw_sum"] = sum.into(),
        Inner::Float(output) => object["output"] = json!(output),
    }
    object
}
