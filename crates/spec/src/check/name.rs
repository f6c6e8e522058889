//! Names: bound once, before they are read, and read at least once.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::{Loc, Located};
use crate::model::{Expr, NetSpec};
use crate::suggest::nearest;

/// The names known at a point of the declaration.
struct Names<'a, 's> {
    /// bound so far, with location
    bound: BTreeMap<&'a str, Loc>,
    /// bound anywhere
    all: BTreeMap<&'a str, Loc>,
    read: BTreeSet<&'a str>,
    broken: bool,
    /// whether no name is bound twice
    unique: bool,
    sink: &'s mut Sink,
}

/// Returns false if a name is bound twice.
pub(super) fn check_names(spec: &NetSpec, sink: &mut Sink) -> bool {
    let accumulator = &spec.accumulator.name;
    let first = (accumulator.value.as_str(), accumulator.loc);
    let bindings = spec
        .bindings
        .iter()
        .map(|binding| (binding.name.value.as_str(), binding.name.loc));
    let all = bindings.rev().chain([first]).collect();
    let bound = BTreeMap::from([first]);
    let mut names = Names {
        bound,
        all,
        read: BTreeSet::new(),
        broken: false,
        unique: true,
        sink,
    };
    for binding in &spec.bindings {
        names.read(&binding.value);
        names.bind(&binding.name);
    }
    for term in &spec.output.terms {
        names.read(&term.value);
    }
    for head in &spec.heads {
        names.read(&head.value);
    }
    // After other errors about names, an unused name may be a misspelt one.
    if !names.broken {
        names.check_unused(spec);
    }
    names.unique
}

impl<'a> Names<'a, '_> {
    fn bind(&mut self, name: &'a Located<String>) {
        if let Some(first) = self.bound.get(name.value.as_str()) {
            (self.broken, self.unique) = (true, false);
            self.sink.push(
                Diagnostic::new(
                    Code::DuplicateName,
                    name.loc,
                    format!("`{}` is bound twice", name.value),
                )
                .help("choose another name for one of the two")
                .related(*first, "first bound"),
            );
        } else {
            self.bound.insert(&name.value, name.loc);
        }
    }

    /// Marks every name in an expression as read.
    fn read(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => self.read_name(name),
            Expr::Affine { input, .. }
            | Expr::Activate { input, .. }
            | Expr::Reduce { input, .. }
            | Expr::Slice { input, .. } => self.read(input),
            Expr::Pool { operands, .. } => operands.iter().for_each(|operand| self.read(operand)),
            Expr::Number(_) | Expr::Float(_) => {}
            Expr::Concat { parts, .. }
            | Expr::Arithmetic {
                operands: parts, ..
            } => parts.iter().for_each(|part| self.read(part)),
        }
    }

    fn read_name(&mut self, name: &'a Located<String>) {
        self.read.insert(&name.value);
        if self.bound.contains_key(name.value.as_str()) {
            return;
        }
        self.broken = true;
        if self.sink.is_full() {
            self.sink.leave_out();
            return;
        }
        if let Some(later) = self.all.get(name.value.as_str()) {
            let message = format!("`{}` is read before it is bound", name.value);
            self.sink.push(
                Diagnostic::new(Code::UnknownName, name.loc, message)
                    .help(format!("move `let {} = ..;` up", name.value))
                    .related(*later, "bound"),
            );
            return;
        }
        let help = match nearest(&name.value, self.bound.keys().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("bound here are {}", listed(self.bound.keys().copied())),
        };
        let message = format!("no value is called `{}`", name.value);
        self.sink
            .push(Diagnostic::new(Code::UnknownName, name.loc, message).help(help));
    }

    fn check_unused(&mut self, spec: &'a NetSpec) {
        let bindings = spec.bindings.iter().map(|binding| &binding.name);
        for name in core::iter::once(&spec.accumulator.name).chain(bindings) {
            if !self.read.contains(name.value.as_str()) {
                let message = format!("`{}` is never read", name.value);
                self.sink.push(
                    Diagnostic::new(Code::UnusedBinding, name.loc, message)
                        .help(format!(
                            "remove `{}`, or read it in the output or in another value",
                            name.value
                        ))
                        .note("every value of a network counts in its result"),
                );
            }
        }
    }
}

/// Greatest number of names in a message.
const MAX_LISTED: usize = 24;

/// `` `a`, `b` and `c` ``
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let (mut names, mut count) = (names.peekable(), 0);
    while let Some(name) = names.next() {
        count += 1;
        if count > MAX_LISTED {
            text += &format!(" and {} more", 1 + names.count());
            break;
        }
        if !text.is_empty() {
            text += if names.peek().is_some() {
                ", "
            } else {
                " and "
            };
        }
        text += &format!("`{name}`");
    }
    text
}
