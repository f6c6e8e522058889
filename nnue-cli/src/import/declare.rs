//! A declaration from a list of tensors and a shape.

use nnue_codegen::plan_text;
use nnue_format::raw_size;
use nnue_spec::{ElementType, Padding};

use super::list::{Kind, Saved};
use super::search::Shape;

/// A tensor of the list.
struct Tensor {
    /// `ft_weight`, `fc0_bias`, ..
    name: String,
    layer: usize,
    is_bias: bool,
    element: ElementType,
    factor: u64,
    transposed: bool,
}

/// The text of a declaration that reads `size` bytes; `None` if there is no such declaration.
pub(super) fn declaration(saved: &[Saved], shape: &Shape, name: &str, size: u64) -> Option<String> {
    let tensors = tensors(saved);
    let weight = |layer: usize| tensors.iter().find(|tensor| tensor.layer == layer && !tensor.is_bias);
    let features = weight(0)?;
    let first = weight(1)?;
    let direct = first.element == ElementType::I16;
    let activation = match (shape.hidden.is_empty(), shape.pairwise) {
        (true, _) if direct => "screlu",
        (_, true) => "pairwise",
        _ => "crelu",
    };
    let mut text = format!(
        "pub struct {name} = ({} -> {})x2 @ {} {activation} -> {} {{\n",
        inputs(shape),
        shape.width,
        features.factor,
        layers(&tensors, shape)?
    );
    text += &format!("    format raw {{ {} }}\n", fields(saved, &tensors, shape)?.join(", "));
    text += "};\n";
    let plan = plan_text(&text).ok()?;
    let [plan] = plan.as_slice() else { return None };
    let tables = plan.tables();
    let padding = if shape.padding == Padding::None { Padding::None } else { Padding::Any };
    (raw_size(&tables.descriptor(), padding) == Some(size)).then_some(text)
}

/// What the list does not say, and was filled in.
pub(super) fn guesses(saved: &[Saved], shape: &Shape) -> Vec<String> {
    let mut guesses = Vec::new();
    guesses.push(match shape.hidden.is_empty() {
        true => "the activation (`screlu`; `crelu` has the same size) and `value output * 400`".to_owned(),
        false => {
            "the activations, the widths of the hidden layers, the order of additions, `value output * 400`".to_owned()
        }
    });
    guesses.push(match shape.kings {
        1 => "the inputs (`768`; `Chess768[mirrored]` has the same size)".to_owned(),
        kings => format!("which squares have which of the {kings} king buckets, and that they are `mirrored`"),
    });
    if shape.outputs > 1 {
        guesses.push("`by material_count`, the rule of the trainer's `MaterialCount`".to_owned());
    }
    let changed = |saved: &&Saved| matches!(saved.kind, Kind::Tensor { transformed: true, .. });
    for changed in saved.iter().filter(changed) {
        guesses.push(format!(
            "the closure of `{}` keeps the order of its elements (as one that adds a factoriser does)",
            changed.id
        ));
    }
    guesses
}

/// The tensors of a list with the names of a declaration.
fn tensors(saved: &[Saved]) -> Vec<Tensor> {
    let mut layers = [0; 2];
    let tensor = |saved: &Saved| {
        let Kind::Tensor { element, factor, transposed, .. } = saved.kind else { return None };
        let is_bias = saved.is_bias();
        let layer = layers[usize::from(is_bias)];
        layers[usize::from(is_bias)] += 1;
        let prefix = if layer == 0 { "ft".to_owned() } else { format!("fc{}", layer - 1) };
        let name = format!("{prefix}_{}", if is_bias { "bias" } else { "weight" });
        Some(Tensor { name, layer, is_bias, element, factor, transposed })
    };
    saved.iter().filter_map(tensor).collect()
}

/// `768`, or king buckets in even runs of squares, mirrored where 32 squares are enough for them.
fn inputs(shape: &Shape) -> String {
    let (kings, mirrored) = (shape.kings, shape.kings <= 32);
    if kings == 1 {
        return "768".to_owned();
    }
    let squares = if mirrored { 32 } else { 64 };
    let table: Vec<u64> = (0..squares).map(|square| square * kings / squares).collect();
    let runs = table.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => run[0].to_string(),
        count => format!("{} x {count}", run[0]),
    });
    let mirrored = if mirrored { ", mirrored" } else { "" };
    format!("Chess768[buckets: [{}]{mirrored}]", runs.collect::<Vec<_>>().join(", "))
}

/// `1x8: i16 @ 64 by material_count`, or layers in brackets.
fn layers(tensors: &[Tensor], shape: &Shape) -> Option<String> {
    let count = shape.hidden.len() + 1;
    let mut chain = Vec::new();
    for layer in 1..=count {
        let weight = tensors.iter().find(|tensor| tensor.layer == layer && !tensor.is_bias)?;
        let width = shape.hidden.get(layer - 1).copied().unwrap_or(1);
        let element = match weight.element {
            ElementType::F32 => ": f32".to_owned(),
            element => format!(": {} @ {}", element.name(), weight.factor),
        };
        let activation = if layer == count {
            ""
        } else if float_behind(tensors, layer) {
            " screlu"
        } else {
            ""
        };
        chain.push((width, format!("{element}{activation}")));
    }
    let by = if shape.outputs > 1 { " by material_count" } else { "" };
    let stacks = if shape.outputs > 1 { format!("x{}", shape.outputs) } else { String::new() };
    if let [(width, annotations)] = chain.as_slice() {
        return Some(format!("{width}{stacks}{annotations}{by}"));
    }
    let chain: Vec<String> = chain.into_iter().map(|(width, annotations)| format!("{width}{annotations}")).collect();
    let chain = chain.join(" -> ");
    Some(if shape.outputs > 1 { format!("({chain}){stacks}{by}") } else { chain })
}

/// Whether the layer behind `layer` is one of floats.
fn float_behind(tensors: &[Tensor], layer: usize) -> bool {
    tensors.iter().any(|tensor| tensor.layer == layer + 1 && tensor.element == ElementType::F32)
}

/// The fields of `format raw`, where they are not the defaults.
fn fields(saved: &[Saved], tensors: &[Tensor], shape: &Shape) -> Option<Vec<String>> {
    let is_tensor = |saved: &Saved| matches!(saved.kind, Kind::Tensor { .. });
    let (first, last) = (saved.iter().position(is_tensor)?, saved.iter().rposition(is_tensor)?);
    let bytes = |saved: &[Saved]| -> u64 {
        saved.iter().map(|saved| if let Kind::Bytes(bytes) = saved.kind { bytes } else { 0 }).sum()
    };
    // more bytes at the end than a padding has are no file that can be declared
    if bytes(&saved[last + 1..]) >= Padding::ALIGNMENT as u64 {
        return None;
    }
    let mut fields = Vec::new();
    if first > 0 {
        fields.push(format!("skip: {}", bytes(&saved[..first])));
    }
    fields.push(format!("padding: {}", if bytes(&saved[last + 1..]) > 0 { "any" } else { shape.padding.name() }));
    let usual = tensors.iter().map(|tensor| (tensor.layer, tensor.is_bias));
    if !usual.is_sorted() {
        let names: Vec<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
        fields.push(format!("order: [{}]", names.join(", ")));
    }
    fields.extend(tensors.iter().filter_map(|tensor| field(tensor, shape)));
    Some(fields)
}

/// What is said about one tensor, where it is not the default.
fn field(tensor: &Tensor, shape: &Shape) -> Option<String> {
    let Tensor { name, layer, is_bias, element, transposed, .. } = tensor;
    if *is_bias {
        let wide = *layer == 1 && shape.hidden.is_empty() && *element == ElementType::I32;
        return wide.then(|| format!("{name}: i32"));
    }
    if *layer == 0 {
        return transposed.then(|| format!("{name}: [output][input]"));
    }
    let outputs = shape.hidden.get(layer - 1).copied().unwrap_or(1);
    let stack = if shape.outputs > 1 { "[stack]" } else { "" };
    let output = if outputs > 1 { "[output]" } else { "" };
    (!transposed && shape.outputs * outputs > 1).then(|| format!("{name}: [input]{stack}{output}"))
}
