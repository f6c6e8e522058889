//! Everything that has a published bound, of one evaluation.

use nnue_spec::reference::{StackTrace, Trace};
use nnue_spec::{ElementType, LayerKind, NetDesc, Segment, TensorRef, TensorRole};
use nnue_tools::bounds::{Bounds, Interval, LayerBounds};

/// A value, and the bound that it must not leave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    /// of what
    pub(crate) what: &'static str,
    /// which one: perspective, layer, stack and neuron, as far as there are several
    pub(crate) place: [usize; 3],
    /// in 64 bits, before it wraps
    pub(crate) value: i64,
    /// the bound
    pub(crate) range: Interval,
}

/// All quantities of an evaluation, for every position in the same order.
///
/// # Panics
///
/// If `nothing_wraps` is promised and something wraps.
pub(crate) fn quantities(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    bounds: &Bounds,
    trace: &Trace,
) -> Vec<Quantity> {
    let evaluation = Evaluation {
        net,
        tensors,
        bounds,
        trace,
    };
    let mut all = Vec::new();
    for perspective in 0..2 {
        evaluation.accumulator(perspective, &mut all);
        evaluation.psqt(perspective, &mut all);
    }
    for (stack, computed) in trace.stacks.iter().enumerate() {
        for layer in 0..net.layers.len() {
            evaluation.layer(layer, stack, computed, &mut all);
        }
    }
    evaluation.output(&mut all);
    all
}

struct Evaluation<'a> {
    net: &'a NetDesc<'a>,
    tensors: &'a [TensorRef<'a>],
    bounds: &'a Bounds,
    trace: &'a Trace,
}

impl Evaluation<'_> {
    /// The tensor of a role, and its columns.
    fn tensor(&self, role: TensorRole) -> (TensorRef<'_>, usize) {
        let index = self
            .net
            .tensors
            .iter()
            .position(|tensor| tensor.role == role);
        let index = index.unwrap_or_else(|| panic!("there is no tensor {role:?}"));
        (self.tensors[index], self.net.tensors[index].cols)
    }

    /// The sums of the active rows, per column of the tensors that `role` names.
    fn rows(
        &self,
        perspective: usize,
        columns: usize,
        role: impl Fn(usize) -> TensorRole,
    ) -> Vec<i64> {
        let mut sums = vec![0; columns];
        let mut first = 0;
        for (set, feature) in self.net.features.iter().enumerate() {
            let (weight, _) = self.tensor(role(set));
            for row in &self.trace.features[perspective] {
                let Some(row) = row.checked_sub(first).filter(|row| *row < feature.rows) else {
                    continue;
                };
                for (column, sum) in sums.iter_mut().enumerate() {
                    *sum += i64::from(weight.get(row * columns + column));
                }
            }
            first += feature.rows;
        }
        sums
    }

    fn accumulator(&self, perspective: usize, all: &mut Vec<Quantity>) {
        let desc = self.net.accumulator;
        let bounds = match &self.bounds.second {
            Some(second) if perspective == 1 => second,
            _ => &self.bounds.accumulator,
        };
        let sums = self.rows(perspective, desc.width, |set| {
            desc.weight_of(perspective, set)
        });
        let (bias, _) = self.tensor(desc.bias_of(perspective));
        for (neuron, sum) in sums.into_iter().enumerate() {
            let (place, value) = ([perspective, 0, neuron], sum + i64::from(bias.get(neuron)));
            all.push(Quantity {
                what: "accumulator",
                place,
                value,
                range: bounds.range,
            });
            let range = if bounds.unproven.contains(&neuron) {
                bounds.range
            } else {
                Interval::I16
            };
            all.push(Quantity {
                what: "neuron that fits",
                place,
                value,
                range,
            });
            self.must_not_wrap(value, self.trace.accumulators[perspective][neuron].into());
        }
    }

    fn psqt(&self, perspective: usize, all: &mut Vec<Quantity>) {
        let Some(range) = self.bounds.psqt else {
            return;
        };
        let sums = self.rows(perspective, self.net.accumulator.psqt, TensorRole::psqt_of);
        for (bucket, value) in sums.into_iter().enumerate() {
            all.push(Quantity {
                what: "psqt sum",
                place: [perspective, 0, bucket],
                value,
                range,
            });
            self.must_not_wrap(
                value,
                self.trace.psqt_accumulators[perspective][bucket].into(),
            );
        }
    }

    fn layer(&self, layer: usize, stack: usize, computed: &StackTrace, all: &mut Vec<Quantity>) {
        let (desc, bounds) = (&self.net.layers[layer], &self.bounds.layers[layer]);
        let (bias, _) = self.tensor(TensorRole::LayerBias(layer));
        let (weight, columns) = self.tensor(TensorRole::LayerWeight(layer));
        let inputs: Vec<i64> = match desc.kind {
            LayerKind::Float { .. } => return,
            LayerKind::Direct => {
                let (value, range) = (computed.sums[layer][0].into(), bounds.outputs[0]);
                return all.push(Quantity {
                    what: "sum",
                    place: [layer, stack, 0],
                    value,
                    range,
                });
            }
            LayerKind::Binary => {
                let sums = computed.sums[layer].iter().zip(&bounds.outputs).enumerate();
                let quantity = |(neuron, (&sum, &range)): (usize, (&i32, &Interval))| Quantity {
                    what: "sum",
                    place: [layer, stack, neuron],
                    value: sum.into(),
                    range,
                };
                return all.extend(sums.map(quantity));
            }
            _ if self.net.reads_words(layer) => computed.words[desc.segments[0].buffer]
                .iter()
                .map(|&x| x.into())
                .collect(),
            LayerKind::Integer => {
                let values = |s: &Segment| -> Vec<i64> {
                    let bytes = computed.buffers[s.buffer].iter().map(|&x| x.into());
                    let integers = computed.integers[s.buffer].iter().map(|&x| x.into());
                    let all: Vec<i64> = bytes.chain(integers).collect();
                    all[s.start..][..s.len].to_vec()
                };
                desc.segments.iter().flat_map(values).collect()
            }
            LayerKind::Sparse
            | LayerKind::BlockSparse { .. }
            | LayerKind::Dense
            | LayerKind::Row
            | LayerKind::Rows
            | LayerKind::Words => {
                let segments = desc.segments.iter();
                segments
                    .flat_map(|s| &computed.buffers[s.buffer][s.start..][..s.len])
                    .map(|&x| x.into())
                    .collect()
            }
        };
        for neuron in 0..desc.outputs {
            let row = stack * desc.outputs + neuron;
            let products = inputs
                .iter()
                .enumerate()
                .map(|(k, x)| x * i64::from(weight.get(row * columns + k)));
            let products: Vec<i64> = products.collect();
            let bias = if bias.element() == ElementType::F32 {
                0
            } else {
                bias.get(row).into()
            };
            let (place, value) = ([layer, stack, neuron], bias + products.iter().sum::<i64>());
            all.push(Quantity {
                what: "sum",
                place,
                value,
                range: bounds.sums,
            });
            all.push(Quantity {
                what: "sum of the output",
                place,
                value,
                range: bounds.outputs[neuron],
            });
            self.must_not_wrap(value, computed.sums[layer][neuron].into());
            pairs(self.net, layer, place, bounds, &products, all);
        }
    }

    fn output(&self, all: &mut Vec<Quantity>) {
        let (bounds, trace) = (&self.bounds.output, self.trace);
        let mut push = |what, place, value: i32, range| {
            all.push(Quantity {
                what,
                place: [0, 0, place],
                value: value.into(),
                range,
            });
        };
        for (stack, &value) in trace.positional.iter().enumerate() {
            push("positional part", stack, value, bounds.positional);
        }
        for (bucket, &value) in trace.psqt.iter().enumerate() {
            push("PSQT part", bucket, value, bounds.psqt);
        }
        push("value", 0, trace.value, bounds.value);
    }

    fn must_not_wrap(&self, exact: i64, computed: i64) {
        assert!(
            !self.bounds.nothing_wraps() || exact == computed,
            "{exact} wraps to {computed}\n{}",
            self.bounds
        );
    }
}

/// The products of neighbouring inputs that kernels add in 16 bits: in pairs, and two pairs of one half of blocks of four.
fn pairs(
    net: &NetDesc<'_>,
    layer: usize,
    place: [usize; 3],
    bounds: &LayerBounds,
    products: &[i64],
    all: &mut Vec<Quantity>,
) {
    let mut halves: [Vec<i64>; 2] = [vec![0; 2], vec![0; 2]];
    let mut rest = products;
    for segment in net.layers[layer].segments {
        let mut sums = std::collections::BTreeMap::new();
        let (of_segment, others) = rest.split_at(segment.len);
        for (index, product) in of_segment.iter().enumerate() {
            *sums.entry((segment.start + index) / 2).or_default() += product;
        }
        sums.into_iter()
            .for_each(|(pair, sum): (usize, i64)| halves[pair % 2].push(sum));
        rest = others;
    }
    for half in &mut halves {
        half.sort_unstable();
        let [least, greatest] = [
            [half[0], half[1]],
            [half[half.len() - 1], half[half.len() - 2]],
        ];
        for [first, second] in [least, greatest] {
            all.push(Quantity {
                what: "pair",
                place,
                value: first,
                range: bounds.pair,
            });
            all.push(Quantity {
                what: "two pairs",
                place,
                value: first + second,
                range: bounds.two_pairs,
            });
        }
    }
}
