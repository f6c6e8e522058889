//! Lowering: a checked model becomes a [`Plan`], the owned form of a [`NetDesc`].
//!
//! The graph is walked once, in the order in which it is written. Every `affine` becomes a layer (`fc0`, `fc1`, ... in
//! file order), every activation a buffer; slices and concatenations cost nothing, since they only become the segments
//! that a layer reads. An activation is applied to a whole layer even where only a slice of it is read, so that
//! `sqr_crelu(h[..15])` and `crelu(h[..15])` are one vector operation each; the same activation of the same layer is
//! made once.

mod lower;
mod notation;
mod raw;
#[cfg(test)]
mod tests;
mod verify;

use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::*;
use crate::model::NetSpec;
pub(crate) use lower::lower;
pub use verify::verify;

/// A buffer of a plan, with an owned name; see [`BufferDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanBuffer {
    /// unique among the buffers
    pub name: String,
    /// values
    pub len: usize,
    /// greatest value
    pub max: i32,
    /// what it is made from
    pub source: Source,
}

/// A layer of a plan, with owned parts; see [`LayerDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanLayer {
    /// `fc0`, `fc1`, ...
    pub name: String,
    /// what it reads
    pub segments: Vec<Segment>,
    /// sum of the segment lengths
    pub inputs: usize,
    /// columns in the file
    pub file_inputs: usize,
    /// rows
    pub outputs: usize,
    /// the kernel
    pub kind: LayerKind,
    /// what 1.0 is in weight units
    pub scale: i32,
}

/// A position and its value, with an owned text; see [`GoldenDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanGolden {
    /// the position
    pub fen: String,
    /// the value
    pub value: i32,
}

/// A header-less file, with owned parts; see [`RawDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRaw {
    /// bytes in front of the first tensor
    pub skip: usize,
    /// what may follow the last tensor
    pub padding: Padding,
    /// the axes of each tensor
    pub axes: Vec<Axes>,
    /// the inputs of two perspectives alternate
    pub interleaved: bool,
}

/// A tensor of a plan, with an owned name; see [`TensorDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTensor {
    /// `ft_bias`, ..., `fc0_bias`, `fc0_weight`, ...
    pub name: String,
    /// what it is
    pub role: TensorRole,
    /// element type
    pub element: ElementType,
    /// rows
    pub rows: usize,
    /// columns as stored
    pub cols: usize,
    /// one, or one per stack
    pub copies: usize,
}

/// The owned form of a [`NetDesc`], field by field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// name of the declared type
    pub name: String,
    /// the network as a chain, for people
    pub notation: String,
    /// the feature sets
    pub features: Vec<FeatureDesc>,
    /// the accumulators
    pub accumulator: AccumulatorDesc,
    /// the layer stacks
    pub stacks: StackDesc,
    /// the u8 buffers
    pub buffers: Vec<PlanBuffer>,
    /// the layers in file order
    pub layers: Vec<PlanLayer>,
    /// the forward pass
    pub steps: Vec<StepDesc>,
    /// the terms of the output
    pub terms: Vec<OutputTerm>,
    /// factor of their sum
    pub ratio: Option<Ratio>,
    /// the value
    pub value: ValueDesc,
    /// the tensors in file order
    pub tensors: Vec<PlanTensor>,
    /// the Stockfish container
    pub container: ContainerDesc,
    /// a header-less file
    pub raw: Option<PlanRaw>,
    /// values that every load checks
    pub goldens: Vec<PlanGolden>,
}

/// Lowers a model that [`check`](crate::check::check) accepted.
///
/// # Panics
///
/// If the model has an error that the check reports.
pub fn plan(spec: &NetSpec) -> Plan {
    let plan = lower(spec);
    if let Err(broken) = verify(&plan.tables().descriptor()) {
        panic!("the plan of `{}` is inconsistent: {broken}", plan.name);
    }
    plan
}

impl Plan {
    /// The tables that a descriptor borrows. Keep them as long as the descriptor is used:
    ///
    /// ```
    /// # fn show(plan: &nnue_spec::plan::Plan) {
    /// let tables = plan.tables();
    /// let net: nnue_spec::NetDesc<'_> = tables.descriptor();
    /// # let _ = net;
    /// # }
    /// ```
    pub fn tables(&self) -> Tables<'_> {
        let buffers = self.buffers.iter();
        let layers = self.layers.iter();
        let tensors = self.tensors.iter();
        let goldens = self.goldens.iter().map(|golden| GoldenDesc { fen: &golden.fen, value: golden.value });
        Tables {
            plan: self,
            buffers: buffers.map(PlanBuffer::descriptor).collect(),
            layers: layers.map(PlanLayer::descriptor).collect(),
            tensors: tensors.map(PlanTensor::descriptor).collect(),
            goldens: goldens.collect(),
        }
    }
}

/// The parts of a plan in borrowed form.
#[derive(Clone, Debug)]
pub struct Tables<'a> {
    plan: &'a Plan,
    buffers: Vec<BufferDesc<'a>>,
    layers: Vec<LayerDesc<'a>>,
    tensors: Vec<TensorDesc<'a>>,
    goldens: Vec<GoldenDesc<'a>>,
}

impl Tables<'_> {
    /// The plan as a descriptor.
    pub fn descriptor(&self) -> NetDesc<'_> {
        let plan = self.plan;
        NetDesc {
            name: &plan.name,
            notation: &plan.notation,
            features: &plan.features,
            accumulator: plan.accumulator,
            stacks: plan.stacks,
            buffers: &self.buffers,
            layers: &self.layers,
            steps: &plan.steps,
            output: OutputDesc { terms: &plan.terms, ratio: plan.ratio },
            value: plan.value,
            tensors: &self.tensors,
            container: plan.container,
            raw: plan.raw.as_ref().map(PlanRaw::descriptor),
            goldens: &self.goldens,
        }
    }
}

impl PlanRaw {
    fn descriptor(&self) -> RawDesc<'_> {
        RawDesc { skip: self.skip, padding: self.padding, axes: &self.axes, interleaved: self.interleaved }
    }
}

impl PlanBuffer {
    fn descriptor(&self) -> BufferDesc<'_> {
        BufferDesc { name: &self.name, len: self.len, max: self.max, source: self.source }
    }
}

impl PlanLayer {
    fn descriptor(&self) -> LayerDesc<'_> {
        LayerDesc {
            name: &self.name,
            segments: &self.segments,
            inputs: self.inputs,
            file_inputs: self.file_inputs,
            outputs: self.outputs,
            kind: self.kind,
            scale: self.scale,
        }
    }
}

impl PlanTensor {
    fn descriptor(&self) -> TensorDesc<'_> {
        TensorDesc {
            name: &self.name,
            role: self.role,
            element: self.element,
            rows: self.rows,
            cols: self.cols,
            copies: self.copies,
        }
    }
}
