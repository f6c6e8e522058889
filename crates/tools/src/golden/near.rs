//! Golden values that the declaration nearly gives: off by one or two, as engines round in other places, or of the other sign where Black is to move, as
//! tools print White's view. The file is read rightly then, and no fault of the declaration is to blame.

/// A golden value: what the declaration gives, what is declared, and the side to move, if it is a position of chess.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) found: i32,
    pub(super) declared: i32,
    pub(super) black: Option<bool>,
}

/// How near the declaration comes to the golden values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// all agree within 1, or within 2 as where an engine rounds twice
    Rounding {
        /// the greatest difference
        within: u32,
        /// the direction in which they differ, if it is one: 1, -1
        all: Option<i32>,
        /// values are lower only where they are below zero
        down: bool,
    },
    /// all agree from White's point of view
    White {
        /// all exactly; else within 1
        exact: bool,
    },
}

/// The least greatest value for each 1 of a difference: smaller ones agree with many readings.
const LEAST: u32 = 100;

/// The greatest difference by rounding: engines round the sum, and then the value.
const MOST: u32 = 2;

/// How near all pairs are; `None` if some are far, or too small to tell.
pub(super) fn near(pairs: &[Pair]) -> Option<Near> {
    let greatest = pairs.iter().map(|pair| pair.declared.unsigned_abs()).max();
    let greatest = greatest.filter(|&greatest| greatest >= LEAST)?;
    let within = pairs
        .iter()
        .map(|pair| pair.found.abs_diff(pair.declared))
        .max()?;
    if within <= MOST && greatest >= LEAST * within {
        return Some(rounding(pairs, within));
    }
    // From White's point of view, values of Black change their sign.
    let turned = |pair: &Pair| {
        let sign = if pair.black? { -1 } else { 1 };
        Some(pair.found.checked_mul(sign)?.abs_diff(pair.declared))
    };
    let worst = pairs
        .iter()
        .map(|pair| turned(pair).unwrap_or(u32::MAX))
        .max()?;
    (worst <= 1).then_some(Near::White { exact: worst == 0 })
}

fn rounding(pairs: &[Pair], within: u32) -> Near {
    let difference = |pair: &Pair| pair.declared - pair.found;
    let one_way = |way: i32| pairs.iter().all(|pair| difference(pair) == way);
    let down = pairs.iter().all(|pair| match difference(pair) {
        0 => true,
        way => way < 0 && pair.found <= 0,
    });
    Near::Rounding {
        within,
        all: [1, -1].into_iter().find(|&way| one_way(way)),
        down,
    }
}

impl Near {
    /// The answer of a search, for so many golden values.
    pub(super) fn told(self, goldens: usize) -> String {
        match self {
            Self::Rounding { within, all, down } => {
                let how = match (all, down) {
                    (Some(1), _) => "all are higher by 1: does it round up, or add 1?",
                    (_, true) => {
                        "only values below zero are lower: does it round down, as `>>` does?"
                    }
                    (Some(_), _) => "all are lower by 1: does it subtract 1?",
                    (None, false) => "does it divide once, where the value here is cut off twice?",
                };
                format!(
                    "all values agree within {within} ({goldens} of {goldens}): the file seems to be read rightly, and the engine rounds elsewhere ({how}); declare the values that `nnue golden` gives"
                )
            }
            Self::White { exact } => {
                let within = if exact { "" } else { " within 1" };
                format!(
                    "all values agree{within} ({goldens} of {goldens}) with those of White's view: golden values are those of the side to move, so change the sign where Black is to move"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(values: &[(i32, i32, bool)]) -> Vec<Pair> {
        let pair = |&(found, declared, black)| Pair {
            found,
            declared,
            black: Some(black),
        };
        values.iter().map(pair).collect()
    }

    #[test]
    fn rounding_and_views_are_told_apart() {
        let floor = pairs(&[(150, 150, false), (-20, -21, false), (-7, -7, true)]);
        let down = near(&floor);
        assert_eq!(
            down,
            Some(Near::Rounding {
                within: 1,
                all: None,
                down: true
            })
        );
        let higher = near(&pairs(&[(150, 151, false), (-20, -19, true)]));
        assert_eq!(
            higher,
            Some(Near::Rounding {
                within: 1,
                all: Some(1),
                down: false
            })
        );
        // Rounded down twice, and as much of a value that is too small for that.
        let twice = near(&pairs(&[(415, 415, false), (-837, -839, true)]));
        assert_eq!(
            twice,
            Some(Near::Rounding {
                within: 2,
                all: None,
                down: true
            })
        );
        assert_eq!(near(&pairs(&[(150, 152, false)])), None);
        let white = near(&pairs(&[(150, 150, false), (-20, 20, true)]));
        assert_eq!(white, Some(Near::White { exact: true }));
        assert_eq!(near(&pairs(&[(150, 153, false), (-20, -20, true)])), None);
        // Too small to tell, and a position of another game.
        assert_eq!(near(&pairs(&[(20, 21, false)])), None);
        let other = Pair {
            found: 200,
            declared: -200,
            black: None,
        };
        assert_eq!(near(&[other]), None);
    }
}
