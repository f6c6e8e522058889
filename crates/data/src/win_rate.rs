//! The probabilities of a win, a draw and a loss, by score and ply.

use crate::Outcome;

/// A model of outcomes: `win = 1 / (1 + exp((a - x) / b))`, where x is the score in hundredths of a pawn, and
/// a and b are polynomials of the ply. A loss is a win at the opposite score; the rest is the draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// coefficients of the polynomial a, the highest power first
    pub a: [f64; 4],
    /// coefficients of the polynomial b, the highest power first
    pub b: [f64; 4],
    /// factor of b: above 1, more outcomes are likely
    pub spread: f64,
    /// the score of a pawn
    pub pawn: f64,
    /// divisor of the ply in the polynomials
    pub ply_unit: f64,
    /// later plies count as this one
    pub last_ply: u32,
}

impl WinRate {
    /// The curve that trainers use to turn scores into expected results, the same at every ply:
    /// `win = 1 / (1 + exp((270 - score) / 380))`. At a score of 270, a win has a probability of one half.
    pub const TRAINERS: Self = Self {
        a: [0.0, 0.0, 0.0, 270.0],
        b: [0.0, 0.0, 0.0, 380.0],
        spread: 1.0,
        pawn: 100.0,
        ply_unit: 64.0,
        last_ply: 240,
    };

    /// The probability of an outcome for the side to move.
    ///
    /// ```
    /// use nnue_data::{Outcome, win_rate::WinRate};
    ///
    /// let chance = |score, outcome| WinRate::TRAINERS.chance(score, 64, outcome);
    /// assert!((chance(270, Outcome::Win) - 0.5).abs() < 1e-9);
    /// assert!(chance(0, Outcome::Draw) > chance(0, Outcome::Win));
    /// assert!(chance(2000, Outcome::Loss) < 0.01);
    /// ```
    pub fn chance(&self, score: i16, ply: u32, outcome: Outcome) -> f64 {
        let m = f64::from(ply.min(self.last_ply)) / self.ply_unit;
        let polynomial = |of: &[f64; 4]| of.iter().fold(0.0, |sum, factor| sum * m + factor);
        let (a, b) = (polynomial(&self.a), polynomial(&self.b) * self.spread);
        let x = f64::from(score) * 100.0 / self.pawn;
        let win = |x: f64| 1.0 / (1.0 + ((a - x) / b).exp());
        match outcome {
            Outcome::Win => win(x),
            Outcome::Loss => win(-x),
            Outcome::Draw => (1.0 - win(x) - win(-x)).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_games_are_won_where_the_polynomial_says() {
        // at ply 64 a polynomial is the sum of its coefficients
        let model = WinRate {
            a: [-4.0, 30.0, -60.0, 150.0],
            b: [0.0, 1.0, -2.0, 50.0],
            pawn: 200.0,
            ..WinRate::TRAINERS
        };
        let win = |ply| model.chance(232, ply, Outcome::Win);
        assert!((win(64) - 0.5).abs() < 1e-9, "{}", win(64));
        assert!(win(0) < 0.5, "a win needs 300 at ply 0: {}", win(0));
        let wider = WinRate {
            spread: 2.0,
            ..model
        };
        assert!(wider.chance(500, 64, Outcome::Win) < model.chance(500, 64, Outcome::Win));
    }

    #[test]
    fn chances_add_up() {
        for (score, ply) in [
            (0, 0),
            (50, 10),
            (-300, 100),
            (2000, 240),
            (-32000, 100_000),
        ] {
            let chance = |outcome| WinRate::TRAINERS.chance(score, ply, outcome);
            let sum = chance(Outcome::Win) + chance(Outcome::Draw) + chance(Outcome::Loss);
            assert!((sum - 1.0).abs() < 1e-3, "{score} at {ply}: {sum}");
            assert_eq!(
                WinRate::TRAINERS.chance(-score, ply, Outcome::Loss),
                chance(Outcome::Win)
            );
        }
    }
}
