//! Positions that the reference interpreter evaluates: boards, or lists of rows.

use std::path::Path;

#[cfg(feature = "graphs")]
use nnue::dynamic::{Computed, Network, RowsStack, Stack};
use nnue_spec::NetDesc;
use nnue_spec::reference::{Features, Position};
use nnue_spec::rows::RowSets;

use super::{Given, Placement, each_line, positions, suite};
use crate::error::Error;
use crate::network::Declared;

/// A position, in little memory.
#[derive(Clone)]
pub(crate) struct Sample {
    /// as the user wrote it; lists as `nnue eval --rows` prints them
    pub(crate) text: String,
    /// the board; without one the text is lists of rows
    board: Option<Placement>,
}

impl Sample {
    pub(crate) fn of_rows(rows: &RowSets) -> Self {
        Self {
            text: rows.to_string(),
            board: None,
        }
    }

    /// The results of the kernels for the position.
    #[cfg(feature = "graphs")]
    pub(crate) fn computed(&self, network: &Network) -> Computed {
        match (&self.board, RowsStack::new(network)) {
            (None, Some(mut stack)) => {
                stack.set_text(&self.text).expect("the rows were checked");
                stack.computed(network)
            }
            (board, _) => network.computed(&board.expect("a board of chess"), &mut Stack::new()),
        }
    }
}

impl From<Given> for Sample {
    fn from(given: Given) -> Self {
        Self {
            text: given.fen,
            board: Some(given.position),
        }
    }
}

impl Position for Sample {
    fn features(&self, net: &NetDesc<'_>) -> Features {
        match (&self.board, net.rows_shape()) {
            (None, Some(shape)) => {
                let mut rows = RowSets::new(&shape);
                rows.set_text(&self.text).expect("the rows were checked");
                rows.features(net)
            }
            (board, _) => board.expect("a board of chess").plain().features(net),
        }
    }
}

/// Positions, and a name for where they are from.
pub(crate) struct Samples<'a> {
    pub(crate) positions: Box<dyn Iterator<Item = Result<Sample, Error>> + 'a>,
    pub(crate) source: String,
}

/// The files in which an option names positions.
#[derive(Clone, Copy)]
pub(crate) struct SampleFiles<'a> {
    /// the option of boards, and its file
    pub(crate) boards: (&'static str, Option<&'a Path>),
    /// the file of `--rows`
    pub(crate) rows: Option<&'a Path>,
}

/// The positions of the file; without one those of the built-in suite, or none if they are lists of rows.
///
/// Positions of the other kind are an error, and so are networks with code of a program.
pub(crate) fn samples<'a>(net: &NetDesc<'_>, files: SampleFiles<'a>) -> Result<Samples<'a>, Error> {
    Declared::require_no_code(net)?;
    let SampleFiles {
        boards: (option, boards),
        rows,
    } = files;
    let refuse = |message| Err(Error::Argument(message));
    let name = net.name;
    let source = |path: &Path| path.display().to_string();
    Ok(match (net.rows_shape(), boards, rows) {
        (Some(_), Some(_), _) => {
            return refuse(format!(
                "{option}: positions of `{name}` are lists of rows, which --rows FILE names"
            ));
        }
        (None, _, Some(_)) => {
            return refuse(format!(
                "--rows: positions of `{name}` are boards of chess, which {option} FILE names"
            ));
        }
        (Some(shape), None, Some(path)) => {
            let mut lists = Vec::new();
            each_line(&shape, path, |_, rows| {
                lists.push(Ok(Sample::of_rows(rows)));
            })?;
            Samples {
                positions: Box::new(lists.into_iter()),
                source: source(path),
            }
        }
        (Some(_), None, None) => Samples {
            positions: Box::new(std::iter::empty()),
            source: "they are lists of rows, which --rows FILE names".to_owned(),
        },
        (None, Some(path), None) => Samples {
            positions: Box::new(positions(&[], Some(path))?.map(|given| given.map(Sample::from))),
            source: source(path),
        },
        (None, None, None) => Samples {
            positions: Box::new(suite().map(|given| Ok(given.into()))),
            source: "the built-in suite".to_owned(),
        },
    })
}
