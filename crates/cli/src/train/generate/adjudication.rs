//! Ends games early that are decided.

use nnue_data::Outcome;

use crate::args::train::GameArgs;

/// Numbers of consecutive values that support each outcome.
#[derive(Debug, Default)]
pub(super) struct Adjudication {
    won_by_white: u32,
    won_by_black: u32,
    even: u32,
}

impl Adjudication {
    /// The outcome for White, if it is clear after this ply's `value` for White.
    pub(super) fn judge(&mut self, args: &GameArgs, value: i32, ply: u32) -> Option<Outcome> {
        let count = |counter: &mut u32, holds: bool| {
            *counter = if holds { *counter + 1 } else { 0 };
            *counter
        };
        let is_long_enough = |count: u32, least: u32| least > 0 && count >= least;
        let white = count(&mut self.won_by_white, value >= args.win_score);
        let black = count(&mut self.won_by_black, value <= -args.win_score);
        let even = count(&mut self.even, value.abs() <= args.draw_score);
        if is_long_enough(white, args.win_count) {
            Some(Outcome::Win)
        } else if is_long_enough(black, args.win_count) {
            Some(Outcome::Loss)
        } else if is_long_enough(even, args.draw_count) && ply >= args.draw_ply {
            Some(Outcome::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(values: &[i32]) -> Option<(usize, Outcome)> {
        let args = GameArgs {
            nodes: 1,
            openings: None,
            random_plies: 0,
            opening_limit: 0,
            win_score: 100,
            win_count: 3,
            draw_score: 5,
            draw_count: 2,
            draw_ply: 4,
            max_plies: 1,
        };
        let mut adjudication = Adjudication::default();
        values
            .iter()
            .enumerate()
            .find_map(|(ply, &value)| Some((ply, adjudication.judge(&args, value, ply as u32)?)))
    }

    #[test]
    fn values_in_turn_decide() {
        assert_eq!(
            outcome(&[100, 120, 99, 100, 100, 500]),
            Some((5, Outcome::Win))
        );
        assert_eq!(
            outcome(&[-100, -120, 100, -100, -100, -100]),
            Some((5, Outcome::Loss))
        );
        assert_eq!(outcome(&[0, 1, -2, 3, -5, 9]), Some((4, Outcome::Draw)));
        assert_eq!(outcome(&[0, 1, -2, 3, 6, 5, 7, 0]), None);
    }
}
