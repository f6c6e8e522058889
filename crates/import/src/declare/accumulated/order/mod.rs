//! The order of rows in a trainer.
//!
//! ```text
//!   declared   384 * (their piece) + 64 * (P N B R Q K) + (a1 b1 .. h8)
//!   trainers   own or their pieces first,  K Q R B N P,  squares from a8 or turned,  and any of the three outermost;
//!              the own king's squares from another corner, by files, as the innermost number; attacked pieces before or after defended ones
//! ```
//!
//! A wrong order gives a network that plays nonsense without any error. A known output of the trainer in one
//! position identifies the order.

mod candidates;
mod golden;
mod layout;

pub use golden::Golden;
use layout::{Layout, Piece};

/// The guess about rows, which a golden value settles.
pub(super) const ROWS_GUESS: &str = "what the rows of the input mean: give a value of the trainer (`--golden`), or compare one (`nnue golden`)";

/// An order of the rows of the first feature set, if its features are single pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    layout: Option<Layout>,
    /// king (0), standing (1) and piece (2), the outermost first
    nest: [usize; 3],
    kings: Kings,
    /// index of each combination of attacked and defended
    standings: [usize; 4],
    planes: Planes,
    /// mask that squares are xored with
    squares: usize,
    /// whether squares are outer to planes
    squares_first: bool,
}

/// An order of king squares or buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kings {
    /// reverses ranks, files
    turned: [bool; 2],
    by_files: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Planes {
    by_kind: bool,
    their_pieces_first: bool,
    kings_first: bool,
    /// index of the plane of both kings, if they share one
    both_kings: usize,
}

impl Order {
    /// The order of the declared sets.
    pub const DECLARED: Self = Self {
        layout: None,
        nest: [0, 1, 2],
        kings: Kings {
            turned: [false; 2],
            by_files: false,
        },
        standings: [0, 1, 2, 3],
        planes: Planes {
            by_kind: false,
            their_pieces_first: false,
            kings_first: false,
            both_kings: 0,
        },
        squares: 0,
        squares_first: false,
    };

    /// The trainer's index of a declared row.
    pub fn of(self, row: usize) -> usize {
        let Some(layout) = self.layout.filter(|layout| row < layout.rows()) else {
            return row;
        };
        let found = layout.row(row);
        let piece = found
            .piece
            .map_or(0, |piece| layout.first + self.piece(layout, piece));
        let digits = [
            self.kings.of(layout, found.king),
            self.standings[found.standing],
            piece,
        ];
        let sizes = [layout.king_count(), layout.standings, layout.block()];
        self.nest
            .iter()
            .fold(0, |number, &at| number * sizes[at] + digits[at])
    }

    /// The index of a piece in its block.
    fn piece(self, layout: Layout, Piece { plane, square }: Piece) -> usize {
        let (plane, square) = (self.planes.of(layout, plane), square ^ self.squares);
        if self.squares_first {
            square * layout.planes() + plane
        } else {
            64 * plane + square
        }
    }

    /// Describes the order.
    pub fn words(self) -> String {
        let Some(layout) = self.layout else {
            return "as declared".into();
        };
        let axes = if self.planes.by_kind {
            "kind, colour"
        } else {
            "colour, kind"
        };
        let axes = if self.squares_first {
            format!("square, {axes}")
        } else {
            format!("{axes}, square")
        };
        let mut words = vec![format!("by {axes}")];
        words.push(
            if self.planes.their_pieces_first {
                "their pieces first"
            } else {
                "own pieces first"
            }
            .into(),
        );
        let kinds = if layout.kinds == 6 {
            ["P N B R Q K", "K Q R B N P"]
        } else {
            ["P N B R Q", "Q R B N P"]
        };
        words.push(kinds[usize::from(self.planes.kings_first)].into());
        if layout.both_kings.is_some() {
            let planes = self.planes.both_kings;
            words.push(
                [
                    "both kings first",
                    "both kings in the middle",
                    "both kings last",
                ][planes / 5]
                    .into(),
            );
        }
        let first = ["a1", "h1", "a8", "h8"][self.squares % 2 + 2 * (self.squares / 8 % 2)];
        words.push(format!("squares from {first}"));
        words.extend(self.copies(layout));
        words.join("; ")
    }

    /// Describes the nesting, where there is more than one level.
    fn copies(self, layout: Layout) -> Vec<String> {
        let names = ["own king", "attacked or defended", "piece"];
        let sizes = [layout.king_count(), layout.standings, 2];
        let nest: Vec<&str> = self
            .nest
            .iter()
            .filter(|&&at| sizes[at] > 1)
            .map(|&at| names[at])
            .collect();
        let mut words = Vec::new();
        if nest.len() > 1 {
            words.push(nest.join(" before "));
        }
        let Kings { turned, by_files } = self.kings;
        if turned.contains(&true) || by_files {
            let by = if by_files { "by files" } else { "by ranks" };
            let ends = ["ranks", "files"]
                .into_iter()
                .zip(turned)
                .filter(|(_, turned)| *turned);
            let ends: Vec<String> = ends
                .map(|(what, _)| format!("{what} from the other end"))
                .collect();
            words.push(match layout.kings[1] {
                1 => "king buckets from the last to the first".into(),
                _ => format!(
                    "own kings {}",
                    [&[by.to_owned()][..], &ends].concat().join(", ")
                ),
            });
        }
        if self.standings != [0, 1, 2, 3] && layout.standings > 1 {
            let [neither, attacked, defended, both] = self.standings;
            words.push(format!(
                "neither {neither}, attacked {attacked}, defended {defended}, both {both}"
            ));
        }
        words
    }
}

impl Kings {
    fn of(self, layout: Layout, king: usize) -> usize {
        let [ranks, files] = layout.kings;
        let [rank, file] = [
            (king / files, ranks, self.turned[0]),
            (king % files, files, self.turned[1]),
        ]
        .map(|(at, count, turned)| if turned { count - 1 - at } else { at });
        if self.by_files {
            file * ranks + rank
        } else {
            rank * files + file
        }
    }
}

impl Planes {
    fn of(self, layout: Layout, plane: Option<[usize; 2]>) -> usize {
        let Some([their, kind]) = plane else {
            return self.both_kings;
        };
        let their = if self.their_pieces_first {
            1 - their
        } else {
            their
        };
        let kind = if self.kings_first {
            layout.kinds - 1 - kind
        } else {
            kind
        };
        let plane = if self.by_kind {
            2 * kind + their
        } else {
            layout.kinds * their + kind
        };
        plane + usize::from(layout.both_kings.is_some() && plane >= self.both_kings)
    }
}
