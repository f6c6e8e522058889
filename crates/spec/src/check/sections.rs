//! The order of a header-less file: each tensor once, between bytes of the file's own.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::descriptor::Axis;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::{Graph, Tensor};
use crate::loc::{Loc, Located};
use crate::model::{RawSpec, SectionSpec};
use crate::suggest::nearest;

/// Greatest number of kept bytes of a section, and of all of them.
const MAX_KEPT: u64 = 1 << 20;

/// Greatest alignment: a page of memory.
const MAX_ALIGNMENT: u64 = 4096;

/// Greatest number of bytes of a constant.
const MAX_CONSTANT: usize = 256;

/// A tensor in an order.
struct Named<'a> {
    name: &'a str,
    loc: Loc,
    /// whether it is inside `stacks [..]`
    in_stacks: bool,
}

pub(super) fn check_order(
    graph: &Graph,
    raw: &RawSpec,
    order: &Located<Vec<Located<SectionSpec>>>,
    sink: &mut Sink,
) {
    let before = sink.has_errors();
    for section in &order.value {
        check_section(graph, section, sink);
        for inner in section.value.inner() {
            check_section(graph, inner, sink);
            if matches!(inner.value, SectionSpec::Stacks(_)) {
                let message = "`stacks` stands in `stacks`";
                let wrong = Diagnostic::new(Code::TensorOrder, inner.loc, message);
                sink.push(wrong.help("name the tensors in one of them"));
            }
        }
    }
    check_kept(graph, order, sink);
    let named = named(&order.value);
    for (at, tensor) in named.iter().enumerate() {
        check_named(graph, raw, &named[..at], tensor, sink);
    }
    let is_missing = |tensor: &&Tensor| !named.iter().any(|named| named.name == tensor.name);
    if let (false, Some(missing)) = (before, graph.tensors.iter().find(is_missing))
        && !sink.has_errors()
    {
        let message = format!("the order does not say where `{}` stands", missing.name);
        let help = format!("name all {} tensors of the network", graph.tensors.len());
        sink.push(Diagnostic::new(Code::TensorOrder, order.loc, message).help(help));
    }
}

fn named(order: &[Located<SectionSpec>]) -> Vec<Named<'_>> {
    let mut all = Vec::new();
    for section in order {
        let in_stacks = matches!(section.value, SectionSpec::Stacks(_));
        for section in core::iter::once(section).chain(section.value.inner()) {
            if let SectionSpec::Tensor(name) = &section.value {
                all.push(Named {
                    name,
                    loc: section.loc,
                    in_stacks,
                });
            }
        }
    }
    all
}

/// Numbers and bytes of a section.
fn check_section(graph: &Graph, section: &Located<SectionSpec>, sink: &mut Sink) {
    let mut refuse = |code, loc, message: String, help: &str| {
        sink.push(Diagnostic::new(code, loc, message).help(help));
    };
    match &section.value {
        SectionSpec::Align(to) if !(2..=MAX_ALIGNMENT).contains(&to.value) => {
            let message = format!("an alignment is 2 to {MAX_ALIGNMENT}, not {}", to.value);
            let help = "write the number of bytes of whose multiple the next tensor begins";
            refuse(Code::TensorOrder, to.loc, message, help);
        }
        SectionSpec::Constant(bytes) if !(1..=MAX_CONSTANT).contains(&bytes.len()) => {
            let message = format!("a text has 1 to {MAX_CONSTANT} bytes, not {}", bytes.len());
            refuse(
                Code::TensorOrder,
                section.loc,
                message,
                "write for example `\"CBNF\"`",
            );
        }
        SectionSpec::Stacks(sections) if sections.is_empty() => {
            let message = String::from("no tensor stands in `stacks`");
            let help = "write for example `stacks [fc0_weight, fc0_bias]`";
            refuse(Code::TensorOrder, section.loc, message, help);
        }
        SectionSpec::Stacks(_) if graph.stacks.count == 1 => {
            let message = String::from("the network has one stack");
            let help = "name the tensors without `stacks [..]`";
            refuse(Code::TensorOrder, section.loc, message, help);
        }
        _ => {}
    }
}

/// Kept bytes, which are in memory, are few.
fn check_kept(graph: &Graph, order: &Located<Vec<Located<SectionSpec>>>, sink: &mut Sink) {
    let mut kept = 0_u64;
    for section in &order.value {
        let (inner, times) = match section.value.inner() {
            [] => (core::slice::from_ref(section), 1),
            inner => (inner, graph.stacks.count as u64),
        };
        for section in inner {
            let (bytes, loc) = match &section.value {
                SectionSpec::Skip(bytes) => (bytes.value, bytes.loc),
                SectionSpec::Align(to) => (to.value, to.loc),
                _ => continue,
            };
            kept = kept.saturating_add(bytes.saturating_mul(times));
            if kept > MAX_KEPT {
                let message = format!("{kept} bytes are skipped, at most {MAX_KEPT} can be");
                let help = "raw files of engines have headers of some bytes, or none";
                return sink.push(Diagnostic::new(Code::HeaderSize, loc, message).help(help));
            }
        }
    }
}

fn check_named(
    graph: &Graph,
    raw: &RawSpec,
    before: &[Named<'_>],
    named: &Named<'_>,
    sink: &mut Sink,
) {
    let Named {
        name,
        loc,
        in_stacks,
    } = *named;
    if let Some(first) = before.iter().find(|first| first.name == name) {
        let message = format!("`{name}` stands twice in the order");
        let wrong = Diagnostic::new(Code::TensorOrder, loc, message).help("remove one of the two");
        return sink.push(wrong.related(first.loc, "first"));
    }
    let Some(tensor) = graph.tensors.iter().find(|tensor| tensor.name == name) else {
        return sink.push(unknown(graph, &Located::new(name.into(), loc)));
    };
    if !in_stacks {
        return;
    }
    if !tensor.role.is_of_layer() {
        let message = format!("`{name}` is there once, not for each stack");
        let help = "name it outside of `stacks [..]`";
        return sink.push(Diagnostic::new(Code::TensorOrder, loc, message).help(help));
    }
    let said = raw.tensors.iter().find(|said| said.name.value == name);
    let axes = said.and_then(|said| said.axes.as_ref());
    let stack = axes.and_then(|axes| {
        let mut parts = axes.value.iter();
        parts.find(|part| part.value.axis == Axis::Copy)
    });
    if let Some(stack) = stack {
        let message = format!("`{name}` stands in `stacks [..]`, which is its axis `stack`");
        let wrong = Diagnostic::new(Code::TensorAxes, stack.loc, message);
        sink.push(
            wrong
                .help("leave `[stack]` out")
                .related(loc, "here it stands"),
        );
    }
}

/// The error for the name of no tensor.
pub(super) fn unknown(graph: &Graph, name: &Located<String>) -> Diagnostic {
    let names = || graph.tensors.iter().map(|tensor| tensor.name.as_str());
    let help = match nearest(&name.value, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "the network has `{}`",
            names().collect::<Vec<_>>().join("`, `")
        ),
    };
    Diagnostic::new(
        Code::UnknownTensor,
        name.loc,
        format!("the network has no tensor `{}`", name.value),
    )
    .help(help)
}
