//! `[loss]`.

use crate::features::Meant;
use crate::loss::{Blend, Error as Power, Loss, NamedLoss, Objective, Target, Weight, WinRate};
use crate::schedule::Schedule;
use nnue_spec::HeadKind;
use nnue_spec::graph::{Graph, Head};

use super::{Length, is_listed, schedule};
use crate::run::Error;
use crate::run::table::Table;

/// A loss with a schedule for the share of scores.
pub(crate) struct LossConfig {
    /// the loss at the first step
    objective: Objective,
    /// share of the score in the target
    share: Schedule,
    /// whether to compress mate scores of Stockfish
    pub(crate) resolve_mates: bool,
    /// the meaning of targets, if positions are lists of rows
    pub(crate) meant: Option<Meant>,
}

impl LossConfig {
    pub(crate) fn at(&self, step: u64) -> Objective {
        let loss = Loss {
            share: self.share.at(step).clamp(0.0, 1.0),
            ..self.objective.loss
        };
        Objective {
            loss,
            ..self.objective.clone()
        }
    }

    /// Whether scores or values have no curve.
    pub(crate) fn is_linear(&self) -> bool {
        let Loss { score, output, .. } = self.objective.loss;
        [score, output]
            .iter()
            .any(|curve| matches!(curve, WinRate::Linear { .. }))
    }

    /// Whether an output has the remaining plies of the game as its target.
    pub(crate) fn needs_plies_left(&self) -> bool {
        self.objective
            .named
            .iter()
            .any(|named| matches!(named.target, Target::MovesLeft { .. }))
    }

    pub(super) fn read(
        mut table: Table<'_>,
        length: Length,
        seed: u64,
        graph: &Graph,
    ) -> Result<Self, Error> {
        let scale = table.positive("scale")?;
        let of_bullet = Loss::bullet(scale.unwrap_or(400.0));
        let conventions = [
            ("bullet", of_bullet),
            ("nnue-pytorch", Loss::nnue_pytorch()),
            ("linear", Loss::linear(scale.unwrap_or(1.0))),
        ];
        let mut loss = table
            .choice("convention", &conventions)?
            .unwrap_or(of_bullet);
        if scale.is_some() && loss == Loss::nnue_pytorch() {
            return Err(table.refuse(
                "scale",
                "nnue-pytorch has one scale for scores and one for values\nhelp: write `score` and `output`",
            ));
        }
        loss.score = win_rate(table.table("score")?, loss.score)?;
        loss.output = win_rate(table.table("output")?, loss.output)?;
        loss.error = error(&mut table, loss.error)?;
        let is_linear = |curve| matches!(curve, WinRate::Linear { .. });
        if loss.error == Power::CrossEntropy && (is_linear(loss.score) || is_linear(loss.output)) {
            return Err(table.refuse(
                "error",
                "cross entropy is of probabilities, and with `convention = \"linear\"` values are none",
            ));
        }
        if is_listed(graph) {
            return Self::of_lists(table, loss, graph);
        }
        let blends = [("targets", Blend::Targets), ("losses", Blend::Losses)];
        loss.blend = table.choice("blend", &blends)?.unwrap_or(loss.blend);
        loss.weight = weight(table.table("weight")?, loss.score)?;
        let share = schedule::read_or(
            &mut table,
            "share",
            length,
            schedule::Numbers::share(seed),
            || Schedule::Constant(loss.share),
        )?;
        let resolve_mates = table.flag("resolve_mates")?;
        let objective = outputs(table.table("outputs")?, loss, (graph, &TARGETS))?;
        table.finish()?;
        Ok(Self {
            objective,
            share,
            resolve_mates,
            meant: None,
        })
    }

    /// The rest of the table, where a record has one target instead of a score and a result.
    fn of_lists(mut table: Table<'_>, loss: Loss, graph: &Graph) -> Result<Self, Error> {
        let choices = [("expected", Meant::Expected), ("score", Meant::Scores)];
        let meant = table.choice("target", &choices)?.unwrap_or(Meant::Expected);
        let mut loss = meant.loss(loss);
        let targets = match meant {
            Meant::Expected => &[EXPECTED][..],
            Meant::Scores => {
                loss.weight = weight(table.table("weight")?, loss.score)?;
                &[SCORE, EXPECTED]
            }
        };
        let objective = outputs(table.table("outputs")?, loss, (graph, targets))?;
        table.finish()?;
        Ok(Self {
            objective,
            share: Schedule::Constant(loss.share),
            resolve_mates: false,
            meant: Some(meant),
        })
    }
}

/// The targets that a number may have, by name.
type Named = [(&'static str, Wanted)];

/// Weights of the outputs, `{ value = 1, wdl = 0.5, policy = 1 }`, and targets of named outputs.
fn outputs(
    mut table: Table<'_>,
    loss: Loss,
    (graph, targets): (&Graph, &Named),
) -> Result<Objective, Error> {
    const ANY: std::ops::RangeInclusive<f64> = 0.0..=f64::MAX;
    let mut objective = Objective::from(loss);
    if !graph.terms.is_empty() {
        objective.value = table
            .number("value", ANY, "a number from 0 up")?
            .unwrap_or(1.0);
    }
    for head in &graph.heads {
        match head.kind {
            HeadKind::Rows => {
                objective.policy = table
                    .number(&head.name, ANY, "a number from 0 up")?
                    .unwrap_or(1.0);
            }
            HeadKind::Wdl => {
                let weight = table
                    .number(&head.name, ANY, "a number from 0 up")?
                    .unwrap_or(1.0);
                objective.named.push(NamedLoss {
                    weight,
                    target: Target::Outcomes,
                });
            }
            HeadKind::Numbers => {
                objective
                    .named
                    .push(numbers(table.table(&head.name)?, head, targets)?)
            }
        }
    }
    table.finish()?;
    Ok(objective)
}

#[derive(Clone, Copy)]
enum Wanted {
    Score,
    Expected,
    MovesLeft,
}

const SCORE: (&str, Wanted) = ("score", Wanted::Score);
const EXPECTED: (&str, Wanted) = ("expected", Wanted::Expected);

/// Those of positions of chess.
const TARGETS: [(&str, Wanted); 3] = [SCORE, EXPECTED, ("moves_left", Wanted::MovesLeft)];

/// `{ weight = 1, target = "score", scale = 400 }`; without a target the output is not trained.
fn numbers(mut table: Table<'_>, head: &Head, targets: &Named) -> Result<NamedLoss, Error> {
    let weight = table.number("weight", 0.0..=f64::MAX, "a number from 0 up")?;
    let scale = table.positive("scale")?;
    let target = table.choice("target", targets)?;
    let refuse =
        |key: &str, message: &str| Err(table.refuse(key, format!("`{}`: {message}", head.name)));
    let target = match (target, scale) {
        (None, None) if weight.is_none() => {
            return Ok(NamedLoss {
                weight: 0.0,
                target: Target::Expected,
            });
        }
        (None, _) => {
            return refuse(
                "weight",
                &format!("`target` is missing: {}", one_of(targets)),
            );
        }
        (Some(Wanted::Score), scale) => Target::Score {
            scale: scale.unwrap_or(400.0),
        },
        (Some(Wanted::MovesLeft), scale) => Target::MovesLeft {
            scale: scale.unwrap_or(1.0),
        },
        (Some(Wanted::Expected), None) => Target::Expected,
        (Some(Wanted::Expected), Some(_)) => {
            return refuse("scale", "an expected result, from 0 to 1, has no scale");
        }
    };
    if head.run.len > 1 {
        return refuse("target", "an output of several numbers has no target here");
    }
    table.finish()?;
    Ok(NamedLoss {
        weight: weight.unwrap_or(1.0),
        target,
    })
}

/// `"score", "expected" or "moves_left"`
fn one_of(targets: &Named) -> String {
    let names: Vec<String> = targets
        .iter()
        .map(|(name, _)| format!("\"{name}\""))
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} or {last}", others.join(", "))
        }
        _ => names.join(""),
    }
}

/// `{ scale = 400 }` for a sigmoid, or for the line of `linear`; with an offset, the WDL curve.
fn win_rate(mut table: Table<'_>, usual: WinRate) -> Result<WinRate, Error> {
    let offset = table.number("offset", 0.0..=f64::MAX, "a number from 0 up")?;
    let scale = table.positive("scale")?;
    table.finish()?;
    Ok(match (offset, scale, usual) {
        (None, None, usual) => usual,
        (
            Some(offset),
            scale,
            WinRate::Sigmoid { scale: usual }
            | WinRate::Linear { scale: usual }
            | WinRate::Outcomes { scale: usual, .. },
        )
        | (
            None,
            scale,
            WinRate::Outcomes {
                offset,
                scale: usual,
            },
        ) => WinRate::Outcomes {
            offset,
            scale: scale.unwrap_or(usual),
        },
        (None, Some(scale), WinRate::Sigmoid { .. }) => WinRate::Sigmoid { scale },
        (None, Some(scale), WinRate::Linear { .. }) => WinRate::Linear { scale },
    })
}

fn error(table: &mut Table<'_>, usual: Power) -> Result<Power, Error> {
    let is_entropy = table
        .choice("error", &[("power", false), ("cross_entropy", true)])?
        .unwrap_or(false);
    let exponent = table.number("exponent", 1.0..=10.0, "a number from 1 to 10")?;
    let asymmetry = table.number("asymmetry", 0.0..=10.0, "a number from 0 to 10")?;
    if !is_entropy {
        let Power::Power {
            exponent: of_convention,
            ..
        } = usual
        else {
            return Ok(usual);
        };
        return Ok(Power::Power {
            exponent: exponent.unwrap_or(of_convention),
            asymmetry: asymmetry.unwrap_or(0.0),
        });
    }
    match exponent.or(asymmetry) {
        None => Ok(Power::CrossEntropy),
        Some(_) => Err(table.refuse(
            "error",
            "cross entropy has neither `exponent` nor `asymmetry`",
        )),
    }
}

fn weight(mut table: Table<'_>, score: WinRate) -> Result<Weight, Error> {
    let gain = table.number("gain", 0.0..=100.0, "a number from 0 to 100")?;
    let exponent = table.positive("exponent")?;
    if gain.is_some() && matches!(score, WinRate::Linear { .. }) {
        return Err(table.refuse(
            "gain",
            "positions are decided or not by a curve, and `convention = \"linear\"` has none",
        ));
    }
    table.finish()?;
    Ok(match gain {
        Some(gain) => Weight::Contested {
            gain,
            exponent: exponent.unwrap_or(0.5),
        },
        None => Weight::Equal,
    })
}
