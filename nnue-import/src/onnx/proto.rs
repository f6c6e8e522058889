//! The messages of ONNX that are read, by the numbers of their fields in `onnx.proto` (IR version 3 to 13). Fields that are not named here are
//! skipped.

use prost::Message;
use prost::bytes::Bytes;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Model {
    #[prost(int64, tag = "1")]
    pub(super) ir_version: i64,
    #[prost(string, tag = "2")]
    pub(super) producer_name: String,
    #[prost(string, tag = "3")]
    pub(super) producer_version: String,
    #[prost(message, optional, tag = "7")]
    pub(super) graph: Option<Graph>,
    #[prost(message, repeated, tag = "8")]
    pub(super) opset_import: Vec<Opset>,
    #[prost(message, repeated, tag = "25")]
    pub(super) functions: Vec<Function>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Opset {
    #[prost(string, tag = "1")]
    pub(super) domain: String,
    #[prost(int64, tag = "2")]
    pub(super) version: i64,
}

/// A function of the model. Its body is not read.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Function {
    #[prost(string, tag = "1")]
    pub(super) name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub(super) node: Vec<Node>,
    #[prost(message, repeated, tag = "5")]
    pub(super) initializer: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub(super) input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    pub(super) output: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "15")]
    pub(super) sparse_initializer: Vec<Sparse>,
}

/// A sparse tensor, which is refused.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Sparse {}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Node {
    #[prost(string, repeated, tag = "1")]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) attribute: Vec<Attribute>,
    #[prost(string, tag = "6")]
    pub(super) doc_string: String,
    #[prost(string, tag = "7")]
    pub(super) domain: String,
    #[prost(message, repeated, tag = "9")]
    pub(super) metadata: Vec<Entry>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Attribute {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(float, tag = "2")]
    pub(super) f: f32,
    #[prost(int64, tag = "3")]
    pub(super) i: i64,
    #[prost(bytes = "bytes", tag = "4")]
    pub(super) s: Bytes,
    #[prost(message, optional, tag = "5")]
    pub(super) t: Option<Tensor>,
    #[prost(float, repeated, tag = "7")]
    pub(super) floats: Vec<f32>,
    #[prost(int64, repeated, tag = "8")]
    pub(super) ints: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Tensor {
    #[prost(int64, repeated, tag = "1")]
    pub(super) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(super) data_type: i32,
    #[prost(float, repeated, tag = "4")]
    pub(super) float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub(super) int32_data: Vec<i32>,
    #[prost(int64, repeated, tag = "7")]
    pub(super) int64_data: Vec<i64>,
    #[prost(string, tag = "8")]
    pub(super) name: String,
    #[prost(bytes = "bytes", tag = "9")]
    pub(super) raw_data: Bytes,
    #[prost(double, repeated, tag = "10")]
    pub(super) double_data: Vec<f64>,
    #[prost(message, repeated, tag = "13")]
    pub(super) external_data: Vec<Entry>,
    #[prost(int32, tag = "14")]
    pub(super) data_location: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Entry {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(string, tag = "2")]
    pub(super) value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueInfo {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) r#type: Option<Type>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Type {
    #[prost(message, optional, tag = "1")]
    pub(super) tensor: Option<TensorType>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorType {
    #[prost(int32, tag = "1")]
    pub(super) element: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) shape: Option<Shape>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Shape {
    #[prost(message, repeated, tag = "1")]
    pub(super) dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Dimension {
    #[prost(int64, optional, tag = "1")]
    pub(super) value: Option<i64>,
    #[prost(string, tag = "2")]
    pub(super) parameter: String,
}
