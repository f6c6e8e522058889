//! Writes what another network says of moves, for a network that shall learn to say the same:
//! `cargo run --release -p nnue-train --example distil -- POSITIONS.binpack chess-policy004.bin OUT.policy [EVERY]`.
//!
//! The other network is the policy of Monty of April 2024 (MIT; `resources/chess-policy004.bin` of its repository at commit d0d9ae4): a small network
//! for each square of origin and for each target, whose dot product is the logit of a move.
//!
//! ```text
//!   128 x (768 x 8 weights, 8 biases), 6 numbers; all f32          networks 0..63 of origins, 64..127 of targets
//!   h[k] = max(0, bias[k] + sum of weight[feature][k])             features 384 * enemy + 64 * kind + square, seen by the mover
//!   logit = sum over k of h_origin[k] * h_target[k] + number of the promotion + number 5
//! ```
//!
//! Of every position (or one in EVERY) it writes the legal moves with a million times their probabilities as visits.
//! `nnue train examples/nets/distilled.toml` learns them.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use nnue_data::policy::{PolicyRecord, Writer};
use nnue_data::{Color, File as Column, Move, MoveKind, Piece, Position, Square, binpack};

/// Numbers of a small network: weights and biases.
const SMALL: usize = 768 * 8 + 8;

struct Teacher(Vec<f32>);

impl Teacher {
    fn read(path: &str) -> Result<Self, Box<dyn Error>> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let expected = 4 * (128 * SMALL + 6);
        if bytes.len() != expected {
            return Err(format!(
                "{path}: {} bytes, where the policy has {expected}",
                bytes.len()
            )
            .into());
        }
        Ok(Self(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&number| f32::from_le_bytes(number))
                .collect(),
        ))
    }

    /// What small network `number` says of the active features.
    fn hidden(&self, number: usize, features: &[usize]) -> [f32; 8] {
        let (weights, biases) = self.0[number * SMALL..][..SMALL].split_at(768 * 8);
        let mut sums = [0.0; 8];
        sums.copy_from_slice(biases);
        for feature in features {
            sums.iter_mut()
                .zip(&weights[8 * feature..][..8])
                .for_each(|(sum, weight)| *sum += weight);
        }
        sums.map(|sum: f32| sum.max(0.0))
    }

    /// The logits of the moves of a position, in their order.
    fn logits(&self, position: &Position, moves: &[Move]) -> Vec<f32> {
        let (features, numbers) = (features(position), &self.0[128 * SMALL..]);
        let seen = |square: Square| seen(square, position.side_to_move());
        let logit = |mv: &Move| {
            let [origin, target] =
                [seen(mv.from), 64 + seen(target(mv))].map(|number| self.hidden(number, &features));
            let dot = origin
                .iter()
                .zip(target)
                .fold(0.0, |sum, (x, y)| sum + x * y);
            let promotion = match mv.kind {
                MoveKind::Promotion(piece) => numbers[piece as usize - Piece::Knight as usize],
                _ => 0.0,
            };
            dot + promotion + numbers[5]
        };
        moves.iter().map(logit).collect()
    }
}

/// A square as the side to move sees it.
fn seen(square: Square, mover: Color) -> usize {
    square as usize ^ if mover == Color::White { 0 } else { 56 }
}

/// Where a piece goes; of a castling the king.
fn target(mv: &Move) -> Square {
    match mv.kind {
        MoveKind::Castling => {
            let file = if mv.to.file() > mv.from.file() {
                Column::G
            } else {
                Column::C
            };
            Square::new(file, mv.to.rank())
        }
        _ => mv.to,
    }
}

fn features(position: &Position) -> Vec<usize> {
    let mover = position.side_to_move();
    let mut features = Vec::with_capacity(32);
    for (enemy, color) in [mover, !mover].into_iter().enumerate() {
        for piece in Piece::ALL {
            let squares = position.colored(color, piece).iter();
            features.extend(
                squares.map(|square| 384 * enemy + 64 * piece as usize + seen(square, mover)),
            );
        }
    }
    features.sort_unstable();
    features
}

/// A million times the probabilities.
fn visits(logits: &[f32]) -> impl Iterator<Item = u32> {
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let shares: Vec<f64> = logits
        .iter()
        .map(|logit| f64::from(logit - greatest).exp())
        .collect();
    let all: f64 = shares.iter().sum();
    shares
        .into_iter()
        .map(move |share| (1e6 * share / all).round() as u32)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [positions, policy, output, more @ ..] = arguments.as_slice() else {
        return Err(
            "three files are needed: positions, the policy of Monty, and what is written".into(),
        );
    };
    let every: usize = more.first().map_or(Ok(1), |every| every.parse())?;
    let teacher = Teacher::read(policy)?;
    let mut writer = Writer::new(BufWriter::new(File::create(output)?));
    let (mut count, mut agree) = (0_u64, 0_u64);
    let records = binpack::Reader::new(File::open(positions)?);
    for record in records.step_by(every.max(1)) {
        let record = record?;
        let Some(moves) = record
            .position
            .legal_moves()
            .filter(|moves| !moves.is_empty())
        else {
            continue;
        };
        if record.score().is_none() {
            continue;
        }
        let logits = teacher.logits(&record.position, &moves);
        let best = (0..moves.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
        agree += u64::from(best.map(|best| moves[best]) == record.mv);
        count += 1;
        let visits = moves.into_iter().zip(visits(&logits)).collect();
        writer.write(&PolicyRecord {
            record,
            visits,
            left: None,
        })?;
    }
    writer.finish()?.flush()?;
    println!(
        "{count} positions; in {:.1} % of them the policy has the move of the data first",
        100.0 * agree as f64 / count as f64
    );
    Ok(())
}
