//! Feature transformer weights as boards: one for each piece, a line of them for each neuron and square of
//! the own king.
//!
//! ```text
//!                       own pawn  own knight  ..  own king   enemy pawn  ..  enemy king
//!   neuron 7, king g1   ┌────┐    ┌────┐          ┌────┐     ┌────┐          ┌────┐
//!                       └────┘    └────┘          └────┘     └────┘          └────┘
//!   neuron 7, king c1   ..
//! ```

use nnue_spec::{TensorRef, TensorRole};

use crate::plot::board::{Board, Style, legend, name};
use crate::plot::drawing::{Drawing, Label};
use crate::plot::network::{Network, PlotError};
use crate::plot::rows::{Rows, STANDINGS, Seen};

/// Size of a square, and distance between boards, in pixels.
const SQUARE: f64 = 12.0;
const GAP: f64 = 10.0;
/// Width of the name of a line, in pixels.
const LEFT: f64 = 130.0;
/// Height above the boards of a sheet, in pixels.
const TOP: f64 = 34.0;

/// A column of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// a neuron of the accumulator
    Neuron(usize),
    /// a neuron of the second perspective, if that has separate weights
    Second(usize),
    /// a PSQT output
    Psqt(usize),
}

/// A line of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// the column that is shown
    pub column: Column,
    /// the square of the own king, from its side's point of view
    pub king: usize,
    /// index in [`STANDINGS`]; 0 if the set does not distinguish them
    pub standing: usize,
}

/// The value of the full colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// the greatest magnitude on the sheet
    Sheet,
    /// the greatest magnitude on the line
    Line,
    /// the greatest magnitude on the board after subtracting its mean, which stands above it, so that squares
    /// can be compared where all weights are large
    Board,
}

impl Column {
    fn name(self) -> String {
        match self {
            Self::Neuron(index) => format!("neuron {index}"),
            Self::Second(index) => format!("second neuron {index}"),
            Self::Psqt(index) => format!("PSQT output {index}"),
        }
    }

    /// The tensor, its number of columns, and the index of this column.
    fn place<'n>(
        self,
        network: &Network<'n>,
        set: usize,
    ) -> Result<(TensorRef<'n>, usize, usize), PlotError> {
        let accumulator = network.desc.accumulator;
        let (role, what, index, count) = match self {
            Self::Neuron(index) => (
                TensorRole::weight_of(set),
                "neuron",
                index,
                accumulator.width,
            ),
            Self::Second(index) if accumulator.separate => {
                (TensorRole::SecondWeight, "neuron", index, accumulator.width)
            }
            Self::Second(_) => {
                return Err(PlotError::NotSeparate {
                    network: network.desc.name.to_owned(),
                });
            }
            Self::Psqt(index) => (
                TensorRole::psqt_of(set),
                "PSQT output",
                index,
                accumulator.psqt,
            ),
        };
        let missing = PlotError::Missing { what, index, count };
        let tensor = network
            .tensor(role)
            .filter(|_| index < count)
            .ok_or(missing)?;
        Ok((tensor, count, index))
    }
}

/// The boards of a line: own pawn to own king, then the enemy's, without pieces that have no rows.
///
/// # Errors
///
/// If the network has no such weights, or its rows are not pieces on squares.
pub fn boards(network: &Network<'_>, line: Line) -> Result<Vec<Board>, PlotError> {
    let rows = Rows::new(network.desc)?;
    if line.standing >= rows.standings() {
        let count = rows.standings();
        return Err(PlotError::Missing {
            what: "way to stand",
            index: line.standing,
            count,
        });
    }
    if line.king >= 64 {
        return Err(PlotError::Missing {
            what: "square",
            index: line.king,
            count: 64,
        });
    }
    let (tensor, columns, column) = line.column.place(network, rows.index())?;
    let board = |piece: Seen| {
        let number = |square| {
            let row = rows.row(line.king, piece, square, line.standing)?;
            Some(f64::from(tensor.get(row * columns + column)))
        };
        let squares = std::array::from_fn(number);
        Board {
            squares,
            marked: Some(line.king),
            ..Board::new(piece.name())
        }
    };
    let has_rows = |board: &Board| board.squares.iter().any(Option::is_some);
    Ok(Seen::all().map(board).filter(has_rows).collect())
}

/// Lines of boards one below the other.
///
/// # Errors
///
/// As [`boards`].
pub fn sheet(
    network: &Network<'_>,
    title: &str,
    lines: &[Line],
    scale: Scale,
) -> Result<Drawing, PlotError> {
    let rows = Rows::new(network.desc)?;
    let mut boards: Vec<Vec<Board>> = lines
        .iter()
        .map(|&line| boards(network, line))
        .collect::<Result<_, _>>()?;
    if scale == Scale::Board {
        boards
            .iter_mut()
            .flatten()
            .for_each(|board| *board = board.around_mean());
    }
    let greatest = |boards: &[Board]| boards.iter().map(Board::greatest).fold(0.0, f64::max);
    let of_all = boards
        .iter()
        .map(|boards| greatest(boards))
        .fold(0.0, f64::max);
    let width = boards.iter().map(Vec::len).max().unwrap_or(0) as f64 * (8.0 * SQUARE + GAP);
    let (height, below) = (
        8.0 * SQUARE + GAP + 16.0,
        if scale == Scale::Sheet { 36.0 } else { 0.0 },
    );
    let mut sheet = Drawing::new(LEFT + width, TOP + height * lines.len() as f64 + below);
    sheet.label(Label {
        bold: true,
        ..Label::new((0.0, 18.0), title)
    });
    for (index, (line, boards)) in lines.iter().zip(&boards).enumerate() {
        let y = TOP + height * index as f64;
        let of_line = if scale == Scale::Sheet {
            of_all
        } else {
            greatest(boards)
        };
        names(
            &mut sheet,
            &rows,
            *line,
            (scale == Scale::Line).then_some(of_line),
            y,
        );
        for (place, board) in boards.iter().enumerate() {
            let limit = if scale == Scale::Board {
                board.greatest()
            } else {
                of_line
            };
            let style = Style {
                square: SQUARE,
                limit: if limit > 0.0 { limit } else { 1.0 },
                numbers: false,
            };
            sheet.put(
                &board.draw(style),
                (LEFT + (8.0 * SQUARE + GAP) * place as f64, y),
            );
        }
    }
    if scale == Scale::Sheet {
        sheet.put(
            &legend(of_all, ""),
            (LEFT - 30.0, TOP + height * lines.len() as f64),
        );
    }
    Ok(sheet)
}

/// The text beside a line.
fn names(sheet: &mut Drawing, rows: &Rows<'_>, line: Line, limit: Option<f64>, y: f64) {
    let mirrored = if rows.is_mirrored(line.king) {
        ", mirrored"
    } else {
        ""
    };
    let mut names = vec![
        line.column.name(),
        format!("own king {}", name(line.king)),
        format!("bucket {}{mirrored}", rows.bucket(line.king)),
    ];
    if rows.standings() > 1 {
        names.push(STANDINGS[line.standing].to_owned());
    }
    if let Some(limit) = limit {
        names.push(format!("±{limit}"));
    }
    for (index, text) in names.iter().enumerate() {
        sheet.label(Label {
            size: 11.0,
            bold: index == 0,
            ..Label::new((0.0, y + 28.0 + 14.0 * index as f64), text)
        });
    }
}

/// The neurons with the greatest sum of magnitudes of the first feature set's weights, the greatest first.
pub fn strongest(network: &Network<'_>, count: usize) -> Vec<usize> {
    let width = network.desc.accumulator.width;
    let mut sums = vec![0_u64; width];
    match network.tensor(TensorRole::TransformerWeight) {
        Some(TensorRef::I8(values)) => add(&mut sums, values),
        Some(TensorRef::I16(values)) => add(&mut sums, values),
        _ => {}
    }
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by_key(|&neuron| (std::cmp::Reverse(sums[neuron]), neuron));
    order.truncate(count);
    order
}

fn add<T: Copy + Into<i64>>(sums: &mut [u64], values: &[T]) {
    for row in values.chunks_exact(sums.len()) {
        sums.iter_mut()
            .zip(row)
            .for_each(|(sum, &value)| *sum += value.into().unsigned_abs());
    }
}

/// The king bucket of each square of the own king, with `m` where the board is mirrored.
///
/// # Errors
///
/// If rows are not pieces on squares.
pub fn buckets(network: &Network<'_>) -> Result<Drawing, PlotError> {
    let rows = Rows::new(network.desc)?;
    let set = network.desc.set_name(rows.set());
    let mut board = Board::new(format!(
        "{set}: buckets of the own king's square, m: mirrored"
    ));
    let count = (0..64).map(|king| rows.bucket(king)).max().unwrap_or(0) + 1;
    for king in 0..64 {
        let mark = if rows.is_mirrored(king) { "m" } else { "" };
        board
            .texts
            .push((format!("{}{mark}", rows.bucket(king)), king));
        board.squares[king] = Some(rows.bucket(king) as f64);
    }
    Ok(board.draw(Style {
        square: 44.0,
        limit: 2.0 * count as f64,
        numbers: false,
    }))
}
