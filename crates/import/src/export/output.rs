//! The value, from the sums of layers.

use nnue_spec::{Ratio, ValueDesc};

use super::accumulators::{floats, psqt};
use super::model::{Kind, Value};
use super::steps::Pass;

/// The value for the first perspective, `[n, 1]`, and its type.
pub(super) fn value(pass: &mut Pass<'_, '_>, rows: &[Value]) -> (Value, Kind) {
    match pass.network.net.value {
        ValueDesc::Float { scale } => {
            let output = pass.output_of_floats(rows);
            (pass.times(&output, scale.factor()), Kind::Float)
        }
        ValueDesc::Sigmoid { scale } => {
            let output = pass.output_of_floats(rows);
            let output = pass.writer.node("Sigmoid", &[&output]);
            (pass.times(&output, scale as f32), Kind::Float)
        }
        ValueDesc::Wdl { scale } => {
            let layer = pass.floats[pass.network.net.output.terms[0].layer].clone();
            let layer = pass.with_floats(layer, rows);
            let chances = pass.writer.with("Softmax", &[&layer], &[("axis", 1)]);
            let score = pass.writer.floats("score", &[3, 1], &[0.0, 0.5, 1.0]);
            let expected = pass.writer.node("MatMul", &[&chances, &score]);
            (pass.times(&expected, scale as f32), Kind::Float)
        }
        whole => {
            let positional = pass.positional();
            let value = pass.joined(whole, &positional, rows);
            (pass.writer.cast(&value, Kind::Int32), Kind::Int32)
        }
    }
}

impl Pass<'_, '_> {
    fn times(&mut self, x: &str, scale: f32) -> Value {
        let scale = self.writer.float(scale);
        self.writer.node("Mul", &[x, &scale])
    }

    /// Adds the float weights of features, if there are any.
    fn with_floats(&mut self, output: Value, rows: &[Value]) -> Value {
        match floats(self.writer, self.network, rows) {
            Some(floats) => self.writer.node("Add", &[&output, &floats]),
            None => output,
        }
    }

    /// The sum of terms, in floats.
    fn output_of_floats(&mut self, rows: &[Value]) -> Value {
        let mut total: Option<Value> = None;
        for term in self.network.net.output.terms {
            let layer = self.floats[term.layer].clone();
            let mut neuron = self.writer.columns(&layer, term.neuron, 1);
            if let Some(Ratio { num, den, .. }) = term.ratio {
                let factor = self.writer.float(num as f32 / den as f32);
                neuron = self.writer.node("Mul", &[&neuron, &factor]);
            }
            total = Some(match total {
                None if term.negative => self.writer.node("Neg", &[&neuron]),
                None => neuron,
                Some(total) => self.writer.node(
                    if term.negative { "Sub" } else { "Add" },
                    &[&total, &neuron],
                ),
            });
        }
        let total = total.expect("an output has terms");
        let total = match self.network.net.output.ratio {
            None => total,
            Some(Ratio { num, den, .. }) => {
                let factor = self.writer.float(num as f32 / den as f32);
                self.writer.node("Mul", &[&total, &factor])
            }
        };
        self.with_floats(total, rows)
    }

    /// The sum of terms, in integers.
    fn positional(&mut self) -> Value {
        let mut total = self.writer.number(0);
        for term in self.network.net.output.terms {
            let layer = self.sums[term.layer].clone();
            let neuron = self.writer.columns(&layer, term.neuron, 1);
            let neuron = self.scaled_by(neuron, term.ratio);
            let sum = self.writer.node(
                if term.negative { "Sub" } else { "Add" },
                &[&total, &neuron],
            );
            total = self.writer.wrapped(&sum, 32);
        }
        self.scaled_by(total, self.network.net.output.ratio)
    }

    /// `x * num / den`, truncated; the product wraps to 32 bits unless the ratio is wide.
    fn scaled_by(&mut self, x: Value, ratio: Option<Ratio>) -> Value {
        let Some(Ratio { num, den, wide }) = ratio else {
            return x;
        };
        let product = self.writer.by("Mul", &x, num);
        let product = if wide {
            product
        } else {
            self.writer.wrapped(&product, 32)
        };
        let quotient = self.writer.by("Div", &product, den);
        self.writer.wrapped(&quotient, 32)
    }

    /// The integer value.
    fn joined(&mut self, desc: ValueDesc, positional: &str, rows: &[Value]) -> Value {
        let psqt = self.psqt(rows);
        match desc {
            ValueDesc::Together { divide } => {
                let sum = self.writer.node("Add", &[&psqt, positional]);
                let sum = self.writer.wrapped(&sum, 32);
                self.writer.by("Div", &sum, divide.into())
            }
            ValueDesc::Separately { divide } => {
                let [psqt, positional] =
                    [&psqt, positional].map(|part| self.writer.by("Div", part, divide.into()));
                let sum = self.writer.node("Add", &[&psqt, &positional]);
                self.writer.wrapped(&sum, 32)
            }
            ValueDesc::Shifted { bits } => {
                let rest = self.writer.by("Mod", positional, 1 << bits);
                let whole = self.writer.node("Sub", &[positional, &rest]);
                self.writer.shifted(whole, bits)
            }
            ValueDesc::Scaled { num, den } => {
                let product = self.writer.by("Mul", positional, num);
                let quotient = self.writer.by("Div", &product, den);
                self.writer
                    .clamp(&quotient, i32::MIN.into(), i32::MAX.into())
            }
            ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } | ValueDesc::Wdl { .. } => {
                unreachable!("values of floats are made elsewhere")
            }
        }
    }

    /// Half of the difference of the PSQT sums, truncated toward zero.
    fn psqt(&mut self, rows: &[Value]) -> Value {
        let Some(sides) = psqt(self.writer, self.network, rows) else {
            return self.writer.number(0);
        };
        let [first, second] = sides.map(|sums| match self.stack.clone() {
            None => sums,
            Some(stack) => {
                let chosen = self.writer.node("Mul", &[&sums, &stack]);
                let axes = self.writer.list(&[1]);
                self.writer
                    .with("ReduceSum", &[&chosen, &axes], &[("keepdims", 1)])
            }
        });
        let difference = self.writer.node("Sub", &[&first, &second]);
        let difference = self.writer.wrapped(&difference, 32);
        self.writer.by("Div", &difference, 2)
    }
}
