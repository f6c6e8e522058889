//! `[optimizer]`.

use std::num::NonZeroUsize;

use crate::network::Parameters;
use crate::optimizer::{
    Adam, Betas, Lookahead, Optimizer, PositiveNegative, RAdam, Remembered, Sgd, SlowStart, Update,
};

use crate::run::Error;
use crate::run::table::Table;

pub(crate) struct OptimizerConfig {
    kind: Kind,
    momentum: f64,
    betas: Betas,
    epsilon: f64,
    decay: f64,
    corrected: bool,
    lookahead: Option<Ahead>,
    /// limit of the gradient norm
    pub(crate) clip_norm: Option<f64>,
    /// limit of parameters, besides those of the types
    pub(crate) limit: Option<f32>,
    /// whether gradients are computed at rounded parameters
    pub(crate) fake_quantize: bool,
}

#[derive(Clone, Copy)]
enum Kind {
    Sgd,
    Adam,
    RAdam,
    PositiveNegative,
}

#[derive(Clone, Copy)]
struct Ahead {
    every: u64,
    share: f64,
    start: SlowStart,
}

/// Defaults of a name: kind, weight decay, decay rate of the mean, epsilon, bias correction, lookahead.
type Named = (Kind, f64, f64, f64, bool, Option<Ahead>);

const RANGER: Ahead = Ahead {
    every: 6,
    share: 0.5,
    start: SlowStart::Zero,
};
const RANGER_LITE: Ahead = Ahead {
    every: 5,
    share: 0.5,
    start: SlowStart::Weights,
};

const NAMES: [(&str, Named); 7] = [
    ("adamw", (Kind::Adam, 0.01, 0.9, 1e-8, false, None)),
    ("adam", (Kind::Adam, 0.0, 0.9, 1e-8, true, None)),
    ("sgd", (Kind::Sgd, 0.0, 0.9, 1e-8, true, None)),
    ("radam", (Kind::RAdam, 0.0, 0.9, 1e-8, true, None)),
    ("ranger", (Kind::RAdam, 0.0, 0.99, 1e-8, true, Some(RANGER))),
    (
        "positive_negative",
        (Kind::PositiveNegative, 0.0, 0.9, 1e-7, true, None),
    ),
    (
        "rangerlite",
        (
            Kind::PositiveNegative,
            0.0,
            0.9,
            1e-7,
            true,
            Some(RANGER_LITE),
        ),
    ),
];

impl OptimizerConfig {
    pub(crate) fn read(mut table: Table<'_>) -> Result<Self, Error> {
        let usual = table.choice("kind", &NAMES)?.unwrap_or(NAMES[0].1);
        let (kind, decay, mean, epsilon, corrected, lookahead) = usual;
        let below_one = 0.0..=1.0 - f64::EPSILON;
        let betas = Betas {
            mean: table
                .number("beta1", below_one.clone(), "a number from 0 to below 1")?
                .unwrap_or(mean),
            square: table
                .number("beta2", below_one.clone(), "a number from 0 to below 1")?
                .unwrap_or(Betas::USUAL.square),
        };
        let config = Self {
            kind,
            momentum: table
                .number("momentum", below_one, "a number from 0 to below 1")?
                .unwrap_or(0.9),
            betas,
            epsilon: table.positive("epsilon")?.unwrap_or(epsilon),
            decay: table
                .number("decay", 0.0..=1000.0, "a number from 0 to 1000")?
                .unwrap_or(decay),
            corrected: table
                .choice("means", &[("corrected", true), ("plain", false)])?
                .unwrap_or(corrected),
            lookahead: lookahead_of(table.table("lookahead")?, lookahead)?,
            clip_norm: table.positive("clip_norm")?,
            limit: table.positive("limit")?.map(|limit| limit as f32),
            fake_quantize: table.flag("fake_quantize")?,
        };
        table.finish()?;
        Ok(config)
    }

    /// Builds the optimiser; `zeros` has the shape of the parameters.
    pub(crate) fn build(&self, zeros: Parameters<f32>) -> Chosen {
        let &Self {
            betas,
            epsilon,
            decay,
            corrected,
            ..
        } = self;
        let inner: Box<dyn Optimizer> = match self.kind {
            Kind::Sgd => Box::new(Sgd::new(self.momentum, zeros)),
            Kind::Adam => {
                let mut adam = Adam::new(zeros);
                (adam.betas, adam.epsilon, adam.decay, adam.corrected) =
                    (betas, epsilon, decay, corrected);
                Box::new(adam)
            }
            Kind::RAdam => {
                let mut radam = RAdam::new(zeros);
                (radam.betas, radam.epsilon, radam.decay) = (betas, epsilon, decay);
                Box::new(radam)
            }
            Kind::PositiveNegative => {
                let mut optimizer = PositiveNegative::new(zeros);
                (optimizer.betas, optimizer.epsilon, optimizer.decay) = (betas, epsilon, decay);
                Box::new(optimizer)
            }
        };
        match self.lookahead {
            None => Chosen::Fast(inner),
            Some(Ahead {
                every,
                share,
                start,
            }) => Chosen::Slow(Lookahead::new(inner, every, share, start)),
        }
    }
}

fn lookahead_of(mut table: Table<'_>, usual: Option<Ahead>) -> Result<Option<Ahead>, Error> {
    let every = table.count("every", 1..=1 << 20)?;
    let share = table.share("share")?;
    let start = table.choice(
        "start",
        &[("weights", SlowStart::Weights), ("zero", SlowStart::Zero)],
    )?;
    table.finish()?;
    let Some(every) = every.or(usual.map(|usual| usual.every)) else {
        return Ok(None);
    };
    let usual = usual.unwrap_or(RANGER_LITE);
    Ok(Some(Ahead {
        every,
        share: share.unwrap_or(usual.share),
        start: start.unwrap_or(usual.start),
    }))
}

/// An optimiser with or without lookahead.
pub(crate) enum Chosen {
    Fast(Box<dyn Optimizer>),
    Slow(Lookahead<Box<dyn Optimizer>>),
}

impl Chosen {
    pub(crate) fn step(
        &mut self,
        rate: f64,
        parameters: &mut Parameters<f32>,
        gradient: &Parameters<f32>,
        threads: NonZeroUsize,
    ) {
        match self {
            Self::Fast(optimizer) => optimizer.step(rate, parameters, gradient, threads),
            Self::Slow(optimizer) => optimizer.step(rate, parameters, gradient, threads),
        }
    }

    /// The updates of a step, for parameters that are stored elsewhere.
    pub(crate) fn updates(&mut self, rate: f64) -> Vec<Update> {
        match self {
            Self::Fast(optimizer) => optimizer.updates(rate),
            Self::Slow(optimizer) => optimizer.updates(rate),
        }
    }

    pub(crate) fn remembered(&mut self) -> Remembered<'_> {
        match self {
            Self::Fast(optimizer) => optimizer.remembered(),
            Self::Slow(optimizer) => optimizer.remembered(),
        }
    }

    /// The parameters to evaluate and save.
    pub(crate) fn best<'p>(&'p self, parameters: &'p Parameters<f32>) -> &'p Parameters<f32> {
        match self {
            Self::Fast(_) => parameters,
            Self::Slow(optimizer) => optimizer.slow().unwrap_or(parameters),
        }
    }
}
