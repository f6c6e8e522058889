//! Golden values that nearly agree: off by one or two, because engines round elsewhere, or negated when Black
//! is to move, because tools print White's point of view. In such cases the file is read correctly, and the
//! declaration is not to blame.

/// A golden value: the computed value, the declared one, and the side to move, if it is a chess position.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) found: i32,
    pub(super) declared: i32,
    pub(super) black: Option<bool>,
}

/// How the values differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// all agree within 1, or within 2 if an engine rounds twice
    Rounding {
        /// the greatest difference
        within: u32,
        /// the common sign of the differences, 1 or -1, if there is one
        all: Option<i32>,
        /// only values below zero are lower
        down: bool,
    },
    /// all agree from White's point of view
    White {
        /// `true`: exactly; `false`: within 1
        exact: bool,
    },
}

/// The greatest value must be at least this times the difference: smaller ones agree with many readings.
const LEAST: u32 = 100;

/// The greatest rounding difference: engines round the sum, and then the value.
const MOST: u32 = 2;

/// How the pairs differ; `None` if some are far apart, or all are too small to tell.
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
    // From White's point of view, the values of Black are negated.
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
    /// The message for a number of golden values.
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
        // Rounded down twice; the same on values that are too small for that.
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
        // Too small to tell; a position of another game.
        assert_eq!(near(&pairs(&[(20, 21, false)])), None);
        let other = Pair {
            found: 200,
            declared: -200,
            black: None,
        };
        assert_eq!(near(&[other]), None);
    }
}
