//! Short constructors of the parts of a descriptor, for the lists that `nnue!` generates: one part per line.

use crate::descriptor::*;

impl FeatureDesc {
    /// All fields in order.
    pub const fn new(set: FeatureSetId, rows: usize, element: ElementType) -> Self {
        Self { set, rows, element }
    }
}

impl<'a> BufferDesc<'a> {
    /// All fields in order.
    pub const fn new(name: &'a str, len: usize, max: i32, source: Source) -> Self {
        Self {
            name,
            len,
            max,
            source,
        }
    }
}

impl StepDesc {
    /// [`StepDesc::ActivateAccumulator`].
    pub const fn activate_accumulator(activation: Activation, shift: u32, buffer: usize) -> Self {
        Self::ActivateAccumulator {
            activation,
            shift,
            buffer,
        }
    }

    /// [`StepDesc::ActivateSums`].
    pub const fn activate_sums(
        activation: Activation,
        shift: u32,
        layer: usize,
        buffer: usize,
    ) -> Self {
        Self::ActivateSums {
            activation,
            shift,
            layer,
            buffer,
        }
    }

    /// [`StepDesc::Pool`].
    pub const fn pool(pool: Pool, operands: [Segment; 2], stride: usize, buffer: usize) -> Self {
        Self::Pool {
            pool,
            operands,
            stride,
            buffer,
        }
    }
}

impl Segment {
    /// All fields in order.
    pub const fn new(buffer: usize, start: usize, len: usize) -> Self {
        Self { buffer, start, len }
    }
}

impl<'a> LayerDesc<'a> {
    /// All fields in order; `shape` is inputs, columns in the file, outputs.
    pub const fn new(
        name: &'a str,
        segments: &'a [Segment],
        shape: [usize; 3],
        kind: LayerKind,
        scale: i32,
    ) -> Self {
        let [inputs, file_inputs, outputs] = shape;
        Self {
            name,
            segments,
            inputs,
            file_inputs,
            outputs,
            kind,
            scale,
            shards: None,
        }
    }

    /// The layer, with its last inputs as shards.
    #[must_use]
    pub const fn with_shards(self, count: usize, width: usize) -> Self {
        Self {
            shards: Some(Shards { count, width }),
            ..self
        }
    }
}

impl<'a> HeadDesc<'a> {
    /// All fields in order; `run` is the index of the first value and their number.
    pub const fn new(
        name: &'a str,
        kind: HeadKind,
        source: HeadSource,
        run: [usize; 2],
        unit: Unit,
    ) -> Self {
        let [start, len] = run;
        Self {
            name,
            kind,
            source,
            start,
            len,
            unit,
        }
    }
}

impl OutputTerm {
    /// All fields in order.
    pub const fn new(layer: usize, neuron: usize, negative: bool, ratio: Option<Ratio>) -> Self {
        Self {
            layer,
            neuron,
            negative,
            ratio,
        }
    }
}

impl Ratio {
    /// All fields in order.
    pub const fn new(num: i64, den: i64, wide: bool) -> Self {
        Self { num, den, wide }
    }
}

impl<'a> TensorDesc<'a> {
    /// All fields in order; `shape` is rows, columns, copies.
    pub const fn new(
        name: &'a str,
        role: TensorRole,
        element: ElementType,
        shape: [usize; 3],
    ) -> Self {
        let [rows, cols, copies] = shape;
        Self {
            name,
            role,
            element,
            rows,
            cols,
            copies,
        }
    }
}
