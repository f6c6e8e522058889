//! Logits of every legal move of fixed positions, from a network of subnets, and the networks if a folder
//! with them is named.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;

use crate::vectors_dir;

/// A position, evaluated by Monty's policy and value networks of April 2024.
#[derive(Clone, Debug)]
pub struct Row {
    /// the position
    pub fen: String,
    /// the value, in hundredths of a pawn, for the side to move
    pub value: i32,
    /// every legal move
    pub moves: Vec<Logit>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct Logit {
    /// UCI notation
    pub uci: String,
    /// its logit
    pub logit: f32,
    /// the logit if the static exchange is good
    pub with_exchange: f32,
}

/// All positions.
///
/// # Panics
///
/// If the table cannot be read.
pub fn table() -> Vec<Row> {
    let path = vectors_dir().join("policy/monty-policy004.tsv.gz");
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines().skip(1);
    lines
        .map(|line| row(&line.expect("the table can be read")).expect("a line of the table"))
        .collect()
}

fn row(line: &str) -> Option<Row> {
    let [fen, value, moves] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let moves = moves.split_whitespace().map(logit).collect::<Option<_>>()?;
    Some(Row {
        fen: fen.to_owned(),
        value: value.parse().ok()?,
        moves,
    })
}

fn logit(text: &str) -> Option<Logit> {
    let [uci, logit, with_exchange] = text.split(':').collect::<Vec<_>>().try_into().ok()?;
    let float = |bits| u32::from_str_radix(bits, 16).ok().map(f32::from_bits);
    Some(Logit {
        uci: uci.to_owned(),
        logit: float(logit)?,
        with_exchange: float(with_exchange)?,
    })
}

/// The bytes of the network `name`, if the environment variable `NNUE_MONTY_NETS` names its folder.
///
/// # Panics
///
/// If the folder does not contain it.
pub fn network(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("NNUE_MONTY_NETS").map(PathBuf::from) else {
        eprintln!("not run: NNUE_MONTY_NETS names no folder with {name}");
        return None;
    };
    let path = folder.join(name);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_can_be_read() {
        let rows = super::table();
        assert_eq!(rows.len(), 120);
        assert!(
            rows.iter()
                .any(|row| row.moves.iter().any(|logit| logit.uci.len() == 5)),
            "there are promotions"
        );
    }
}
