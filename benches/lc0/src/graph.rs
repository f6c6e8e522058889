//! A network as a graph of ONNX, for the libraries that read such graphs.

use nnue_backend::lc0::PLANES;
use nnue_backend::lc0::weights::{Block, Conv, Dense, Head, PolicyHead, Weights};
use tract_onnx::pb::attribute_proto::AttributeType;
use tract_onnx::pb::tensor_proto::DataType;
use tract_onnx::pb::tensor_shape_proto::Dimension;
use tract_onnx::pb::tensor_shape_proto::dimension::Value as Size;
use tract_onnx::pb::type_proto::{Tensor, Value};
use tract_onnx::pb::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto,
};

/// The names of what goes in and comes out.
pub(crate) const INPUT: &str = "planes";
pub(crate) const VALUE: &str = "value";
pub(crate) const POLICY: &str = "policy";

/// The graph of a network with chances as its value and a policy by convolutions; of others, what it has instead.
pub(crate) fn of(weights: &Weights) -> Result<ModelProto, String> {
    let PolicyHead::Convolution { hidden, planes } = &weights.policy else {
        return Err("its policy is a layer over the board".into());
    };
    if weights.value.outputs.outputs != 3 {
        return Err("its value is one number".into());
    }
    let mut graph = Writer::default();
    let mut x = graph.activated(&weights.input, INPUT);
    for block in &weights.blocks {
        x = graph.block(block, &x);
    }
    let moves = graph.activated(hidden, &x);
    let moves = graph.conv(planes, &moves);
    graph.last("Flatten", &moves, POLICY);
    let value = graph.head(&weights.value, &x);
    graph.last("Softmax", &value, VALUE);
    Ok(graph.finish())
}

#[derive(Default)]
struct Writer {
    nodes: Vec<NodeProto>,
    tensors: Vec<TensorProto>,
}

impl Writer {
    fn node(
        &mut self,
        operation: &str,
        inputs: &[&str],
        attributes: Vec<AttributeProto>,
    ) -> String {
        let name = format!("n{}", self.nodes.len());
        self.push(operation, inputs, attributes, &name);
        name
    }

    fn push(
        &mut self,
        operation: &str,
        inputs: &[&str],
        attribute: Vec<AttributeProto>,
        output: &str,
    ) {
        self.nodes.push(NodeProto {
            name: output.into(),
            op_type: operation.into(),
            input: inputs.iter().map(|&input| input.into()).collect(),
            output: vec![output.into()],
            attribute,
            ..NodeProto::default()
        });
    }

    fn last(&mut self, operation: &str, input: &str, output: &str) {
        self.push(operation, &[input], vec![number("axis", 1)], output);
    }

    fn tensor(&mut self, dims: &[usize], numbers: &[f32]) -> String {
        let name = format!("w{}", self.tensors.len());
        self.tensors.push(TensorProto {
            name: name.clone(),
            dims: dims.iter().map(|&size| size as i64).collect(),
            data_type: DataType::Float as i32,
            raw_data: numbers
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .collect(),
            ..TensorProto::default()
        });
        name
    }

    fn conv(&mut self, conv: &Conv, x: &str) -> String {
        let weights = self.tensor(
            &[conv.outputs, conv.channels, conv.size, conv.size],
            &conv.weights,
        );
        let bias = self.tensor(&[conv.outputs], &conv.bias);
        let margin = conv.size as i64 / 2;
        self.node(
            "Conv",
            &[x, &weights, &bias],
            vec![numbers("pads", &[margin; 4])],
        )
    }

    fn activated(&mut self, conv: &Conv, x: &str) -> String {
        let x = self.conv(conv, x);
        self.node("Relu", &[&x], vec![])
    }

    /// A layer over channels that are one number each.
    fn over_channels(&mut self, layer: &Dense, x: &str) -> String {
        let weights = self.tensor(&[layer.outputs, layer.inputs, 1, 1], &layer.weights);
        let bias = self.tensor(&[layer.outputs], &layer.bias);
        self.node("Conv", &[x, &weights, &bias], vec![])
    }

    fn block(&mut self, block: &Block, x: &str) -> String {
        let y = self.activated(&block.conv1, x);
        let mut y = self.conv(&block.conv2, &y);
        if let Some(squeeze) = &block.squeeze {
            let means = self.node("GlobalAveragePool", &[&y], vec![]);
            let down = self.over_channels(&squeeze.down, &means);
            let down = self.node("Relu", &[&down], vec![]);
            let gate = self.over_channels(&squeeze.gate, &down);
            let gate = self.node("Sigmoid", &[&gate], vec![]);
            let shift = self.over_channels(&squeeze.shift, &down);
            y = self.node("Mul", &[&y, &gate], vec![]);
            y = self.node("Add", &[&y, &shift], vec![]);
        }
        let sum = self.node("Add", &[&y, x], vec![]);
        self.node("Relu", &[&sum], vec![])
    }

    fn dense(&mut self, layer: &Dense, x: &str) -> String {
        let weights = self.tensor(&[layer.outputs, layer.inputs], &layer.weights);
        let bias = self.tensor(&[layer.outputs], &layer.bias);
        self.node("Gemm", &[x, &weights, &bias], vec![number("transB", 1)])
    }

    fn head(&mut self, head: &Head, x: &str) -> String {
        let x = self.activated(&head.squares, x);
        let x = self.node("Flatten", &[&x], vec![number("axis", 1)]);
        let x = self.dense(&head.hidden, &x);
        let x = self.node("Relu", &[&x], vec![]);
        self.dense(&head.outputs, &x)
    }

    fn finish(self) -> ModelProto {
        let graph = GraphProto {
            name: "lc0".into(),
            node: self.nodes,
            initializer: self.tensors,
            input: vec![value(INPUT, &[PLANES, 8, 8])],
            output: vec![value(VALUE, &[3]), value(POLICY, &[80 * 64])],
            ..GraphProto::default()
        };
        let opset_import = vec![OperatorSetIdProto {
            domain: String::new(),
            version: 13,
        }];
        ModelProto {
            ir_version: 8,
            opset_import,
            graph: Some(graph),
            ..ModelProto::default()
        }
    }
}

fn number(name: &str, i: i64) -> AttributeProto {
    AttributeProto {
        name: name.into(),
        r#type: AttributeType::Int as i32,
        i,
        ..AttributeProto::default()
    }
}

fn numbers(name: &str, ints: &[i64]) -> AttributeProto {
    let ints = ints.to_vec();
    AttributeProto {
        name: name.into(),
        r#type: AttributeType::Ints as i32,
        ints,
        ..AttributeProto::default()
    }
}

/// A value of floats, of any number of positions.
fn value(name: &str, sizes: &[usize]) -> ValueInfoProto {
    let dimension = |value| Dimension {
        value: Some(value),
        ..Dimension::default()
    };
    let batch = dimension(Size::DimParam("batch".into()));
    let dim = std::iter::once(batch)
        .chain(
            sizes
                .iter()
                .map(|&size| dimension(Size::DimValue(size as i64))),
        )
        .collect();
    let tensor = Tensor {
        elem_type: DataType::Float as i32,
        shape: Some(TensorShapeProto { dim }),
    };
    let r#type = Some(TypeProto {
        value: Some(Value::TensorType(tensor)),
        ..TypeProto::default()
    });
    ValueInfoProto {
        name: name.into(),
        r#type,
        ..ValueInfoProto::default()
    }
}
