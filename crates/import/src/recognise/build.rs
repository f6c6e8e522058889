//! Builds pieces from operations: folds constants into adjacent layers, and fuses operations.

use std::collections::BTreeMap;

use super::piece::{
    Affine, Function, Parts, Piece, PieceId, Pieces, Run, Segment, channels, joined, pairs,
};
use crate::op::Steps;

/// Depth of nested pools up to which ranges are computed.
const POOLS: usize = 4;

/// The pieces so far, and the current node.
#[derive(Debug, Default)]
pub(crate) struct Build {
    /// ranges of a layer's outputs, and the layer that each became
    narrow: BTreeMap<Segment, Segment>,
    pub(crate) pieces: Pieces,
    /// the inputs are rows of features
    pub(super) features: bool,
    /// activations that the graph rounds, and their scales
    pub(crate) rounded: BTreeMap<PieceId, f32>,
    /// padding of lists
    pub(crate) padding: Option<i64>,
    pub(crate) node: usize,
}

impl Build {
    /// `features`: the inputs of the graph are rows of features.
    pub(super) fn new(features: bool) -> Self {
        Self {
            features,
            ..Self::default()
        }
    }

    fn add(&mut self, piece: Piece, shape: Vec<usize>) -> Segment {
        self.pieces.add(piece, shape, self.node)
    }

    pub(crate) fn make(&mut self, piece: Piece, shape: Vec<usize>) -> Parts {
        vec![self.add(piece, shape)]
    }

    /// Applies `each` to every segment and the channel where it starts. Shapes are kept.
    fn map(
        &mut self,
        parts: &[Segment],
        mut each: impl FnMut(&mut Self, usize, Segment) -> Segment,
    ) -> Parts {
        let mut start = 0;
        let mut result = Parts::new();
        for &segment in parts {
            result.push(each(self, start, segment));
            start += segment.len;
        }
        joined(result)
    }

    /// An element-wise function. It is applied to whole pieces, so that all parts share the result.
    pub(crate) fn activate(&mut self, parts: &[Segment], function: Function) -> Parts {
        self.map(parts, |build, _, segment| {
            let shape = build.pieces.0[segment.piece].shape.clone();
            let mut whole = Segment {
                piece: segment.piece,
                start: 0,
                len: shape[0],
            };
            let mut function = function;
            if let (
                Function::Clamp { low, high },
                Piece::Activate {
                    x,
                    function:
                        Function::Clamp {
                            low: first,
                            high: last,
                        },
                },
            ) = (function, build.pieces.of(whole))
            {
                function = Function::Clamp {
                    low: first.clamp(low, high),
                    high: last.clamp(low, high),
                };
                whole = *x;
            }
            // The operand of merged clamps may itself need the rewrite.
            let made = match build.greatest_of_activated(whole, function) {
                Some(greatest) => build.add(greatest, shape),
                None => build.add(Piece::Activate { x: whole, function }, shape),
            };
            Segment {
                piece: made.piece,
                ..segment
            }
        })
    }

    /// Rewrites `f(max(a, b))` over sums as `max(f(a), f(b))` for monotonic `f`, because the language
    /// activates first.
    fn greatest_of_activated(&mut self, whole: Segment, function: Function) -> Option<Piece> {
        let never_falls = matches!(
            function,
            Function::Clamp { .. } | Function::Named("sigmoid" | "tanh" | "leaky_relu")
        );
        if !self.features || !never_falls {
            return None;
        }
        let are_sums = |x: &Segment| {
            matches!(
                self.pieces.of(*x),
                Piece::Affine(_) | Piece::Chosen { .. } | Piece::Turned { .. }
            )
        };
        match *self.pieces.of(whole) {
            Piece::Larger { a, b } if are_sums(&a) && are_sums(&b) => {
                let [a, b] = [a, b].map(|x| self.activate(&[x], function)[0]);
                Some(Piece::Larger { a, b })
            }
            Piece::Runs {
                x,
                size,
                run: Run::Greatest,
            } if are_sums(&x) => {
                let x = self.activate(&[x], function)[0];
                Some(Piece::Runs {
                    x,
                    size,
                    run: Run::Greatest,
                })
            }
            _ => None,
        }
    }

    /// One number for each `size` neighbours; nothing if a group spans two values.
    pub(super) fn runs(&mut self, parts: &[Segment], size: usize, run: Run) -> Option<Parts> {
        let mut result = Parts::new();
        for &x in parts {
            if !x.len.is_multiple_of(size) {
                return None;
            }
            result.push(self.add(Piece::Runs { x, size, run }, vec![x.len / size]));
        }
        Some(joined(result))
    }

    /// Quantised values: clamped to the range of the steps, unless their own range is within it.
    pub(crate) fn rounded(&mut self, parts: &[Segment], steps: Steps) -> Parts {
        let [low, high] = steps.limits();
        let held = self.map(parts, |build, _, segment| {
            match build.pieces.range(segment, POOLS) {
                Some([least, most]) if low <= least && most <= high => segment,
                _ => build.activate(&[segment], Function::Clamp { low, high })[0],
            }
        });
        self.rounded
            .extend(held.iter().map(|segment| (segment.piece, steps.scale)));
        held
    }

    pub(crate) fn sign(&mut self, parts: &[Segment]) -> Parts {
        self.map(parts, |build, _, segment| {
            let shape = build.pieces.shape(segment);
            build.add(Piece::Sign { x: segment }, shape)
        })
    }

    /// `x * factor + shift` by channel, folded into the layer that makes `x` if there is one.
    pub(crate) fn scale(&mut self, parts: &[Segment], factor: &[f32], shift: &[f32]) -> Parts {
        self.map(parts, |build, start, segment| {
            let (factor, shift) = (
                &factor[start..][..segment.len],
                &shift[start..][..segment.len],
            );
            if is_same(factor, shift) {
                return segment;
            }
            if let Some(affine) = build.pieces.affine(segment) {
                let mut affine = affine.clone();
                let size = affine.weight.len() / factor.len();
                for (output, factor) in factor.iter().enumerate() {
                    affine.weight[output * size..][..size]
                        .iter_mut()
                        .for_each(|weight| *weight *= factor);
                    affine.bias[output] = affine.bias[output] * factor + shift[output];
                }
                let shape = build.pieces.shape(segment);
                return build.add(Piece::Affine(affine), shape);
            }
            if let (
                true,
                Piece::Scale {
                    x,
                    factor: first,
                    shift: moved,
                },
            ) = (build.pieces.is_whole(segment), build.pieces.of(segment))
            {
                let x = *x;
                let both = first
                    .iter()
                    .zip(factor)
                    .map(|(first, factor)| first * factor)
                    .collect();
                let moved = moved
                    .iter()
                    .zip(factor)
                    .zip(shift)
                    .map(|((moved, factor), shift)| moved * factor + shift)
                    .collect();
                return build.scaled(x, both, moved);
            }
            build.scaled(segment, factor.to_vec(), shift.to_vec())
        })
    }

    /// `x * factor + shift`, or `x` for the identity.
    fn scaled(&mut self, x: Segment, factor: Vec<f32>, shift: Vec<f32>) -> Segment {
        if is_same(&factor, &shift) {
            return x;
        }
        let shape = self.pieces.shape(x);
        self.add(Piece::Scale { x, factor, shift }, shape)
    }

    /// Batch norm: a piece of its own, or over features part of the layer before it.
    pub(crate) fn norm(&mut self, parts: &[Segment], tensors: &[Vec<f32>; 4], eps: f64) -> Parts {
        if self.features {
            let [weight, bias, mean, variance] = tensors
                .each_ref()
                .map(|tensor| tensor.iter().copied().map(f64::from));
            let factors: Vec<f64> = weight
                .zip(variance)
                .map(|(weight, var)| weight / (var + eps).sqrt())
                .collect();
            let shifts = bias
                .zip(mean)
                .zip(&factors)
                .map(|((bias, mean), factor)| (bias - mean * factor) as f32);
            let shifts: Vec<f32> = shifts.collect();
            let factors: Vec<f32> = factors.iter().map(|&factor| factor as f32).collect();
            return self.scale(parts, &factors, &shifts);
        }
        self.map(parts, |build, start, segment| {
            let tensors = tensors
                .each_ref()
                .map(|tensor| tensor[start..][..segment.len].to_vec());
            let shape = build.pieces.shape(segment);
            build.add(
                Piece::Norm {
                    x: segment,
                    tensors,
                    eps,
                },
                shape,
            )
        })
    }

    /// Element-wise sum. Two layers of the same value are merged by adding their weights.
    pub(crate) fn sum(&mut self, a: &[Segment], b: &[Segment]) -> Parts {
        let mut result = Parts::new();
        for (_, a, b) in pairs(a, b) {
            let shape = self.pieces.shape(a);
            let merged = match (self.pieces.affine(a), self.pieces.affine(b)) {
                (Some(one), Some(other))
                    if one.x == other.x
                        && one.windows == other.windows
                        && !one.input_scale
                        && !other.input_scale =>
                {
                    let add = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a + b).collect();
                    let (weight, bias) =
                        (add(&one.weight, &other.weight), add(&one.bias, &other.bias));
                    Some(Affine {
                        weight,
                        bias,
                        ..one.clone()
                    })
                }
                _ => None,
            };
            result.push(self.add(merged.map_or(Piece::Sum { a, b }, Piece::Affine), shape));
        }
        joined(result)
    }

    /// Element-wise maximum.
    pub(crate) fn larger(&mut self, a: &[Segment], b: &[Segment]) -> Parts {
        let mut result = Parts::new();
        for (_, a, b) in pairs(a, b) {
            let shape = self.pieces.shape(a);
            result.push(self.add(Piece::Larger { a, b }, shape));
        }
        joined(result)
    }

    /// Element-wise product: a square, a gated activation, or a product. Constant factors are moved behind
    /// it.
    pub(crate) fn product(&mut self, a: &[Segment], b: &[Segment]) -> Parts {
        let mut result = Parts::new();
        for (_, a, b) in pairs(a, b) {
            result.extend(self.product_of(a, b));
        }
        joined(result)
    }

    fn product_of(&mut self, a: Segment, b: Segment) -> Parts {
        if a == b {
            return self.activate(&[a], Function::Square);
        }
        let zeros = vec![0.0; a.len];
        for (x, gate) in [(a, b), (b, a)] {
            if let Some((name, times)) = self.gated(x, gate) {
                let activated = self.activate(&[x], Function::Named(name));
                return self.scale(&activated, &vec![times; x.len], &zeros);
            }
            if let Piece::Scale {
                x: inner,
                factor,
                shift,
            } = self.pieces.of(gate)
                && self.pieces.is_whole(gate)
                && *shift == zeros
            {
                let (inner, factor) = (*inner, factor.clone());
                let product = self.product_of(x, inner);
                return self.scale(&product, &factor, &zeros);
            }
        }
        let shape = self.pieces.shape(a);
        vec![self.add(Piece::Product { a, b }, shape)]
    }

    /// Recognises `x * gate` as an activation and a factor: `x * sigmoid(x)`, `x * clamp(x / 6 + 0.5, 0, 1)`,
    /// `x * clamp(x + 3, 0, 6)`.
    fn gated(&self, x: Segment, gate: Segment) -> Option<(&'static str, f32)> {
        let Piece::Activate { x: of, function } = *self.pieces.of(gate) else {
            return None;
        };
        match function {
            _ if !self.pieces.is_whole(gate) => None,
            Function::Named("sigmoid") if of == x => Some(("silu", 1.0)),
            Function::Clamp {
                low: 0.0,
                high: 1.0,
            } if self.is_scaled(of, x, 1.0 / 6.0, 0.5) => Some(("hard_swish", 1.0)),
            Function::Clamp {
                low: 0.0,
                high: 6.0,
            } if self.is_scaled(of, x, 1.0, 3.0) => Some(("hard_swish", 6.0)),
            _ => None,
        }
    }

    /// Whether `y` is `x * by + add`, also where that was folded into the layer `x`.
    fn is_scaled(&self, y: Segment, x: Segment, by: f32, add: f32) -> bool {
        let near =
            |found: f32, expected: f32| (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
        let all = |found: &[f32], expected: &[f32], add: f32| {
            found.len() == expected.len()
                && found
                    .iter()
                    .zip(expected)
                    .all(|(found, expected)| near(*found, expected * by + add))
        };
        match (
            self.pieces.of(y),
            self.pieces.affine(y),
            self.pieces.affine(x),
        ) {
            (
                Piece::Scale {
                    x: of,
                    factor,
                    shift,
                },
                ..,
            ) if *of == x => {
                factor.iter().all(|factor| near(*factor, by))
                    && shift.iter().all(|shift| near(*shift, add))
            }
            (_, Some(y), Some(x)) => {
                let same = y.x == x.x && y.windows == x.windows && y.input_scale == x.input_scale;
                same && all(&y.weight, &x.weight, 0.0) && all(&y.bias, &x.bias, add)
            }
            _ => false,
        }
    }

    /// A range of outputs as a layer of its own.
    pub(crate) fn narrowed(&mut self, segment: Segment) -> Segment {
        let whole = Segment {
            piece: segment.piece,
            start: 0,
            len: self.pieces.0[segment.piece].shape[0],
        };
        let Some(affine) = self.pieces.affine(whole).filter(|_| segment != whole) else {
            return segment;
        };
        if let Some(&known) = self.narrow.get(&segment) {
            return known;
        }
        let size = affine.weight.len() / affine.bias.len().max(1);
        let outputs = segment.start..segment.start + segment.len;
        let affine = Affine {
            weight: affine.weight[outputs.start * size..outputs.end * size].to_vec(),
            bias: affine.bias[outputs].to_vec(),
            ..affine.clone()
        };
        let shape = self.pieces.shape(segment);
        let own = self.add(Piece::Affine(affine), shape);
        self.narrow.insert(segment, own);
        own
    }

    /// [`Self::narrowed`] for layers over inputs, except halves, which are multiplied with each other.
    pub(crate) fn narrowed_rows(&mut self, parts: Parts) -> Parts {
        let mut result = Parts::new();
        for segment in parts {
            let (reads_input, outputs) = match &self.pieces.0[segment.piece].piece {
                Piece::Affine(affine) => (self.reads_input(affine), affine.bias.len()),
                _ => (false, 0),
            };
            result.push(if reads_input && 2 * segment.len != outputs {
                self.narrowed(segment)
            } else {
                segment
            });
        }
        result
    }

    /// Whether a layer reads an input of the graph.
    fn reads_input(&self, affine: &Affine) -> bool {
        matches!(affine.x.as_slice(), &[x] if matches!(self.pieces.of(x), Piece::Input(_)))
    }

    /// `a` where the input `us` is 1, `b` where it is 0.
    pub(crate) fn turned(&mut self, us: usize, a: &[Segment], b: &[Segment]) -> Parts {
        let mut result = Parts::new();
        for (_, a, b) in pairs(a, b) {
            let shape = self.pieces.shape(a);
            result.push(self.add(Piece::Turned { us, a, b }, shape));
        }
        joined(result)
    }

    /// A layer or a convolution. Factors of its operands are folded into the weights, in a layer shifts into
    /// the bias too.
    pub(crate) fn affine(&mut self, mut affine: Affine, shape: Vec<usize>) -> Parts {
        let inputs = channels(&affine.x);
        let size = affine.weight.len() / (affine.bias.len() * inputs).max(1);
        let mut start = 0;
        for segment in affine.x.clone() {
            if let Piece::Scale { x, factor, shift } = self.pieces.of(segment).clone()
                && (affine.windows.is_none() || shift.iter().all(|shift| *shift == 0.0))
            {
                for (output, bias) in affine.bias.iter_mut().enumerate() {
                    let mut moved = f64::from(*bias);
                    for channel in 0..segment.len {
                        let weights = &mut affine.weight
                            [(output * inputs + start + channel) * size..][..size];
                        let (factor, shift) = (
                            factor[segment.start + channel],
                            shift[segment.start + channel],
                        );
                        for weight in weights {
                            moved += f64::from(*weight) * f64::from(shift);
                            *weight *= factor;
                        }
                    }
                    *bias = moved as f32;
                }
                let mut at = 0;
                for part in &mut affine.x {
                    if at == start {
                        *part = Segment {
                            piece: x.piece,
                            start: x.start + segment.start,
                            len: segment.len,
                        };
                    }
                    at += part.len;
                }
            }
            start += segment.len;
        }
        self.make(Piece::Affine(affine), shape)
    }
}

fn is_same(factor: &[f32], shift: &[f32]) -> bool {
    factor.iter().all(|factor| *factor == 1.0) && shift.iter().all(|shift| *shift == 0.0)
}
