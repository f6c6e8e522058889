//! Writes a declaration from a list of tensors and a shape.

use nnue_format::raw_size;
use nnue_spec::{ElementType, Padding};

use super::head::Head;
use super::heads;
use super::list::{Kind, Saved};
use super::program::Program;
use super::request::Search;
use super::shape::{Shape, hidden_layers};

/// The output scale if the program does not define one.
const SCALE: &str = "400";

/// What an output of 1.0 is worth.
pub(super) fn scale(program: &Program) -> &str {
    program.scale.as_deref().unwrap_or(SCALE)
}

struct Tensor {
    /// `ft_weight`, `fc0_bias`, ..
    name: String,
    /// the trainer's name
    id: String,
    layer: usize,
    /// of the first layer, for the perspective not to move
    second: bool,
    is_bias: bool,
    element: ElementType,
    factor: u64,
    transposed: bool,
}

/// The text of a declaration that reads `size` bytes, if there is one.
pub(super) fn declaration(
    saved: &[Saved],
    program: &Program,
    shape: &Shape,
    search: &Search<'_>,
    size: u64,
) -> Option<String> {
    let (tensors, name) = (tensors(saved, search.heads), search.name);
    let (features, first) = (weight(&tensors, 0)?, weight(&tensors, 1)?);
    let direct = first.element == ElementType::I16;
    let activation = match program.activation(&features.id) {
        Some(activation) => activation,
        None if shape.pairwise => "pairwise",
        None if shape.hidden.is_empty() && direct => "screlu",
        None => "crelu",
    };
    let separate = if tensors.iter().any(|tensor| tensor.second) {
        " separate"
    } else {
        ""
    };
    let mut text = match search.heads {
        [] => format!(
            "pub struct {name} = {} @ {} {activation}{separate} -> {} {{\n",
            accumulators(&tensors, shape, program),
            features.factor,
            layers(&tensors, program, shape)?
        ),
        heads => {
            // Layers of 16-bit weights that read the accumulators directly have no output beside them.
            let words = if direct { " as i16" } else { "" };
            let graph = graph(
                &tensors,
                program,
                shape,
                heads,
                &format!("{activation}(acc){words}"),
            )?;
            format!("pub struct {name} {{\n{graph}")
        }
    };
    text += &format!(
        "    format raw {{ {} }}\n",
        fields(saved, &tensors, shape, search.heads)?.join(", ")
    );
    if let Some(scale) = program.scale.as_ref().filter(|scale| *scale != SCALE) {
        text += &format!("    value output * {scale};\n");
    }
    text += if search.heads.is_empty() {
        "};\n"
    } else {
        "}\n"
    };
    let plan = (search.compile)(&text)?;
    let tables = plan.tables();
    let padding = if shape.padding == Padding::None {
        Padding::None
    } else {
        Padding::Any
    };
    (raw_size(&tables.descriptor(), padding) == Some(size)).then_some(text)
}

/// What tells a guess.
const TOLD: &str = "the trainer's program tells (--save-format)";

/// Lists the facts that were guessed because the list lacks them.
pub(super) fn guesses(
    saved: &[Saved],
    program: &Program,
    shape: &Shape,
    heads: &[Head],
) -> Vec<String> {
    let mut guesses = Vec::new();
    let tensors = tensors(saved, heads);
    let activated: Vec<&str> = (0..=shape.hidden.len())
        .filter_map(|layer| weight(&tensors, layer))
        .map(|tensor| tensor.id.as_str())
        .collect();
    let mut parts = Vec::new();
    if activated.iter().any(|id| program.activation(id).is_none()) {
        parts.push(match shape.hidden.is_empty() {
            true => "the activation (`screlu`; `crelu` has the same size)",
            false => "the activations",
        });
    }
    if !shape.hidden.is_empty() {
        parts.extend(["the widths of the hidden layers", "the order of additions"]);
    }
    if program.scale.is_none() {
        parts.push("`value output * 400`");
    }
    if !parts.is_empty() {
        guesses.push(format!(
            "{}: {TOLD}, or golden values of the engine",
            parts.join(", ")
        ));
    }
    for id in activated {
        let (after, known) = (program.after(id), program.activation(id));
        if !after.is_empty() && known.is_none() {
            guesses.push(format!(
                "the program has `{}` after `{id}`, which is no activation of the language",
                after.join("`, `")
            ));
        }
    }
    if !heads.is_empty() {
        guesses.push("the inputs of the outputs beside the value".to_owned());
    }
    if program.perspectives.is_none() && shape.perspectives == 1 {
        guesses.push(
            "that only the side to move has an accumulator: with two the size would differ"
                .to_owned(),
        );
    }
    guesses.extend(guessed_inputs(program, shape));
    guesses.extend(guessed_rule(program, shape));
    let changed = |saved: &&Saved| {
        matches!(
            saved.kind,
            Kind::Tensor {
                transformed: true,
                ..
            }
        )
    };
    for changed in saved.iter().filter(changed) {
        guesses.push(format!(
            "the closure of `{}` keeps the order of its elements (as one that adds a factoriser does)",
            changed.id
        ));
    }
    guesses
}

fn guessed_rule(program: &Program, shape: &Shape) -> Option<String> {
    let guess = "`by material_count`, the rule of the trainer's `MaterialCount`";
    match &program.own_rule {
        _ if shape.outputs == 1 || program.by_material => None,
        Some(rule) => Some(format!(
            "{guess}: the program has `{rule}`, which is not read; declare its rule with `by ..`"
        )),
        None => Some(format!("{guess}: {TOLD}")),
    }
}

fn guessed_inputs(program: &Program, shape: &Shape) -> Option<String> {
    let kings = shape.kings;
    match &program.inputs {
        _ if shape.threats > 0 => Some(format!(
            "the inputs (`FullThreats[{}]` after {} rows of pieces; other inputs may have as many rows): compare values with those of the engine",
            shape.threats,
            768 * kings
        )),
        Some(inputs) => inputs.table.as_ref().err().map(|name| {
            format!("which squares have which of the {kings} king buckets: paste `const {name}: .. = ..;` as well")
        }),
        None => Some(unread_inputs(program, kings)),
    }
}

fn unread_inputs(program: &Program, kings: u64) -> String {
    let guess = match kings {
        1 => "the inputs (`768`; `Chess768[mirrored]` has the same size)".to_owned(),
        _ => format!(
            "which squares have which of the {kings} king buckets, and that they are `mirrored`"
        ),
    };
    match &program.own_inputs {
        Some(inputs) => format!(
            "{guess}: the program has `{inputs}`, which is not read; compare its rows with those declared"
        ),
        None => format!("{guess}: {TOLD}"),
    }
}

/// The tensors with their names in a declaration. Layers of heads come last.
fn tensors(saved: &[Saved], heads: &[Head]) -> Vec<Tensor> {
    let (mut layers, chain) = ([0; 2], hidden_layers(saved, heads) + 2);
    let tensor = |one: &Saved| {
        let Kind::Tensor {
            element,
            factor,
            transposed,
            ..
        } = one.kind
        else {
            return None;
        };
        let (is_bias, second) = (one.is_bias(), one.is_second(saved));
        let next = &mut layers[usize::from(is_bias)];
        let head = heads.iter().position(|head| one.is_of(head));
        let layer = match head {
            Some(head) => chain + head,
            None if second => 0,
            None => *next,
        };
        *next += usize::from(!second && head.is_none());
        let prefix = match layer {
            0 if second => "ft_second".to_owned(),
            0 => "ft".to_owned(),
            layer => format!("fc{}", layer - 1),
        };
        let name = format!("{prefix}_{}", if is_bias { "bias" } else { "weight" });
        Some(Tensor {
            name,
            id: one.id.clone(),
            layer,
            second,
            is_bias,
            element,
            factor,
            transposed,
        })
    };
    saved.iter().filter_map(tensor).collect()
}

fn weight(tensors: &[Tensor], layer: usize) -> Option<&Tensor> {
    tensors
        .iter()
        .find(|tensor| tensor.layer == layer && !tensor.is_bias && !tensor.second)
}

/// `(768 -> 64)x2`, or `768 -> 64` if only the side to move has an accumulator.
fn accumulators(tensors: &[Tensor], shape: &Shape, program: &Program) -> String {
    let accumulator = format!("{} -> {}", inputs(tensors, shape, program), shape.width);
    if shape.perspectives == 2 {
        format!("({accumulator})x2")
    } else {
        accumulator
    }
}

/// The program's inputs. Without them `768`, or king buckets in equal runs of squares, mirrored if 32 squares
/// suffice.
fn inputs(tensors: &[Tensor], shape: &Shape, program: &Program) -> String {
    let said = program.inputs.as_ref();
    let mirrored = said.map_or(shape.kings > 1 && shape.kings <= 32, |said| said.mirrored);
    let squares = if mirrored { 32 } else { 64 };
    let table = match said.map(|said| &said.table) {
        Some(Ok(table)) => table.clone(),
        _ => (0..squares)
            .map(|square| square * shape.kings / squares)
            .collect(),
    };
    let pieces = match (shape.kings, mirrored) {
        (1, false) => "768".to_owned(),
        (1, true) => "Chess768[mirrored]".to_owned(),
        (_, false) => format!("Chess768[buckets: [{}]]", runs(&table)),
        (_, true) => format!("Chess768[buckets: [{}], mirrored]", runs(&table)),
    };
    let is_bytes = weight(tensors, 0).is_some_and(|weight| weight.element == ElementType::I8);
    let element = if is_bytes { " as i8" } else { "" };
    match shape.threats {
        0 => format!("{pieces}{element}"),
        rows => format!("{pieces}{element} + FullThreats[{rows}]"),
    }
}

/// Run-length form of a table: `0, 1 x 3, 2`
fn runs(table: &[u64]) -> String {
    let runs = table.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => run[0].to_string(),
        count => format!("{} x {count}", run[0]),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// `1x8: i16 @ 64 by material_count`, or layers in brackets.
fn layers(tensors: &[Tensor], program: &Program, shape: &Shape) -> Option<String> {
    let annotated = |(width, element, activation): (u64, String, Option<&str>)| match activation {
        Some(activation) => (width, format!("{element} {activation}")),
        None => (width, element),
    };
    let chain: Vec<(u64, String)> = chain(tensors, program, shape)?
        .into_iter()
        .map(annotated)
        .collect();
    let by = if shape.outputs > 1 {
        " by material_count"
    } else {
        ""
    };
    let stacks = if shape.outputs > 1 {
        format!("x{}", shape.outputs)
    } else {
        String::new()
    };
    if let [(width, annotations)] = chain.as_slice() {
        return Some(format!("{width}{stacks}{annotations}{by}"));
    }
    let chain: Vec<String> = chain
        .into_iter()
        .map(|(width, annotations)| format!("{width}{annotations}"))
        .collect();
    let chain = chain.join(" -> ");
    Some(if shape.outputs > 1 {
        format!("({chain}){stacks}{by}")
    } else {
        chain
    })
}

/// The layers up to the value: width, type and scale of the weights, activation (`None`: the default).
fn chain<'a>(
    tensors: &[Tensor],
    program: &'a Program,
    shape: &Shape,
) -> Option<Vec<(u64, String, Option<&'a str>)>> {
    let count = shape.hidden.len() + 1;
    let layer = |layer| {
        let weight = weight(tensors, layer)?;
        let width = shape.hidden.get(layer - 1).copied().unwrap_or(1);
        let element = match weight.element {
            ElementType::F32 => ": f32".to_owned(),
            element => format!(": {} @ {}", element.name(), weight.factor),
        };
        let activation = match program.activation(&weight.id) {
            _ if layer == count => None,
            Some(activation) => Some(activation),
            None => float_after(tensors, layer).then_some("screlu"),
        };
        Some((width, element, activation))
    };
    (1..=count).map(layer).collect()
}

/// The body of a declaration with several outputs.
fn graph(
    tensors: &[Tensor],
    program: &Program,
    shape: &Shape,
    heads: &[Head],
    activated: &str,
) -> Option<String> {
    let mut layers = chain(tensors, program, shape)?;
    let last = layers.len() - 1;
    layers[..last]
        .iter_mut()
        .for_each(|(_, _, activation)| *activation = Some(activation.unwrap_or("crelu")));
    let heads: Option<Vec<(&Head, ElementType, u64)>> = heads
        .iter()
        .zip(layers.len() + 1..)
        .map(|(head, layer)| {
            weight(tensors, layer).map(|weight| (head, weight.element, weight.factor))
        })
        .collect();
    let times = if shape.perspectives == 2 { " x 2" } else { "" };
    let separate = if tensors.iter().any(|tensor| tensor.second) {
        ", separate"
    } else {
        ""
    };
    let one = weight(tensors, 0)?.factor;
    let accumulator = format!(
        "accumulate({}, {} @ {one}){times}{separate}",
        inputs(tensors, shape, program),
        shape.width
    );
    Some(heads::body(
        &accumulator,
        activated,
        &layers,
        &heads?,
        shape,
    ))
}

/// Whether the next layer has float weights.
fn float_after(tensors: &[Tensor], layer: usize) -> bool {
    tensors
        .iter()
        .any(|tensor| tensor.layer == layer + 1 && tensor.element == ElementType::F32)
}

/// The fields of `format raw` that are not defaults.
fn fields(
    saved: &[Saved],
    tensors: &[Tensor],
    shape: &Shape,
    heads: &[Head],
) -> Option<Vec<String>> {
    let is_tensor = |saved: &Saved| matches!(saved.kind, Kind::Tensor { .. });
    let (first, last) = (
        saved.iter().position(is_tensor)?,
        saved.iter().rposition(is_tensor)?,
    );
    let bytes = |saved: &[Saved]| -> u64 {
        saved
            .iter()
            .map(|saved| {
                if let Kind::Bytes(bytes) = saved.kind {
                    bytes
                } else {
                    0
                }
            })
            .sum()
    };
    // The declaration language allows no more bytes than a padding at the end.
    if bytes(&saved[last + 1..]) >= Padding::ALIGNMENT as u64 {
        return None;
    }
    let mut fields = Vec::new();
    if first > 0 {
        fields.push(format!("skip: {}", bytes(&saved[..first])));
    }
    fields.push(format!(
        "padding: {}",
        if bytes(&saved[last + 1..]) > 0 {
            "any"
        } else {
            shape.padding.name()
        }
    ));
    let usual = tensors
        .iter()
        .map(|tensor| (tensor.layer, tensor.second, tensor.is_bias));
    if !usual.is_sorted() {
        let names: Vec<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
        fields.push(format!("order: [{}]", names.join(", ")));
    }
    fields.extend(
        tensors
            .iter()
            .filter_map(|tensor| field(tensor, shape, heads)),
    );
    Some(fields)
}

/// The field of one tensor, if it is not the default.
fn field(tensor: &Tensor, shape: &Shape, heads: &[Head]) -> Option<String> {
    let Tensor {
        name,
        layer,
        is_bias,
        element,
        factor,
        transposed,
        ..
    } = tensor;
    if *is_bias && *layer > 0 && !heads.is_empty() {
        // Biases in the file may have another unit than the layer's sums, so their scale is written.
        return (*element != ElementType::F32)
            .then(|| format!("{name}: {} @ {factor}", element.name()));
    }
    if *is_bias {
        let wide = *layer == 1 && shape.hidden.is_empty() && *element == ElementType::I32;
        return wide.then(|| format!("{name}: i32"));
    }
    if *layer == 0 {
        return transposed.then(|| format!("{name}: [output][input]"));
    }
    let of_head = layer
        .checked_sub(shape.hidden.len() + 2)
        .and_then(|head| heads.get(head))
        .map(Head::neurons);
    let outputs = of_head
        .or_else(|| shape.hidden.get(layer - 1).copied())
        .unwrap_or(1);
    let stack = if shape.outputs > 1 { "[stack]" } else { "" };
    let output = if outputs > 1 { "[output]" } else { "" };
    (!transposed && shape.outputs * outputs > 1).then(|| format!("{name}: [input]{stack}{output}"))
}
