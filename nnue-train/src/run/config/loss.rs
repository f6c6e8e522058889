//! `[loss]`.

use nnue_train::loss::{Blend, Error as Power, Loss, Weight, WinRate};
use nnue_train::schedule::Schedule;

use super::{Length, schedule};
use crate::error::Error;
use crate::run::table::Table;

/// A loss, one part of which may change from step to step.
pub(crate) struct LossConfig {
    /// at the first step
    loss: Loss,
    /// share of the score
    share: Schedule,
    /// mates of Stockfish are brought near other scores
    pub(crate) resolve_mates: bool,
}

impl LossConfig {
    /// The loss of a step.
    pub(crate) fn at(&self, step: u64) -> Loss {
        Loss { share: self.share.at(step).clamp(0.0, 1.0), ..self.loss }
    }

    pub(super) fn read(mut table: Table<'_>, length: Length, seed: u64) -> Result<Self, Error> {
        let scale = table.positive("scale")?;
        let of_bullet = Loss::bullet(scale.unwrap_or(400.0));
        let conventions = [("bullet", of_bullet), ("nnue-pytorch", Loss::nnue_pytorch())];
        let mut loss = table.choice("convention", &conventions)?.unwrap_or(of_bullet);
        if scale.is_some() && loss.score != of_bullet.score {
            return Err(table.refuse(
                "scale",
                "nnue-pytorch has one scale for scores and one for values\nhelp: write `score` and `output`",
            ));
        }
        loss.score = win_rate(table.table("score")?, loss.score)?;
        loss.output = win_rate(table.table("output")?, loss.output)?;
        loss.error = error(&mut table, loss.error)?;
        let blends = [("targets", Blend::Targets), ("losses", Blend::Losses)];
        loss.blend = table.choice("blend", &blends)?.unwrap_or(loss.blend);
        loss.weight = weight(table.table("weight")?)?;
        let share = schedule::read_or(&mut table, "share", length, schedule::Numbers::share(seed), || {
            Schedule::Constant(loss.share)
        })?;
        let resolve_mates = table.flag("resolve_mates")?;
        table.finish()?;
        Ok(Self { loss, share, resolve_mates })
    }
}

/// `{ scale = 400 }`, or with an offset the curve of wins and losses.
fn win_rate(mut table: Table<'_>, usual: WinRate) -> Result<WinRate, Error> {
    let offset = table.number("offset", 0.0..=f64::MAX, "a number from 0 up")?;
    let scale = table.positive("scale")?;
    table.finish()?;
    Ok(match (offset, scale, usual) {
        (None, None, usual) => usual,
        (Some(offset), scale, WinRate::Sigmoid { scale: usual } | WinRate::Outcomes { scale: usual, .. })
        | (None, scale, WinRate::Outcomes { offset, scale: usual }) => {
            WinRate::Outcomes { offset, scale: scale.unwrap_or(usual) }
        }
        (None, Some(scale), WinRate::Sigmoid { .. }) => WinRate::Sigmoid { scale },
    })
}

fn error(table: &mut Table<'_>, usual: Power) -> Result<Power, Error> {
    let is_entropy = table.choice("error", &[("power", false), ("cross_entropy", true)])?.unwrap_or(false);
    let exponent = table.number("exponent", 1.0..=10.0, "a number from 1 to 10")?;
    let asymmetry = table.number("asymmetry", 0.0..=10.0, "a number from 0 to 10")?;
    if !is_entropy {
        let Power::Power { exponent: of_convention, .. } = usual else { return Ok(usual) };
        return Ok(Power::Power { exponent: exponent.unwrap_or(of_convention), asymmetry: asymmetry.unwrap_or(0.0) });
    }
    match exponent.or(asymmetry) {
        None => Ok(Power::CrossEntropy),
        Some(_) => Err(table.refuse("error", "cross entropy has neither `exponent` nor `asymmetry`")),
    }
}

fn weight(mut table: Table<'_>) -> Result<Weight, Error> {
    let gain = table.number("gain", 0.0..=100.0, "a number from 0 to 100")?;
    let exponent = table.positive("exponent")?;
    table.finish()?;
    Ok(match gain {
        Some(gain) => Weight::Contested { gain, exponent: exponent.unwrap_or(0.5) },
        None => Weight::Equal,
    })
}
