//! The plan: a checked [`Graph`] becomes the owned form of a [`NetDesc`].
//!
//! Every layer gets a kernel (`fc0`, `fc1`, ... in file order); every activation becomes a buffer, or part of
//! the kernel that reads it. [`verify`] states the invariants of the result.

mod lower;
mod notation;
#[cfg(test)]
mod tests;
mod verify;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::*;
use crate::graph::{Custom, Golden, Graph, HeadGolden, Raw, Tensor};
use crate::rows::RowGroup;
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
    /// source of the values
    pub source: Source,
}

/// A layer of a plan, with owned parts; see [`LayerDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanLayer {
    /// `fc0`, `fc1`, ...
    pub name: String,
    /// the segments it reads
    pub segments: Vec<Segment>,
    /// sum of the segment lengths
    pub inputs: usize,
    /// columns in the file
    pub file_inputs: usize,
    /// rows
    pub outputs: usize,
    /// the kernel
    pub kind: LayerKind,
    /// scale of the weights
    pub scale: i32,
    /// which inputs reach which outputs
    pub shards: Option<Shards>,
}

/// An elementwise expression, with owned parts; see [`MapDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanMap {
    /// the operands
    pub operands: Vec<MapOperand>,
    /// the expression
    pub code: Vec<Scalar>,
    /// type of its values
    pub element: ElementType,
    /// least and greatest result
    pub range: (i32, i32),
    /// conversion of a result to a real number
    pub unit: Unit,
}

/// A named output, with an owned name; see [`HeadDesc`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanHead {
    /// the name in the declaration
    pub name: String,
    /// kind of its numbers
    pub kind: HeadKind,
    /// source of the values
    pub source: HeadSource,
    /// index of the first value
    pub start: usize,
    /// number of values
    pub len: usize,
    /// conversion of the values to floats
    pub unit: Unit,
}

/// The owned form of a [`NetDesc`], field by field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// name of the declared type
    pub name: String,
    /// the network as a chain, for display
    pub notation: String,
    /// the feature sets
    pub features: Vec<FeatureDesc>,
    /// the accumulators
    pub accumulator: AccumulatorDesc,
    /// the layer stacks
    pub stacks: StackDesc,
    /// the buffers of activations
    pub buffers: Vec<PlanBuffer>,
    /// the layers in file order
    pub layers: Vec<PlanLayer>,
    /// the elementwise expressions
    pub maps: Vec<PlanMap>,
    /// the forward pass
    pub steps: Vec<StepDesc>,
    /// the terms of the output
    pub terms: Vec<OutputTerm>,
    /// factor of their sum
    pub ratio: Option<Ratio>,
    /// the named outputs
    pub heads: Vec<PlanHead>,
    /// the value
    pub value: ValueDesc,
    /// the tensors in file order
    pub tensors: Vec<Tensor>,
    /// the Stockfish container
    pub container: ContainerDesc,
    /// a header-less file
    pub raw: Option<Raw>,
    /// values that every load checks
    pub goldens: Vec<Golden>,
    /// golden numbers of named outputs
    pub head_goldens: Vec<HeadGolden>,
    /// code of the program that the network uses
    pub custom: Custom,
}

/// Chooses the kernels of a checked network.
pub fn plan(graph: &Graph) -> Plan {
    let plan = lower::lower(graph);
    debug_assert_eq!(
        verify(&plan.tables().descriptor()),
        Ok(()),
        "the plan of `{}`",
        plan.name
    );
    plan
}

/// A descriptor that is never freed, with all that it borrows: tools that look for leaks find it in use.
struct Leaked {
    descriptor: NetDesc<'static>,
    #[expect(dead_code, reason = "read by tools that look for leaks")]
    plan: &'static Plan,
    #[expect(dead_code, reason = "read by tools that look for leaks")]
    tables: &'static Tables<'static>,
}

impl Plan {
    /// The name of an activation as written in a declaration, or the path of a function of the program.
    fn activation_name(&self, activation: Activation) -> &str {
        match activation {
            Activation::Custom(index) => &self.custom.activations[index],
            _ => activation
                .operation()
                .map_or("", |operation| operation.name),
        }
    }

    /// The plan as a `'static` descriptor. Leaks a few kilobytes; meant for the few networks that a program
    /// describes at run time.
    pub fn leak(self) -> &'static NetDesc<'static> {
        let plan: &'static Self = Box::leak(Box::new(self));
        let tables: &'static Tables<'static> = Box::leak(Box::new(plan.tables()));
        let leaked: &'static Leaked = Box::leak(Box::new(Leaked {
            descriptor: tables.descriptor(),
            plan,
            tables,
        }));
        &leaked.descriptor
    }

    /// The tables that a descriptor borrows. Keep them as long as the descriptor is in use:
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
        let goldens = self.goldens.iter().map(|golden| GoldenDesc {
            fen: &golden.fen,
            value: golden.value,
        });
        let groups = self
            .custom
            .groups
            .iter()
            .map(|(name, rows)| RowGroup { name, rows: *rows });
        Tables {
            plan: self,
            buffers: buffers.map(PlanBuffer::descriptor).collect(),
            layers: layers.map(PlanLayer::descriptor).collect(),
            maps: self.maps.iter().map(PlanMap::descriptor).collect(),
            heads: self.heads.iter().map(PlanHead::descriptor).collect(),
            tensors: tensors.map(Tensor::descriptor).collect(),
            goldens: goldens.collect(),
            head_goldens: self
                .head_goldens
                .iter()
                .map(HeadGolden::descriptor)
                .collect(),
            activations: self.custom.activations.iter().map(String::as_str).collect(),
            groups: groups.collect(),
            axes: self.raw.iter().flat_map(Raw::axes).collect(),
            sections: self.raw.iter().flat_map(Raw::sections).collect(),
        }
    }
}

/// The borrowed parts of a plan.
#[derive(Clone, Debug)]
pub struct Tables<'a> {
    plan: &'a Plan,
    buffers: Vec<BufferDesc<'a>>,
    layers: Vec<LayerDesc<'a>>,
    maps: Vec<MapDesc<'a>>,
    heads: Vec<HeadDesc<'a>>,
    tensors: Vec<TensorDesc<'a>>,
    goldens: Vec<GoldenDesc<'a>>,
    head_goldens: Vec<HeadGoldenDesc<'a>>,
    activations: Vec<&'a str>,
    groups: Vec<RowGroup<'a>>,
    axes: Vec<Axes<'a>>,
    sections: Vec<Section<&'a [u8]>>,
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
            maps: &self.maps,
            steps: &plan.steps,
            output: OutputDesc {
                terms: &plan.terms,
                ratio: plan.ratio,
            },
            heads: &self.heads,
            value: plan.value,
            tensors: &self.tensors,
            container: plan.container,
            raw: plan.raw.as_ref().map(|raw| raw.descriptor(self)),
            goldens: &self.goldens,
            head_goldens: &self.head_goldens,
            custom: CustomDesc {
                set: &plan.custom.set,
                activations: &self.activations,
                groups: &self.groups,
            },
        }
    }
}

impl Raw {
    fn axes(&self) -> impl Iterator<Item = Axes<'_>> {
        self.axes.iter().map(Vec::as_slice)
    }

    fn sections(&self) -> impl Iterator<Item = Section<&[u8]>> {
        self.sections.iter().map(Section::borrowed)
    }

    fn descriptor<'a>(&'a self, tables: &'a Tables<'a>) -> RawDesc<'a> {
        let Self {
            padding,
            interleaved,
            enemy_first,
            leb128,
            ..
        } = *self;
        RawDesc {
            sections: &tables.sections,
            padding,
            axes: &tables.axes,
            stored: &self.stored,
            interleaved,
            enemy_first,
            leb128,
        }
    }
}

impl PlanBuffer {
    fn descriptor(&self) -> BufferDesc<'_> {
        BufferDesc {
            name: &self.name,
            len: self.len,
            max: self.max,
            source: self.source,
        }
    }
}

impl PlanMap {
    fn descriptor(&self) -> MapDesc<'_> {
        MapDesc::new(
            &self.operands,
            &self.code,
            self.element,
            self.range,
            self.unit,
        )
    }
}

impl PlanHead {
    fn descriptor(&self) -> HeadDesc<'_> {
        HeadDesc::new(
            &self.name,
            self.kind,
            self.source,
            [self.start, self.len],
            self.unit,
        )
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
            shards: self.shards,
        }
    }
}

impl Tensor {
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
