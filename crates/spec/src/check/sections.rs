//! The order of a header-less file: each tensor once, between bytes of the file's own.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::descriptor::{Axis, ElementType};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::{Graph, Tensor};
use crate::loc::{Loc, Located};
use crate::model::{RawSpec, RowsSpec, SectionSpec};
use crate::suggest::nearest;

/// Greatest number of kept bytes of a section, and of all of them.
const MAX_KEPT: u64 = 1 << 20;

/// Greatest alignment: a page of memory.
const MAX_ALIGNMENT: u64 = 4096;

/// Greatest number of bytes of a constant.
const MAX_CONSTANT: usize = 256;

/// A tensor in an order, whole or in part.
struct Named<'a> {
    name: &'a str,
    loc: Loc,
    /// some of its rows
    rows: Option<&'a RowsSpec>,
    /// whether it is inside `stacks [..]`
    in_stacks: bool,
}

impl<'a> Named<'a> {
    fn new(section: &'a Located<SectionSpec>, in_stacks: bool) -> Option<Self> {
        Some(Self {
            name: section.value.tensor()?,
            loc: section.loc,
            rows: match &section.value {
                SectionSpec::Rows(rows) => Some(rows),
                _ => None,
            },
            in_stacks,
        })
    }

    /// Its rows of `tensor`.
    fn range(&self, tensor: &Tensor) -> Range<usize> {
        match self.rows {
            Some(rows) => rows.range(tensor.rows),
            None => 0..tensor.rows,
        }
    }
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
            check_inner(&section.value, inner, sink);
        }
    }
    check_kept(graph, order, sink);
    check_texts(&order.value, sink);
    let named = named(&order.value);
    for (at, tensor) in named.iter().enumerate() {
        check_named(graph, raw, &named[..at], tensor, sink);
    }
    if before || sink.has_errors() {
        return;
    }
    let missing = |tensor| Some((tensor, missing(&named, tensor)?));
    if let Some((tensor, rows)) = graph.tensors.iter().find_map(missing) {
        let name = &tensor.name;
        let (missing, help) = match rows.len() == tensor.rows {
            true => (
                format!("`{name}` stands"),
                format!("name all {} tensors of the network", graph.tensors.len()),
            ),
            false => (
                format!(
                    "the rows {} to {} of `{name}` stand",
                    rows.start,
                    rows.end - 1
                ),
                format!("name all parts of `{name}`, or the whole tensor"),
            ),
        };
        let message = format!("the order does not say where {missing}");
        sink.push(Diagnostic::new(Code::TensorOrder, order.loc, message).help(help));
    }
}

/// The first rows of a tensor that an order does not name.
fn missing(named: &[Named<'_>], tensor: &Tensor) -> Option<Range<usize>> {
    let mut parts: Vec<Range<usize>> = named
        .iter()
        .filter(|named| named.name == tensor.name)
        .map(|named| named.range(tensor))
        .collect();
    parts.sort_by_key(|part| part.start);
    let mut next = 0;
    let end = core::iter::once(tensor.rows..tensor.rows);
    for part in parts.into_iter().chain(end) {
        if part.start > next {
            return Some(next..part.start);
        }
        next = part.end;
    }
    None
}

/// Groups are not nested, and a block has tensors only.
fn check_inner(group: &SectionSpec, inner: &Located<SectionSpec>, sink: &mut Sink) {
    let word = |section: &SectionSpec| match section {
        SectionSpec::Block(_) => "leb128",
        _ => "stacks",
    };
    let of_block = matches!(group, SectionSpec::Block(_));
    let message = match &inner.value {
        SectionSpec::Stacks(_) | SectionSpec::Block(_) => {
            format!("`{}` stands in `{}`", word(&inner.value), word(group))
        }
        section if of_block && section.tensor().is_none() => {
            String::from("a block of LEB128 numbers has tensors only")
        }
        SectionSpec::Text => String::from("a text does not stand once for each stack"),
        _ => return,
    };
    let help = match of_block {
        false if inner.value == SectionSpec::Text => "name it outside of `stacks [..]`",
        true => "write what stands before and after the block outside of `leb128 [..]`",
        false => "name the tensors in one of them",
    };
    sink.push(Diagnostic::new(Code::TensorOrder, inner.loc, message).help(help));
}

fn named(order: &[Located<SectionSpec>]) -> Vec<Named<'_>> {
    let mut all = Vec::new();
    for section in order {
        let in_stacks = matches!(section.value, SectionSpec::Stacks(_));
        let sections = SectionSpec::flat(core::slice::from_ref(section));
        all.extend(sections.filter_map(|section| Named::new(section, in_stacks)));
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
        SectionSpec::Block(sections) if sections.is_empty() => {
            let message = String::from("no tensor stands in `leb128`");
            let help = "write for example `leb128 [ft_bias]`";
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

/// A file has one text, before all parts whose places depend on its length.
fn check_texts(order: &[Located<SectionSpec>], sink: &mut Sink) {
    let is_text = |section: &Located<SectionSpec>| section.value == SectionSpec::Text;
    let texts = order.iter().enumerate();
    for (index, text) in texts.filter(|(_, section)| is_text(section)) {
        let first = SectionSpec::flat(&order[..index])
            .find(|it| is_text(it) || matches!(it.value, SectionSpec::Align(_)));
        let Some(first) = first else { continue };
        let (message, help) = match first {
            first if first.value == SectionSpec::Text => {
                ("a file has one text", "remove one of the two")
            }
            _ => (
                "a text stands before all `align`",
                "write `skip` with the number of bytes in place of `align`",
            ),
        };
        let wrong = Diagnostic::new(Code::TensorOrder, text.loc, message).help(help);
        sink.push(wrong.related(first.loc, "what stands before it"));
    }
}

/// Kept bytes, which are in memory, are few.
fn check_kept(graph: &Graph, order: &Located<Vec<Located<SectionSpec>>>, sink: &mut Sink) {
    let mut kept = 0_u64;
    for section in &order.value {
        let (inner, times) = match &section.value {
            SectionSpec::Stacks(inner) => (&inner[..], graph.stacks.count as u64),
            _ => (core::slice::from_ref(section), 1),
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
        ..
    } = *named;
    let Some(tensor) = graph.tensors.iter().find(|tensor| tensor.name == name) else {
        return sink.push(unknown(graph, &Located::new(name.into(), loc)));
    };
    if let Some(rows) = named.rows {
        check_rows(raw, tensor, rows, loc, sink);
    }
    let range = named.range(tensor);
    let overlaps = |first: &&Named<'_>| {
        let first_range = first.range(tensor);
        first.name == name && first_range.start < range.end && range.start < first_range.end
    };
    if let Some(first) = before.iter().find(overlaps) {
        let message = match named.rows.and(first.rows) {
            Some(_) => format!("rows of `{name}` stand twice in the order"),
            None => format!("`{name}` stands twice in the order"),
        };
        let wrong = Diagnostic::new(Code::TensorOrder, loc, message).help("remove one of the two");
        return sink.push(wrong.related(first.loc, "first"));
    }
    if !in_stacks {
        return;
    }
    if !tensor.role.is_of_layer() {
        let message = format!("`{name}` is there once, not for each stack");
        let help = "name it outside of `stacks [..]`";
        return sink.push(Diagnostic::new(Code::TensorOrder, loc, message).help(help));
    }
    let axes = raw.tensor(name).and_then(|said| said.axes.as_ref());
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

/// Rows of the feature transformer may stand in parts, in their order, each with a type that is not wider.
fn check_rows(raw: &RawSpec, tensor: &Tensor, rows: &RowsSpec, loc: Loc, sink: &mut Sink) {
    let name = &tensor.name;
    let mut refuse = |code, loc, message: String, help: &str| {
        sink.push(Diagnostic::new(code, loc, message).help(help));
    };
    if tensor.role.is_of_layer() || tensor.rows == 1 {
        let message = format!("`{name}` is not in parts of rows");
        let help = "name it without `[..]`: tensors with a row for each feature may be in parts";
        return refuse(Code::TensorOrder, loc, message, help);
    }
    let mut bounds = [rows.from, rows.to].into_iter().flatten();
    if let Some(bound) = bounds.find(|bound| bound.value > tensor.rows as u64) {
        let message = format!("`{name}` has {} rows, not {}", tensor.rows, bound.value);
        let help = "write a number of its rows, or leave it out for the first or the last";
        return refuse(Code::TensorOrder, bound.loc, message, help);
    }
    if rows.range(tensor.rows).is_empty() {
        let message = format!("no row of `{name}` stands here");
        let help =
            "write for example `[..768]` and `[768..]`: the first row, and the row after the last";
        return refuse(Code::TensorOrder, loc, message, help);
    }
    if let Some(axes) = raw.tensor(name).and_then(|said| said.axes.as_ref()) {
        let message = format!("`{name}` is in parts of rows, whose axes are `[input][output]`");
        return refuse(Code::TensorAxes, axes.loc, message, "leave the axes out");
    }
    if let Some(first) = raw.enemy_first.filter(|first| first.value) {
        let message = format!("`{name}` is in parts, in which no rows change places");
        let help = "leave `rows: enemy_first` out, or name the whole tensor";
        return refuse(Code::TensorOrder, first.loc, message, help);
    }
    let narrower = |element: &ElementType| {
        element.bytes() <= tensor.element.bytes() && *element != ElementType::F32
    };
    let known: Vec<ElementType> = match tensor.element {
        ElementType::F32 => Vec::from([ElementType::F32]),
        _ => [ElementType::I32, ElementType::I16, ElementType::I8]
            .into_iter()
            .filter(narrower)
            .collect(),
    };
    if let Some(element) = rows.element.filter(|it| !known.contains(&it.value)) {
        let names: Vec<_> = known.iter().map(|element| element.name()).collect();
        let found = element.value.name();
        let message = format!(
            "rows of `{name}` are read as {}, not as {found}",
            names.join(" or ")
        );
        let help = "declare the wider type for the feature set";
        refuse(Code::TensorElement, element.loc, message, help);
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
