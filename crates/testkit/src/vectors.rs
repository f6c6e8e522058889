//! The vectors: values of released engines for the positions and games in `tests/vectors`.

use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;

use crate::vectors_dir;

/// One position of the suite, evaluated by one network. Numbers are raw: before the division by 16.
#[derive(Clone, Debug)]
pub struct SuiteRow {
    /// the position
    pub fen: String,
    /// pieces on the board, kings included
    pub pieces: usize,
    /// selected bucket
    pub bucket: usize,
    /// PSQT part of that bucket
    pub psqt: i32,
    /// positional part of that bucket
    pub positional: i32,
    /// side to move minus other side, before halving; eight values, all zero for a network without PSQT
    /// outputs
    pub all_psqt_diff: Vec<i32>,
    /// the same, halved
    pub all_psqt: Vec<i32>,
    /// the positional part of every stack
    pub all_positional: Vec<i32>,
}

/// One ply of a game, evaluated by one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// number of the game
    pub game: usize,
    /// plies played so far
    pub ply: usize,
    /// pieces on the board
    pub pieces: usize,
    /// selected bucket
    pub bucket: usize,
    /// PSQT part
    pub psqt: i32,
    /// positional part
    pub positional: i32,
}

/// The positions, evaluated by `net` (`syn-v5`, `stress-v1`, `real-nn-...`).
///
/// # Panics
///
/// If there are no such vectors or they cannot be read.
pub fn suite(net: &str) -> Vec<SuiteRow> {
    rows("suite", net)
        .iter()
        .map(|line| suite_row(&line.split('\t').collect::<Vec<_>>()))
        .collect()
}

/// The games, evaluated by `net`.
///
/// # Panics
///
/// If there are no such vectors or they cannot be read.
pub fn games(net: &str) -> Vec<GameRow> {
    rows("games", net)
        .iter()
        .map(|line| game_row(&numbers(line, '\t')))
        .collect()
}

fn suite_row(columns: &[&str]) -> SuiteRow {
    let [
        fen,
        _stm,
        pieces,
        bucket,
        _psqt_out,
        _positional_out,
        psqt,
        positional,
        diff,
        all_psqt,
        all_positional,
    ] = *columns
    else {
        panic!("{} columns instead of 11: {columns:?}", columns.len());
    };
    SuiteRow {
        fen: fen.to_owned(),
        pieces: number(pieces) as usize,
        bucket: number(bucket) as usize,
        psqt: number(psqt),
        positional: number(positional),
        all_psqt_diff: numbers(diff, ','),
        all_psqt: numbers(all_psqt, ','),
        all_positional: numbers(all_positional, ','),
    }
}

fn game_row(columns: &[i32]) -> GameRow {
    let [game, ply, pieces, bucket, psqt, positional] = *columns else {
        panic!("{} columns instead of 6: {columns:?}", columns.len());
    };
    let [game, ply, pieces, bucket] = [game, ply, pieces, bucket].map(|value| value as usize);
    GameRow {
        game,
        ply,
        pieces,
        bucket,
        psqt,
        positional,
    }
}

/// The lines after the header line.
fn rows(folder: &str, net: &str) -> Vec<String> {
    let path = vectors_dir().join(folder).join(format!("{net}.tsv.gz"));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines().skip(1);
    lines
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn numbers(text: &str, separator: char) -> Vec<i32> {
    text.split(separator).map(number).collect()
}

fn number(text: &str) -> i32 {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_vectors_can_be_read() {
        for net in ["syn-v1", "syn-v5", "stress-v9s", "real-nn-1c0000000000"] {
            let rows = suite(net);
            assert_eq!(rows.len(), 325, "{net}");
            assert!(
                rows.iter()
                    .all(|row| row.all_positional[row.bucket] == row.positional),
                "{net}"
            );
        }
        let rows = games("syn-v7");
        assert_eq!(rows.len(), 3297);
        assert_eq!(
            rows[0],
            GameRow {
                ply: 0,
                game: 0,
                pieces: 32,
                bucket: 7,
                ..rows[0]
            }
        );
    }
}
