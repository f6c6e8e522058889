//! Finds shapes that match the size of a file, by trying all values of the few numbers that determine it.
//!
//! ```text
//!   bytes = skipped + (768 * K + T) * H * e(l0w) + H * e(l0b) + O * (n * inputs * e(l1w) + n * e(l1b)) + ..      + padding below 64
//! ```

use std::fmt;

use nnue_spec::{ElementType, Padding, ThreatPairs};

use super::head::Head;
use super::inputs::Inputs;
use super::list::{Kind, Saved};
use super::program::Program;
use super::request::Search;

/// Features per king bucket.
const ROWS: u64 = 768;

/// Hidden layer widths to try, the commonest first.
const HIDDEN: [[u64; 2]; 14] = [
    [16, 32],
    [8, 32],
    [32, 32],
    [16, 16],
    [16, 8],
    [8, 16],
    [8, 8],
    [32, 16],
    [64, 32],
    [32, 8],
    [64, 64],
    [24, 32],
    [48, 32],
    [16, 64],
];

/// The sizes that a list of tensors leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// width of one perspective's accumulator
    pub(super) width: u64,
    pub(super) kings: u64,
    /// rows of a built-in set of threats beside the pieces; 0 without one
    pub(super) threats: u64,
    pub(super) outputs: u64,
    /// outputs of the layers before the last one
    pub(super) hidden: Vec<u64>,
    /// accumulators that the next layer reads: 1 or 2
    pub(super) perspectives: u64,
    /// pairwise multiplication after the accumulator
    pub(super) pairwise: bool,
    pub(super) padding: Padding,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "--width {} --king-buckets {} --output-buckets {}",
            self.width, self.kings, self.outputs
        )?;
        if let [first, rest @ ..] = self.hidden.as_slice() {
            write!(f, " --hidden {first}")?;
            rest.iter().try_for_each(|next| write!(f, ",{next}"))?;
            write!(
                f,
                " ({})",
                if self.pairwise {
                    "pairwise"
                } else {
                    "not pairwise"
                }
            )?;
        }
        if self.threats > 0 {
            write!(f, " (with FullThreats[{}])", self.threats)?;
        }
        if self.perspectives == 1 {
            write!(f, " (single perspective)")
        } else {
            Ok(())
        }
    }
}

/// The end of the file, where padding may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    Unknown,
    /// the last bytes, at most 63
    Bytes(Vec<u8>),
}

impl Tail {
    /// The end of a file.
    pub(super) fn of(file: &[u8]) -> Self {
        let most = Padding::ALIGNMENT - 1;
        Self::Bytes(file[file.len().saturating_sub(most)..].to_vec())
    }

    /// The kind of padding in the last `count` bytes.
    fn padding(&self, count: u64) -> Option<Padding> {
        match self {
            _ if count == 0 => Some(Padding::None),
            Self::Unknown => Some(Padding::Any),
            Self::Bytes(bytes) => {
                let bytes = &bytes[bytes.len().checked_sub(count as usize)?..];
                let is = |padding: &Padding| {
                    bytes
                        .iter()
                        .enumerate()
                        .all(|(index, &byte)| byte == padding.byte(index))
                };
                [Padding::Text, Padding::Zeros].into_iter().find(is)
            }
        }
    }
}

/// All shapes of the right size, the likeliest first.
pub(super) fn fitting(
    saved: &[Saved],
    program: &Program,
    size: u64,
    tail: &Tail,
    search: &Search<'_>,
) -> Vec<Shape> {
    let hidden: Vec<Vec<u64>> = match (search.sizes.hidden, hidden_layers(saved, search.heads)) {
        (_, 0) => vec![Vec::new()],
        (given, count) if !given.is_empty() => {
            if given.len() == count {
                vec![given.to_vec()]
            } else {
                Vec::new()
            }
        }
        (_, 1) => [8, 16, 32, 64].map(|first| vec![first]).to_vec(),
        (_, 2) => HIDDEN.iter().map(|pair| pair.to_vec()).collect(),
        _ => Vec::new(),
    };
    let only =
        |wanted: Option<u64>| move |number: &u64| wanted.is_none_or(|wanted| wanted == *number);
    let said = program.inputs.as_ref().and_then(Inputs::kings);
    let (kings_of, outputs_of) = (
        search.sizes.king_buckets.or(said),
        search.sizes.output_buckets.or(program.outputs),
    );
    let inputs: Vec<(u64, u64)> = (1..=64)
        .filter(only(kings_of))
        .flat_map(|kings| {
            threats(saved, program, search, kings).map(move |threats| (kings, threats))
        })
        .collect();
    let mut found = Vec::new();
    for hidden in &hidden {
        for (perspectives, pairwise) in heads(saved, program, hidden) {
            for &(kings, threats) in &inputs {
                for outputs in (1..=32).filter(only(outputs_of)) {
                    let open = Open {
                        hidden,
                        perspectives,
                        pairwise,
                        kings,
                        threats,
                        outputs,
                        heads: search.heads,
                    };
                    found.extend(
                        open.solve(saved, size, tail)
                            .filter(|shape| only(search.sizes.width)(&shape.width)),
                    );
                }
            }
        }
    }
    found.sort_by_key(unlikeliness);
    found
}

/// The rows of threats to try beside the pieces: none, and the built-in sets in a tensor of i8, as their rows are, if the
/// program does not define the inputs. Any large size would fit some number of king buckets: those must be asked for.
fn threats(
    saved: &[Saved],
    program: &Program,
    search: &Search<'_>,
    kings: u64,
) -> impl Iterator<Item = u64> + use<> {
    let rows = saved
        .iter()
        .find(|saved| !saved.is_bias() && saved.element().is_some());
    let is_one_tensor = !saved.iter().any(|tensor| tensor.is_second(saved))
        && rows.is_some_and(|rows| {
            let transposed = matches!(
                rows.kind,
                Kind::Tensor {
                    transposed: true,
                    ..
                }
            );
            rows.element() == Some(ElementType::I8) && !transposed
        });
    let is_open = is_one_tensor
        && program.inputs.is_none()
        && (kings == 1 || search.sizes.king_buckets.is_some());
    let sets = ThreatPairs::PUBLISHED.map(|set| set.rows() as u64);
    std::iter::once(0).chain(sets.into_iter().filter(move |_| is_open))
}

/// The number of layers between the accumulators and the last layer.
pub(super) fn hidden_layers(saved: &[Saved], heads: &[Head]) -> usize {
    let is_weight = |tensor: &&Saved| {
        let is_of_chain = !tensor.is_second(saved) && !heads.iter().any(|head| tensor.is_of(head));
        matches!(tensor.kind, Kind::Tensor { .. }) && !tensor.is_bias() && is_of_chain
    };
    saved.iter().filter(is_weight).count().saturating_sub(2)
}

/// How the first layer may read the accumulators: count, and pairwise or not. Facts from the program narrow
/// the search.
fn heads(saved: &[Saved], program: &Program, hidden: &[u64]) -> Vec<(u64, bool)> {
    let is_separate = saved.iter().any(|tensor| tensor.is_second(saved));
    let perspectives = match program.perspectives {
        _ if is_separate => vec![2],
        Some(perspectives) => vec![perspectives],
        None => vec![2, 1],
    };
    let first = saved
        .iter()
        .find(|saved| matches!(saved.kind, Kind::Tensor { .. }));
    let pairwise = match first.and_then(|first| program.activation(&first.id)) {
        Some(activation) => vec![activation == "pairwise"],
        None if hidden.is_empty() => vec![false],
        None => vec![true, false],
    };
    perspectives
        .iter()
        .flat_map(|&count| pairwise.iter().map(move |&pairwise| (count, pairwise)))
        .collect()
}

struct Open<'a> {
    hidden: &'a [u64],
    perspectives: u64,
    pairwise: bool,
    kings: u64,
    threats: u64,
    outputs: u64,
    heads: &'a [Head],
}

impl Open<'_> {
    /// Solves for the width. It is unique, since each pair of neurons adds at least as many bytes as the
    /// alignment.
    fn solve(&self, saved: &[Saved], size: u64, tail: &Tail) -> Option<Shape> {
        let fixed = self.bytes(saved, 0);
        // two neurons: pairwise layers have one input per pair
        let slope = self
            .bytes(saved, 2)
            .checked_sub(fixed)
            .filter(|&slope| slope >= Padding::ALIGNMENT as u64)?;
        let rest = size.checked_sub(fixed)?;
        let (width, left) = (2 * (rest / slope), rest % slope);
        let alignment = Padding::ALIGNMENT as u64;
        let padded = left == 0 || (left < alignment && size.is_multiple_of(alignment));
        if !padded || !width.is_multiple_of(32) || !(32..=8192).contains(&width) {
            return None;
        }
        let padding = match tail.padding(left)? {
            // a file that happens to end at a multiple may be padded or not
            Padding::None if size.is_multiple_of(alignment) => Padding::Any,
            padding => padding,
        };
        let &Self {
            hidden,
            perspectives,
            pairwise,
            kings,
            threats,
            outputs,
            ..
        } = self;
        Some(Shape {
            width,
            kings,
            threats,
            outputs,
            hidden: hidden.to_vec(),
            perspectives,
            pairwise,
            padding,
        })
    }

    /// The size of all tensors for an accumulator of `width` neurons.
    fn bytes(&self, saved: &[Saved], width: u64) -> u64 {
        let mut layer = [0_usize; 2];
        let mut total = 0;
        for tensor in saved {
            match tensor.kind {
                Kind::Bytes(bytes) => total += bytes,
                Kind::Tensor { element, .. } if tensor.is_second(saved) => {
                    total += self.elements(0, tensor.is_bias(), width) * element.bytes() as u64;
                }
                Kind::Tensor { element, .. }
                    if let Some(head) = self.heads.iter().find(|head| tensor.is_of(head)) =>
                {
                    let inputs = if tensor.is_bias() {
                        1
                    } else {
                        head.inputs(self.hidden, self.activated(width))
                    };
                    total += self.outputs * head.neurons() * inputs * element.bytes() as u64;
                }
                Kind::Tensor { element, .. } => {
                    let count = &mut layer[usize::from(tensor.is_bias())];
                    total +=
                        self.elements(*count, tensor.is_bias(), width) * element.bytes() as u64;
                    *count += 1;
                }
            }
        }
        total
    }

    /// The number of activated values.
    fn activated(&self, width: u64) -> u64 {
        if self.pairwise {
            self.perspectives * width / 2
        } else {
            self.perspectives * width
        }
    }

    /// The number of elements of a layer's weights or bias. Layer 0 is the feature transformer.
    fn elements(&self, layer: usize, is_bias: bool, width: u64) -> u64 {
        if layer == 0 {
            return if is_bias {
                width
            } else {
                (ROWS * self.kings + self.threats) * width
            };
        }
        let outputs = self.outputs * self.hidden.get(layer - 1).copied().unwrap_or(1);
        let inputs = match layer {
            1 => self.activated(width),
            _ => self.hidden[layer - 2],
        };
        if is_bias { outputs } else { outputs * inputs }
    }
}

/// Small for shapes that engines use, large for others.
pub(super) fn unlikeliness(shape: &Shape) -> u64 {
    let width = match shape.width {
        width if width.is_power_of_two() => 0,
        width if width.is_multiple_of(256) => 1,
        width if width.is_multiple_of(128) => 2,
        width if width.is_multiple_of(64) => 4,
        _ => 6,
    };
    let kings = match shape.kings {
        1 => 0,
        4 | 5 | 8 | 10 | 16 => 2,
        2..=16 => 3,
        _ => 5,
    };
    let outputs = match shape.outputs {
        1 | 8 => 0,
        2 | 4 | 16 => 2,
        _ => 4,
    };
    let hidden = HIDDEN
        .iter()
        .position(|pair| pair[..] == shape.hidden[..])
        .unwrap_or(0) as u64;
    let padding = u64::from(shape.padding == Padding::None);
    let single = if shape.perspectives == 1 { 4 } else { 0 };
    let threats = if shape.threats > 0 { 6 } else { 0 };
    width
        + kings
        + outputs
        + hidden.min(4)
        + padding
        + single
        + threats
        + u64::from(!shape.pairwise && !shape.hidden.is_empty())
}
