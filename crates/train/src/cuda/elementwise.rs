//! The kernels of elementwise operations on values and pairs of values.

use std::ops::Range;

use nnue_spec::op::{Pairs, Reduce, Strided};

use super::curves::{self, Curve};
use super::kernel::{Kernel, Places, literal, tiles};
use super::layers::biases;
use super::layout::Layout;
use super::unsupported::Unsupported;
use crate::network::elementwise::Elementwise;

/// Results per thread. On an H200, 15 results of 16384 positions take 4.5 us with 4, 6 us with 8 and 9 us
/// with 16.
const RESULTS: usize = 4;

/// Results that the threads of a position share, if the operands are accumulators.
const SHARED: usize = 64;

/// Threads per position. A warp then stores results of 8 positions, a sector of 32 bytes, at once. On an
/// H200, products of 256x2 take 24 us; with 8 threads, which store half sectors, 60 us.
const LANES: u32 = 4;

/// The same for gradients, which store accumulators: 41 us, with 8 threads 56 us.
const LANES_OF_GRADIENT: u32 = 16;

/// How results of a position are divided among threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// a thread has a few adjacent results; operands and results are columns, with positions adjacent in
    /// memory
    Tiles,
    /// this many adjacent threads share a tile in steps of their number; the operands are accumulators
    Lanes(u32),
    /// a thread has all results, because several may share an operand, to whose gradient only one thread may
    /// add
    None,
}

impl Split {
    /// For results with distinct operands that start at `operands.start`.
    pub(super) const fn of(operands: &Range<usize>, places: Places) -> Self {
        if operands.start < places.accumulators {
            Self::Lanes(LANES)
        } else {
            Self::Tiles
        }
    }

    /// The division for the gradient of the operands.
    const fn of_gradient(self) -> Self {
        match self {
            Self::Lanes(_) => Self::Lanes(LANES_OF_GRADIENT),
            Self::Tiles | Self::None => self,
        }
    }
}

/// An operation with the addresses of its operands.
pub(super) struct Operation<'n> {
    pub(super) number: usize,
    pub(super) operation: &'n Elementwise<f32>,
    pub(super) places: Places,
    pub(super) layout: &'n Layout,
    pub(super) stacks: usize,
}

/// Addresses of the operands of result `r`.
pub(super) struct Paired {
    pub(super) x: String,
    /// `None`: the same as x
    pub(super) y: Option<String>,
}

impl Paired {
    /// For an activation whose operands and results are in `parts` equal parts.
    pub(super) fn of_activation(
        pairs: Option<Pairs>,
        operands: &Range<usize>,
        (parts, results): (usize, usize),
        places: Places,
    ) -> Self {
        let (of_part, each) = (operands.len() / parts, results / parts);
        let Strided {
            starts: [first, second],
            stride,
        } = match pairs {
            Some(pairs) => Pairs::places(pairs, of_part),
            None => Strided {
                starts: [0, 0],
                stride: 1,
            },
        };
        let place = |start: usize| {
            places.of(
                operands.start,
                format!("r / {each} * {of_part} + r % {each} * {stride} + {start}"),
            )
        };
        Self {
            x: place(first),
            y: pairs.map(|_| place(second)),
        }
    }

    pub(super) fn of_pool(Strided { starts, stride }: Strided, places: Places) -> Self {
        let [x, y] = starts.map(|start| places.of(start, format!("r * {stride}")));
        Self { x, y: Some(y) }
    }
}

/// A curve with the addresses of its operands and results.
struct Pointwise {
    curve: Curve,
    one: f32,
    shift: u32,
    paired: Paired,
    first_result: usize,
    results: usize,
    split: Split,
}

impl Operation<'_> {
    /// The curve of the operation, if it has one.
    pub(super) fn curve(&self) -> Result<Option<Curve>, Unsupported> {
        Ok(self.pointwise()?.map(|pointwise| pointwise.curve))
    }

    pub(super) fn forward(&self) -> Result<Kernel, Unsupported> {
        if let Some(pointwise) = self.pointwise()? {
            return Ok(pointwise.forward(self));
        }
        let (comment, each, body) = match self.operation {
            Elementwise::Reduce {
                reduce: Reduce::Mean,
                size,
                operands,
                results,
            } => {
                let x = self.places.of(operands.start, format!("r * {size} + k"));
                let (y, share) = (
                    self.places.of(results.start, "r"),
                    literal(1.0 / *size as f32),
                );
                let body = format!(
                    "float sum = 0.0f; for (int k = 0; k < {size}; k++) sum += values[{x}]; values[{y}] = sum * {share};"
                );
                ("The means of runs of values.\n", results, body)
            }
            Elementwise::Reduce {
                reduce: Reduce::Maximum,
                size,
                operands,
                results,
            } => {
                let (find, best) = self.greatest(*size, operands);
                let body = format!(
                    "{find} values[{}] = {best};",
                    self.places.of(results.start, "r")
                );
                ("The greatest of runs of values.\n", results, body)
            }
            Elementwise::Sign {
                operands, results, ..
            } => {
                let (x, y) = (
                    self.places.of(operands.start, "r"),
                    self.places.of(results.start, "r"),
                );
                (
                    "Signs.\n",
                    results,
                    format!("values[{y}] = sign_of(values[{x}]);"),
                )
            }
            Elementwise::ToFloats {
                unit,
                bias,
                operands,
                results,
            } => {
                let (x, y) = (
                    self.places.of(operands.start, "r"),
                    self.places.of(results.start, "r"),
                );
                let (unit, offset, many) =
                    (literal(*unit), self.layout.offsets[*bias], results.len());
                let bias = format!("parameters[{offset} + (size_t)stacks[position] * {many} + r]");
                (
                    "Sums of whole numbers for layers of floats.\n",
                    results,
                    format!("values[{y}] = values[{x}] * {unit} + {bias};"),
                )
            }
            Elementwise::Scale { values, factor } => {
                let x = self.places.of(values.start, "r");
                (
                    "Another unit.\n",
                    values,
                    format!("values[{x}] *= {};", literal(*factor)),
                )
            }
            Elementwise::Activate { .. } | Elementwise::Pool { .. } => {
                unreachable!("they have a curve")
            }
        };
        Ok(loop_of(
            format!("elementwise_{}", self.number),
            comment,
            each.len(),
            &body,
        ))
    }

    pub(super) fn backward(&self) -> Result<Vec<Kernel>, Unsupported> {
        if let Some(pointwise) = self.pointwise()? {
            return Ok(vec![pointwise.backward(self)]);
        }
        let name = format!("of_elementwise_{}", self.number);
        Ok(match self.operation {
            Elementwise::Reduce {
                reduce: Reduce::Mean,
                size,
                operands,
                results,
            } => {
                let x = self.places.of(operands.start, "r");
                let y = self.places.of(results.start, format!("r / {size}"));
                let body = format!(
                    "slopes[{x}] += slopes[{y}] * {};",
                    literal(1.0 / *size as f32)
                );
                vec![loop_of(
                    name,
                    "The gradient of means.\n",
                    operands.len(),
                    &body,
                )]
            }
            Elementwise::Reduce {
                reduce: Reduce::Maximum,
                size,
                operands,
                results,
            } => {
                let (find, best) = self.greatest(*size, operands);
                let of_best = best.replacen("values", "slopes", 1);
                let body = format!(
                    "{find} {of_best} += slopes[{}];",
                    self.places.of(results.start, "r")
                );
                vec![loop_of(
                    name,
                    "The gradient of greatest values.\n",
                    results.len(),
                    &body,
                )]
            }
            Elementwise::Sign {
                unit,
                operands,
                results,
            } => {
                let (x, y) = (
                    self.places.of(operands.start, "r"),
                    self.places.of(results.start, "r"),
                );
                let unit = literal(*unit);
                let body = format!(
                    "if (fabsf(values[{x}] * {unit}) <= 1.0f) slopes[{x}] += slopes[{y}] * {unit};"
                );
                vec![loop_of(
                    name,
                    "The gradient of signs passes where values are at most 1.0.\n",
                    results.len(),
                    &body,
                )]
            }
            Elementwise::ToFloats {
                unit,
                bias,
                operands,
                results,
            } => {
                let (x, y) = (
                    self.places.of(operands.start, "r"),
                    self.places.of(results.start, "r"),
                );
                let body = format!("slopes[{x}] += slopes[{y}] * {};", literal(*unit));
                let offset = self.layout.offsets[*bias];
                vec![
                    loop_of(name, "The gradient of sums.\n", results.len(), &body),
                    biases(
                        self.number,
                        results,
                        (self.places, self.stacks),
                        offset,
                        1.0,
                    ),
                ]
            }
            Elementwise::Scale { values, factor } => {
                let x = self.places.of(values.start, "r");
                vec![loop_of(
                    name,
                    "Another unit.\n",
                    values.len(),
                    &format!("slopes[{x}] *= {};", literal(*factor)),
                )]
            }
            Elementwise::Activate { .. } | Elementwise::Pool { .. } => {
                unreachable!("they have a curve")
            }
        })
    }

    /// Code that finds the index `best` of the greatest of run `r` (the first of equal ones), and the
    /// expression of that value.
    fn greatest(&self, size: usize, operands: &Range<usize>) -> (String, String) {
        let place = |k: &str| {
            format!(
                "values[{}]",
                self.places.of(operands.start, format!("r * {size} + {k}"))
            )
        };
        let (x, best) = (place("k"), place("best"));
        (
            format!("int best = 0; for (int k = 1; k < {size}; k++) if ({x} > {best}) best = k;"),
            best,
        )
    }

    fn pointwise(&self) -> Result<Option<Pointwise>, Unsupported> {
        Ok(match self.operation {
            Elementwise::Activate {
                function,
                constants,
                parts,
                operands,
                results,
                ..
            } => {
                let of_accumulators = operands.start < self.places.accumulators;
                let curve = curves::activation(*function, of_accumulators);
                let curve = curve.ok_or(Unsupported {
                    what: "an activation of the program",
                })?;
                Some(Pointwise {
                    curve,
                    one: constants.one,
                    shift: constants.shift,
                    paired: Paired::of_activation(
                        constants.pairs,
                        operands,
                        (*parts, results.len()),
                        self.places,
                    ),
                    first_result: results.start,
                    results: results.len(),
                    split: Split::of(operands, self.places),
                })
            }
            Elementwise::Pool {
                pool,
                constants: (one, shift),
                places,
                results,
                ..
            } => {
                Some(Pointwise {
                    curve: curves::pool(*pool),
                    one: *one,
                    shift: *shift,
                    paired: Paired::of_pool(*places, self.places),
                    first_result: results.start,
                    results: results.len(),
                    // Runs may overlap.
                    split: Split::None,
                })
            }
            Elementwise::Reduce { .. }
            | Elementwise::Sign { .. }
            | Elementwise::ToFloats { .. }
            | Elementwise::Scale { .. } => None,
        })
    }
}

impl Pointwise {
    fn forward(&self, operation: &Operation<'_>) -> Kernel {
        let name = self.curve.name;
        let line = format!(
            "values[{}] = {name}({});",
            self.result(operation),
            self.arguments()
        );
        let name = format!("{name}_{}", operation.number);
        loop_by(
            name,
            "Values of an activation.\n",
            (self.results, self.split),
            &self.operands(&line),
        )
    }

    fn backward(&self, operation: &Operation<'_>) -> Kernel {
        let name = self.curve.name;
        let (slope, arguments) = (self.result(operation), self.arguments());
        let by = |part: &str| format!("{name}_by_{part}({arguments})");
        let Paired { x, y } = &self.paired;
        let lines = match y {
            None => format!(
                "slopes[{x}] += slopes[{slope}] * ({} + {});",
                by("x"),
                by("y")
            ),
            Some(y) => format!(
                "slopes[{x}] += slopes[{slope}] * {};\n        slopes[{y}] += slopes[{slope}] * {};",
                by("x"),
                by("y")
            ),
        };
        let (name, results) = (
            format!("of_{name}_{}", operation.number),
            (self.results, self.split.of_gradient()),
        );
        loop_by(
            name,
            "The gradient of its operands.\n",
            results,
            &self.operands(&lines),
        )
    }

    /// Loads both operands, then `lines`.
    fn operands(&self, lines: &str) -> String {
        let Paired { x, y } = &self.paired;
        format!(
            "float x = values[{x}], y = values[{}];\n        {lines}",
            y.as_ref().unwrap_or(x)
        )
    }

    fn result(&self, operation: &Operation<'_>) -> String {
        operation.places.of(self.first_result, "r")
    }

    fn arguments(&self) -> String {
        let shifted = 1.0 / (1_u64 << self.shift) as f64;
        format!("x, y, {}, {}", literal(self.one), literal(shifted as f32))
    }
}

/// A kernel that runs `body` for each result `r`.
pub(super) fn loop_of(name: String, comment: &str, results: usize, body: &str) -> Kernel {
    loop_by(name, comment, (results, Split::Tiles), body)
}

/// Like [`loop_of`], with a given division among threads.
pub(super) fn loop_by(
    name: String,
    comment: &str,
    (results, split): (usize, Split),
    body: &str,
) -> Kernel {
    let (most, first, step) = match split {
        Split::Tiles => (RESULTS, "", 1),
        Split::Lanes(lanes) => (SHARED, " + lane", lanes),
        Split::None => (results, "", 1),
    };
    let (each, count) = tiles(results, most);
    let (tile, end) = match count {
        1 => ("0".into(), results.to_string()),
        _ => (
            format!("tile * {each}"),
            format!("(tile + 1) * {each} && r < {results}"),
        ),
    };
    let body = format!(
        "    for (int r = {tile}{first}; r < {end}; r += {step}) {{\n        {body}\n    }}\n"
    );
    match split {
        Split::Lanes(lanes) => Kernel::of_lanes(name, comment, (lanes, count), &body),
        Split::Tiles | Split::None => Kernel::of_positions(name, comment, count, &body),
    }
}
