//! The outputs besides the value: named outputs, and the listed rows of a policy.
//!
//! ```text
//!   numbers   [k] = unit * value[start + k]           of each output, one output after the other
//!   logits    [i] = unit * (factor * weight[row[i]] . x + bias[row[i]])
//! ```
//!
//! Rows of a policy are not among the values of a position: there are thousands, and a position lists about
//! thirty. The forward and the backward pass touch only those.

use std::ops::Range;

use nnue_spec::graph::Graph;
use nnue_spec::op::Real;
use nnue_spec::{HeadKind, Unit};

use super::Parameters;
use super::affine::Affine;
use super::head::Head;
use super::sums::{add_scaled, dot};

/// The outputs besides the value, or their gradient.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Others<T> {
    /// numbers of all named outputs, in the order of [`Meaning::named`]
    pub numbers: Vec<T>,
    /// logits of the rows that the position lists, in their order
    pub logits: Vec<T>,
}

/// The meaning of all outputs.
#[derive(Clone, Copy, Debug)]
pub struct Meaning<'a> {
    /// the output that gives the value; `None` if there is only a policy
    pub value: Option<Head>,
    /// the named outputs, except policies
    pub named: &'a [Named],
}

/// A named output.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// name in the declaration
    pub name: String,
    /// whether its numbers are logits of loss, draw and win
    pub is_wdl: bool,
    /// its range in [`Others::numbers`]
    pub numbers: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct OtherOutputs<T> {
    pub(super) named: Vec<Named>,
    /// first value and unit of each named output
    values: Vec<(usize, T)>,
    rows: Option<Rows<T>>,
}

#[derive(Clone, Debug)]
struct Rows<T> {
    /// its results are not among the values
    layer: Affine<T>,
    unit: T,
}

impl<T: Real> OtherOutputs<T> {
    /// `starts` has the offset of each node in the values; `rows` is the layer of the policy.
    pub(super) fn new(graph: &Graph, starts: &[usize], rows: Option<Affine<T>>) -> Self {
        let (mut named, mut values, mut end, mut unit_of_rows) =
            (Vec::new(), Vec::new(), 0, T::ONE);
        for head in &graph.heads {
            let unit = T::of(real(head.unit));
            if head.kind == HeadKind::Rows {
                unit_of_rows = unit;
                continue;
            }
            let numbers = end..end + head.run.len;
            end = numbers.end;
            values.push((starts[head.run.node] + head.run.start, unit));
            named.push(Named {
                name: head.name.clone(),
                is_wdl: head.kind == HeadKind::Wdl,
                numbers,
            });
        }
        Self {
            named,
            values,
            rows: rows.map(|layer| Rows {
                layer,
                unit: unit_of_rows,
            }),
        }
    }

    /// Each named output: its first value and its unit.
    pub(super) fn named_values(&self) -> impl Iterator<Item = (&Named, usize, T)> {
        self.named
            .iter()
            .zip(&self.values)
            .map(|(named, &(start, unit))| (named, start, unit))
    }

    /// The layer of the policy and the unit of its results.
    pub(super) fn policy_layer(&self) -> Option<(&Affine<T>, T)> {
        self.rows.as_ref().map(|rows| (&rows.layer, rows.unit))
    }

    /// Rows of the policy; 0 without one.
    pub(super) fn rows(&self) -> usize {
        self.rows
            .as_ref()
            .map_or(0, |rows| rows.layer.results.len())
    }

    /// Forward pass for one position.
    ///
    /// # Panics
    ///
    /// If a listed row does not exist.
    #[inline(always)]
    pub(super) fn forward(
        &self,
        parameters: &Parameters<T>,
        (stack, listed): (usize, &[u32]),
        values: &[T],
        others: &mut Others<T>,
    ) {
        others.numbers.clear();
        for (output, &(start, unit)) in self.named.iter().zip(&self.values) {
            others.numbers.extend(
                values[start..start + output.numbers.len()]
                    .iter()
                    .map(|&value| value * unit),
            );
        }
        others.logits.clear();
        if let Some(Rows { layer, unit }) = &self.rows {
            others.logits.extend(
                listed
                    .iter()
                    .map(|&row| layer.output(parameters, stack, row as usize, values) * *unit),
            );
        }
    }

    /// Backward pass: adds the gradients of the operands to `gradients` and those of the parameters to
    /// `gradient`.
    #[inline(always)]
    pub(super) fn backward(
        &self,
        (parameters, stack, listed): (&Parameters<T>, usize, &[u32]),
        (values, gradients): (&[T], &mut [T]),
        of_others: &Others<T>,
        gradient: &mut Parameters<T>,
    ) {
        for (output, &(start, unit)) in self.named.iter().zip(&self.values) {
            if let Some(of_numbers) = of_others.numbers.get(output.numbers.clone()) {
                add_scaled(
                    &mut gradients[start..start + of_numbers.len()],
                    unit,
                    of_numbers,
                );
            }
        }
        if let Some(Rows { layer, unit }) = &self.rows {
            for (&row, &of_logit) in listed.iter().zip(&of_others.logits) {
                let of_output = of_logit * *unit;
                layer.output_backward(
                    (parameters, stack, row as usize),
                    (values, gradients),
                    of_output,
                    gradient,
                );
            }
        }
    }
}

fn real(unit: Unit) -> f64 {
    unit.num as f64 / unit.den as f64
}

impl<T: Real> Affine<T> {
    #[inline(always)]
    fn output(&self, parameters: &Parameters<T>, stack: usize, output: usize, values: &[T]) -> T {
        assert!(
            output < self.results.len(),
            "the policy has {} rows, and no row {output}",
            self.results.len()
        );
        let row = &parameters.tensors[self.weight][self.row(stack, output)..][..self.columns];
        let bias = self.bias.map_or(T::ZERO, |bias| {
            parameters.tensors[bias][stack * self.results.len() + output]
        });
        let mut sum = T::ZERO;
        for (run, column) in &self.runs {
            sum += dot(&values[run.start..run.end], &row[*column..]);
        }
        sum * self.weight_factor + bias * self.bias_factor
    }

    #[inline(always)]
    fn output_backward(
        &self,
        (parameters, stack, output): (&Parameters<T>, usize, usize),
        (values, gradients): (&[T], &mut [T]),
        of_output: T,
        gradient: &mut Parameters<T>,
    ) {
        if let Some(bias) = self.bias {
            gradient.tensors[bias][stack * self.results.len() + output] +=
                of_output * self.bias_factor;
        }
        let (begin, of_sum) = (self.row(stack, output), of_output * self.weight_factor);
        let row = &parameters.tensors[self.weight][begin..][..self.columns];
        let of_row = &mut gradient.tensors[self.weight][begin..][..self.columns];
        for (run, column) in &self.runs {
            add_scaled(&mut gradients[run.start..run.end], of_sum, &row[*column..]);
            add_scaled(
                &mut of_row[*column..][..run.len()],
                of_sum,
                &values[run.start..run.end],
            );
        }
    }
}
