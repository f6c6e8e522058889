//! Sites: the operands of activations, which are clipped and rounded to few levels.
//!
//! ```text
//!   rows ──► accumulators ──[site]──► buffer ──► layer ──► sums ──[site]──► buffer ──► layer ──► output
//! ```
//!
//! A site may be scaled by a *gain*: the weights before it are multiplied by the gain, those after it
//! divided, and the network stays the same except for where it clips and how finely it rounds. Signs and
//! pools have no scale of their own, and float layers need none.

use nnue_spec::op::{BUFFER_MAX, Formula, Operands};
use nnue_spec::reference::{Clipping, RealTrace};
use nnue_spec::{
    Activation, HeadSource, LayerKind, MapSource, NetDesc, Pool, Segment, SignOf, StepDesc,
};

/// The values at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// the accumulators
    Accumulators,
    /// the sums of a layer, by index
    Sums(usize),
}

/// Why the scale of a site cannot change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// its activation is a curve with a fixed scale
    Curve,
    /// its sums, or values computed from them, are part of the output and have its unit
    Output,
    /// a pool compares or adds it to values of another site
    Pool,
    /// a binary layer reads it or is its source: signs have no scale, and a binary layer has its own
    Binary,
    /// an expression reads it, whose constants have its scale
    Expression,
}

impl Fixed {
    /// The reason as text.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Curve => "its activation is a curve of one scale",
            Self::Output => "it is part of the output",
            Self::Pool => "a pool joins it with another layer",
            Self::Binary => "it belongs to a binary layer",
            Self::Expression => "an expression reads it",
        }
    }
}

/// A site, where values are clipped and rounded.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// the values
    pub flow: Flow,
    /// `accumulator`, or the name of the layer
    pub name: String,
    /// clipping threshold of the declared network, in units of the accumulators or sums
    pub end: f64,
    /// number of integers that the result can be, mirrored for negative values: 255 for 0 to 127
    pub levels: usize,
    /// the reason if its scale cannot change
    pub fixed: Option<Fixed>,
    /// squared values: negative ones count by magnitude
    even: bool,
}

/// Most levels that are distinguished: 8001 bins are too few for more.
const MOST_LEVELS: usize = 511;

impl Site {
    /// The values of a position before clipping, as non-negative multiples of [`end`](Self::end).
    pub fn values<'t>(
        &self,
        net: &NetDesc<'_>,
        trace: &'t RealTrace,
    ) -> impl Iterator<Item = f64> + use<'t> {
        let (end, even) = (self.end, self.even);
        let (first, second): (&[f64], &[f64]) = match self.flow {
            Flow::Accumulators if net.accumulator.perspectives == 2 => {
                (&trace.accumulators[0], &trace.accumulators[1])
            }
            Flow::Accumulators => (&trace.accumulators[0], &[]),
            Flow::Sums(layer) => (&trace.sums[layer], &[]),
        };
        first
            .iter()
            .chain(second)
            .map(move |&x| if even { x.abs() } else { x.max(0.0) } / end)
    }

    /// Whether the float network also clips there, at 1.
    pub fn is_clipped(&self, clipping: Clipping) -> bool {
        match clipping {
            Clipping::Declared => true,
            Clipping::Accumulators => self.flow == Flow::Accumulators,
            Clipping::Nothing => false,
        }
    }
}

/// The sites of a network: the accumulators, then layers in file order.
pub fn sites(net: &NetDesc<'_>) -> Vec<Site> {
    let flows = std::iter::once(Flow::Accumulators).chain((0..net.layers.len()).map(Flow::Sums));
    flows.filter_map(|flow| site(net, flow)).collect()
}

/// The site of these values, if an integer activation reads them.
fn site(net: &NetDesc<'_>, flow: Flow) -> Option<Site> {
    let readers: Vec<Reader> = net
        .steps
        .iter()
        .filter_map(|step| Reader::of(net, step))
        .collect();
    let mut readers = readers.into_iter().filter(|reader| reader.flow == flow);
    let first = readers.next()?;
    let (name, one) = match flow {
        Flow::Accumulators => ("accumulator".to_owned(), net.accumulator.one as usize),
        Flow::Sums(layer) => (net.layers[layer].name.to_owned(), BUFFER_MAX as usize),
    };
    let mut site = Site {
        flow,
        name,
        end: first.end,
        levels: (2 * one + 1).min(MOST_LEVELS),
        fixed: fixed(net, flow).or(first.curve()),
        even: first.even,
    };
    for reader in readers {
        site.even |= reader.even;
        site.fixed = site.fixed.or(reader.curve());
    }
    Some(site)
}

struct Reader {
    flow: Flow,
    degree: Option<u32>,
    end: f64,
    even: bool,
}

impl Reader {
    fn of(net: &NetDesc<'_>, step: &StepDesc) -> Option<Self> {
        let one = f64::from(net.accumulator.one);
        let (flow, activation, shift) = match *step {
            StepDesc::ActivateAccumulator {
                activation, shift, ..
            } => (Flow::Accumulators, activation, shift),
            StepDesc::AffineDirect { activation, .. }
            | StepDesc::FloatAccumulator { activation, .. } => (Flow::Accumulators, activation, 0),
            StepDesc::ActivateSums {
                activation,
                shift,
                layer,
                ..
            } => (Flow::Sums(layer), activation, shift),
            StepDesc::Affine { .. }
            | StepDesc::FloatSums { .. }
            | StepDesc::ActivateFloat { .. }
            | StepDesc::Sign { .. }
            | StepDesc::Pool { .. }
            | StepDesc::Map { .. }
            | StepDesc::Reduce { .. } => return None,
        };
        let formula = formula(step, activation);
        let degree = formula.and_then(|formula| formula.degree);
        let end = match (flow, degree) {
            (Flow::Accumulators, _) => one,
            (Flow::Sums(_), degree) => {
                let clipped = BUFFER_MAX as f64 * 2.0_f64.powi(shift as i32);
                clipped.powf(1.0 / f64::from(degree.unwrap_or(1)))
            }
        };
        let even = formula.is_some_and(|formula| {
            let negative = Operands {
                x: -end,
                y: -end,
                one: end,
                shift: 0,
            };
            formula.degree.is_some() && (formula.real.value)(negative) > 0.0
        });
        Some(Self {
            flow,
            degree,
            end,
            even,
        })
    }

    const fn curve(&self) -> Option<Fixed> {
        if self.degree.is_some() {
            None
        } else {
            Some(Fixed::Curve)
        }
    }
}

/// The formula of a step; `None` for custom functions.
fn formula(step: &StepDesc, activation: Activation) -> Option<Formula> {
    let operation = activation.operation()?;
    match step {
        // `whole` squares only where they are kept in 16 bits
        StepDesc::ActivateAccumulator { .. } => operation.accumulators.or(operation.whole),
        StepDesc::ActivateSums { .. } => operation.sums,
        _ => operation.whole,
    }
}

/// The power of its site's gain in the result of a step.
pub(super) fn degree(step: &StepDesc) -> u32 {
    let formula = step
        .activation()
        .and_then(|activation| formula(step, activation));
    formula.and_then(|formula| formula.degree).unwrap_or(0)
}

/// The factor of a buffer, as powers of the gains of sites.
pub(super) type Powers = Vec<(Flow, u32)>;

/// The powers for each buffer.
pub(super) fn powers(net: &NetDesc<'_>) -> Vec<Powers> {
    let mut powers: Vec<Powers> = vec![Vec::new(); net.buffers.len()];
    for step in net.steps {
        match *step {
            StepDesc::ActivateAccumulator { buffer, .. }
            | StepDesc::FloatAccumulator { buffer, .. } => {
                powers[buffer] = vec![(Flow::Accumulators, degree(step))];
            }
            StepDesc::ActivateSums { layer, buffer, .. } => {
                powers[buffer] = vec![(Flow::Sums(layer), degree(step))]
            }
            StepDesc::Pool {
                pool,
                operands: [first, second],
                buffer,
                ..
            } => {
                powers[buffer] = powers[first.buffer].clone();
                if pool == Pool::Product {
                    powers[buffer] = [&*powers[first.buffer], &*powers[second.buffer]].concat();
                }
            }
            StepDesc::Reduce {
                operand, buffer, ..
            } => powers[buffer] = powers[operand.buffer].clone(),
            StepDesc::Affine { .. }
            | StepDesc::AffineDirect { .. }
            | StepDesc::FloatSums { .. }
            | StepDesc::ActivateFloat { .. }
            | StepDesc::Map { .. }
            | StepDesc::Sign { .. } => {}
        }
    }
    powers
}

/// Why other steps forbid a gain.
fn fixed(net: &NetDesc<'_>, flow: Flow) -> Option<Fixed> {
    let powers = powers(net);
    let contains = |buffer: usize| powers[buffer].iter().any(|&(of, _)| of == flow);
    let is_signed = |step: &StepDesc| match *step {
        StepDesc::Sign {
            of: SignOf::Accumulator,
            ..
        } => flow == Flow::Accumulators,
        StepDesc::Sign {
            of: SignOf::Layer(layer),
            ..
        } => flow == Flow::Sums(layer),
        StepDesc::Sign {
            of: SignOf::Buffer(buffer),
            ..
        } => contains(buffer),
        _ => false,
    };
    let is_binary =
        matches!(flow, Flow::Sums(layer) if net.layers[layer].kind == LayerKind::Binary);
    if is_binary || net.steps.iter().any(is_signed) {
        return Some(Fixed::Binary);
    }
    let is_in_expression = |step: &StepDesc| {
        let StepDesc::Map { map, .. } = *step else {
            return false;
        };
        let operands = net.maps[map].operands.iter();
        operands.into_iter().any(|operand| match operand.source {
            MapSource::Accumulator => false,
            MapSource::Layer(layer) => flow == Flow::Sums(layer),
            MapSource::Buffer(buffer) => contains(buffer),
        })
    };
    if net.steps.iter().any(is_in_expression) {
        return Some(Fixed::Expression);
    }
    let is_joined = |step: &StepDesc| match *step {
        StepDesc::Pool {
            pool: Pool::Product,
            ..
        } => false,
        // The sum is clipped again.
        StepDesc::Pool {
            pool: Pool::Add,
            operands,
            ..
        } => operands.iter().any(|o: &Segment| contains(o.buffer)),
        StepDesc::Pool {
            operands: [first, second],
            ..
        } => {
            (contains(first.buffer) || contains(second.buffer))
                && powers[first.buffer] != powers[second.buffer]
        }
        _ => false,
    };
    if net.steps.iter().any(is_joined) {
        return Some(Fixed::Pool);
    }
    let is_output = net
        .output
        .terms
        .iter()
        .any(|term| flow == Flow::Sums(term.layer));
    let is_head = net.heads.iter().any(|head| match head.source {
        HeadSource::Layer(layer) => flow == Flow::Sums(layer),
        HeadSource::Buffer(buffer) => contains(buffer),
    });
    (is_output || is_head).then_some(Fixed::Output)
}
