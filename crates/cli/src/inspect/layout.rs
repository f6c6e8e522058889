//! `nnue inspect --layout`: offset, length, type and axes of everything in a file.

use std::io::{self, Write};

use nnue_format::layout::{Unit, units};
use nnue_format::{BLOCK_HEAD, Header, leb128, raw};
use nnue_spec::{ElementType, NetDesc, Padding, RawDesc, Section, Span, TensorDesc, TensorRef};

/// A run of bytes in a file.
struct Run {
    bytes: u64,
    element: Option<ElementType>,
    what: String,
}

impl Run {
    fn bytes(bytes: u64, what: impl Into<String>) -> Self {
        Self {
            bytes,
            element: None,
            what: what.into(),
        }
    }
}

/// Prints the runs of a file of `net` with this header and these tensors.
pub(super) fn write(
    net: &NetDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let runs = match &net.raw {
        Some(raw) => raw_runs(net, raw, header, tensors),
        None => container_runs(net, header, tensors),
    };
    writeln!(out, "\n{:>12} {:>12}  type  contents", "offset", "bytes")?;
    let mut offset = 0;
    for Run {
        bytes,
        element,
        what,
    } in runs.into_iter().filter(|run| run.bytes > 0)
    {
        let element = element.map_or("", ElementType::name);
        writeln!(out, "{offset:>12} {bytes:>12}  {element:<4}  {what}")?;
        offset += bytes;
    }
    writeln!(out, "{offset:>12}               end")
}

fn raw_runs(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
) -> Vec<Run> {
    let spans = raw::spans(net, raw, &header.description, tensors);
    let end = spans.last().map_or(0, |span| span.end());
    let mut runs: Vec<Run> = spans
        .iter()
        .map(|span| {
            let of_stack = match span.placed.stack {
                Some(stack) => format!(" of stack {stack}"),
                None => String::new(),
            };
            if let Some(run) = tensor_run(net, raw, span, &of_stack) {
                return run;
            }
            match span.placed.section {
                Section::Block(_) => Run::bytes(span.bytes, OF_BLOCK),
                Section::Text => Run::bytes(span.bytes, "length and text, kept"),
                Section::Constant(bytes) => {
                    Run::bytes(span.bytes, format!("\"{}\"", bytes.escape_ascii()))
                }
                _ => Run::bytes(span.bytes, format!("kept{of_stack}")),
            }
        })
        .collect();
    if header.padding != Padding::None {
        let what = format!("padding `{}`", header.padding.name());
        runs.push(Run::bytes(raw::to_alignment(end), what));
    }
    runs
}

/// A tensor, or some rows of one.
fn tensor_run(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    span: &Span<'_>,
    of_stack: &str,
) -> Option<Run> {
    let index = span.placed.section.tensor()?;
    let mut tensor = net.tensors[index];
    if span.placed.stack.is_some() {
        tensor.copies = 1;
    }
    let rows = match span.placed.section {
        Section::Rows(rows) => format!("[{}..{}]", rows.first, rows.first + rows.count),
        _ => String::new(),
    };
    let axes = tensor.axes_text(raw.axes[index]);
    let encoding = if raw.leb128 || span.placed.in_block {
        " LEB128"
    } else {
        ""
    };
    Some(Run {
        bytes: span.bytes,
        element: Some(raw.numbers(net, &span.placed).1),
        what: format!("{}{rows}{of_stack} {axes}{encoding}", tensor.name),
    })
}

/// The bytes before the numbers of a block.
const OF_BLOCK: &str = "COMPRESSED_LEB128 and the length of the block";

fn container_runs(net: &NetDesc<'_>, header: &Header, tensors: &[TensorRef<'_>]) -> Vec<Run> {
    let word = |what: &str, value: u32| Run::bytes(4, format!("{what} {value:#010x}"));
    let container = &net.container;
    let mut runs = vec![
        word("version", container.version),
        word(
            "network hash",
            header.transformer_hash ^ container.stack_hash,
        ),
        Run::bytes(4, "length of the description"),
        Run::bytes(header.description.len() as u64, "description"),
        word("hash of the feature transformer", header.transformer_hash),
    ];
    for unit in units(net, header.encoding) {
        let (range, head) = match unit {
            Unit::Array(index) => (index..index + 1, false),
            Unit::Block(range) => (range, true),
        };
        if head {
            runs.push(Run::bytes(BLOCK_HEAD as u64, OF_BLOCK));
        }
        for index in range {
            runs.push(container_tensor(&net.tensors[index], tensors[index], head));
        }
    }
    let of_layers = |tensor: &&TensorDesc<'_>| tensor.role.is_of_layer();
    for stack in 0..net.stacks.count {
        runs.push(word(
            &format!("hash of stack {stack}"),
            container.stack_hash,
        ));
        for tensor in net.tensors.iter().filter(of_layers) {
            let len = tensor.rows * tensor.cols;
            let copy = TensorDesc {
                copies: 1,
                ..*tensor
            };
            runs.push(Run {
                bytes: (len * tensor.element.bytes()) as u64,
                element: Some(tensor.element),
                what: format!(
                    "{} of stack {stack} {}",
                    tensor.name,
                    copy.axes_text(nnue_spec::HELD)
                ),
            });
        }
    }
    runs
}

fn container_tensor(tensor: &TensorDesc<'_>, values: TensorRef<'_>, is_leb128: bool) -> Run {
    let bytes = match values {
        TensorRef::I8(values) if is_leb128 => leb128::encoded_len(values),
        TensorRef::I16(values) if is_leb128 => leb128::encoded_len(values),
        TensorRef::I32(values) if is_leb128 => leb128::encoded_len(values),
        values => (values.len() * values.element().bytes()) as u64,
    };
    let encoding = if is_leb128 { " LEB128" } else { "" };
    Run {
        bytes,
        element: Some(tensor.element),
        what: format!(
            "{} {}{encoding}",
            tensor.name,
            tensor.axes_text(nnue_spec::HELD)
        ),
    }
}
