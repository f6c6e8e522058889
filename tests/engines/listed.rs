//! Networks of shogi and xiangqi, whose rules are not here: the active rows and the stack of a position are those that the engine listed.

use std::str::FromStr;

use nnue::game::{Architecture, ChangedRows, Inputs, Rows};
use nnue::{Color, Level, Network, nnue};
use nnue_testkit::engines::file;

use crate::vectors::{assert_cuts_are_refused, assert_written_back, table};

include!("../../crates/tools/src/search/declared_containers.rs");

/// What the engine listed of a position.
pub struct Listed {
    /// the rows of the side to move and of the other
    rows: [Vec<u32>; 2],
    stack: usize,
}

/// A text that lists no position.
#[derive(Debug)]
pub struct Malformed;

impl FromStr for Listed {
    type Err = Malformed;

    /// Reads the stack and both lists: `11 | 3 17 40 | 8 12`.
    fn from_str(text: &str) -> Result<Self, Malformed> {
        let parts: Vec<_> = text.split('|').collect();
        let [stack, own, other] = parts[..].try_into().map_err(|_| Malformed)?;
        let list = |text: &str| {
            let numbers = text.split_whitespace().map(|number| number.parse::<u32>());
            numbers.collect::<Result<Vec<_>, _>>()
        };
        let [own, other] = [own, other].map(list);
        Ok(Self {
            rows: [own.map_err(|_| Malformed)?, other.map_err(|_| Malformed)?],
            stack: stack.trim().parse().map_err(|_| Malformed)?,
        })
    }
}

/// The stack of a position.
pub fn by_stack(position: &Listed) -> usize {
    position.stack
}

/// A set of `N` rows.
pub struct Set<const N: usize>;

/// Pieces in 24 king buckets, then threats.
pub type Xiangqi = Set<62083>;

/// Pieces on the board and in hand, by the own king's square.
pub type HalfKaHm2 = Set<73305>;

/// Pieces on the board and in hand, then both kings again.
pub type KingAndAll = Set<1791>;

impl<const N: usize> Inputs for Set<N> {
    type Position = Listed;
    /// the positions before and after a move
    type Change = [Listed; 2];
    type View = ();
    const ROWS: usize = N;

    /// The side to move is called White.
    fn side_to_move(_: &Listed) -> Color {
        Color::White
    }

    fn view(_: &Listed, _: Color) {}

    fn active(position: &Listed, side: Color, (): (), rows: &mut Rows) {
        position.rows[side.index()]
            .iter()
            .for_each(|&row| rows.add(row));
    }

    fn changed([before, after]: &[Listed; 2], side: Color, (): (), rows: &mut ChangedRows) {
        before.rows[side.index()]
            .iter()
            .for_each(|&row| rows.remove(row));
        after.rows[side.index()]
            .iter()
            .for_each(|&row| rows.add(row));
    }
}

/// A position and the engine's numbers.
struct Row {
    position: Listed,
    psqt: i32,
    positional: i32,
    value: i32,
}

impl Row {
    /// A row of the table; threats count from the row `threats` on.
    fn new(cell: &dyn Fn(&str) -> Option<String>, threats: u32) -> Self {
        let numbers = |name: &str| -> Vec<u32> {
            let cell = cell(name).unwrap_or_default();
            let numbers = cell.split_whitespace();
            numbers
                .map(|number| number.parse().expect("a row"))
                .collect()
        };
        let number = |name: &str| cell(name).map(|cell| cell.parse::<i32>().expect("a number"));
        let rows = ["stm", "opp"].map(|side| {
            let threats_of_side = numbers(&format!("threats_{side}"));
            let threats = threats_of_side.into_iter().map(|row| threats + row);
            numbers(&format!("rows_{side}"))
                .into_iter()
                .chain(threats)
                .collect()
        });
        Self {
            position: Listed {
                rows,
                stack: number("stack").expect("a stack") as usize,
            },
            psqt: number("psqt").unwrap_or(0),
            positional: number("positional").or(number("raw")).expect("a sum"),
            value: number("value").expect("a value"),
        }
    }
}

/// A network over listed positions.
trait Listing: Architecture<Inputs: Inputs<Position = Listed>> {}
impl<A: Architecture<Inputs: Inputs<Position = Listed>>> Listing for A {}

/// Compares the network `name` with its engine's sums and values on every level. Its file is written back byte for byte, and refused when it is cut.
fn agree<A: Listing>(name: &str, threats: u32) {
    let Some(bytes) = file(name) else {
        return;
    };
    let rows = table(name, |cell| Row::new(cell, threats));
    let mut network =
        Network::<A>::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_written_back(&network, &bytes, name);
    assert_cuts_are_refused::<A>(&bytes, name);
    for level in Level::available() {
        network = network.with_level(level);
        for (index, row) in rows.iter().enumerate() {
            let found = network.evaluate_fresh(&row.position);
            let found = (found.psqt, found.positional, found.value);
            let expected = (row.psqt, row.positional, row.value);
            assert_eq!(found, expected, "{name}, {level}: position {index}");
        }
    }
}

#[test]
fn pikafish_has_the_values_of_the_engine() {
    agree::<Pikafish>("pikafish", 16536);
}

#[test]
fn yaneuraou_by_kings_has_the_values_of_the_engine() {
    agree::<YaneuraOuByKings>("yaneuraou-a", 0);
}

#[test]
fn yaneuraou_by_hands_has_the_values_of_the_engine() {
    agree::<YaneuraOuByHands>("yaneuraou-c", 0);
}

/// The file has other weights between a half of the outputs and the shard of the other half than 0.
#[test]
fn yaneuraou_by_progress_has_the_values_of_the_engine() {
    agree::<YaneuraOuByProgress>("yaneuraou-b", 0);
}
