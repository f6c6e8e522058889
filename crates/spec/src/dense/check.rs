//! Checks a declaration over a dense input and makes its graph, or reports errors.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::model::{DenseExpr, DenseSpec, Join};
use super::shapes::{self, MAX_VALUES};
use super::{DenseDesc, DenseNode, DenseOp, Shape};
use crate::check::MAX_BYTES;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::{Loc, Located};
use crate::suggest::nearest;

/// A checked network over a dense input: [`DenseDesc`] in owned form.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseGraph {
    /// name of the declared type
    pub name: String,
    /// the operations
    pub nodes: Vec<DenseNode>,
    /// products and additions are fused
    pub fused: bool,
}

impl DenseGraph {
    /// The description.
    pub fn desc(&self) -> DenseDesc<'_> {
        DenseDesc {
            name: &self.name,
            nodes: &self.nodes,
            fused: self.fused,
        }
    }
}

/// The graph of a model; `None` if there are errors, which are in `sink`.
pub fn check(spec: &DenseSpec, sink: &mut Sink) -> Option<DenseGraph> {
    let mut walk = Walk {
        names: BTreeMap::new(),
        read: BTreeSet::new(),
        broken: false,
        nodes: Vec::new(),
        sink,
    };
    let source = shapes::source(&spec.source, walk.sink).map(|shape| {
        let op = if spec.source.bits {
            DenseOp::Bits
        } else {
            DenseOp::Input
        };
        walk.push(DenseNode {
            op,
            operand: 0,
            shape,
        })
    });
    walk.bind(&spec.source.name, source);
    for binding in &spec.bindings {
        let value = walk.value(&binding.value);
        walk.bind(&binding.name, value);
    }
    let output = walk.value(&spec.output);
    if !walk.broken {
        walk.check_unused(spec);
    }
    // Every node is read by a later one, except the output, so the output is the last node.
    let Walk { nodes, sink, .. } = walk;
    let graph = DenseGraph {
        name: spec.name.value.clone(),
        nodes,
        fused: spec.fused,
    };
    check_output(spec, &graph, output, sink);
    check_sizes(spec, &graph, sink);
    (!sink.has_errors()).then_some(graph)
}

/// The output must be an operation, the last one.
fn check_output(spec: &DenseSpec, graph: &DenseGraph, output: Option<usize>, sink: &mut Sink) {
    if output == Some(0) && graph.nodes.len() == 1 {
        let message = "the output is the input";
        let help = "write for example `output affine(flatten(x), 10);`";
        sink.push(Diagnostic::new(Code::OutputTerm, spec.output.loc(), message).help(help));
    }
}

/// Values and parameters must fit in memory.
fn check_sizes(spec: &DenseSpec, graph: &DenseGraph, sink: &mut Sink) {
    if sink.has_errors() {
        return;
    }
    let sum = |lengths: &mut dyn Iterator<Item = usize>| lengths.fold(0, usize::saturating_add);
    let values = sum(&mut graph.nodes.iter().map(|node| node.shape.len()));
    let parameters = graph.desc().tensors();
    let bytes = sum(&mut parameters.iter().map(|tensor| {
        tensor
            .shape
            .iter()
            .fold(4, |all: usize, &n| all.saturating_mul(n))
    }));
    let message = if values > MAX_VALUES {
        format!("all operations together have {values} values, the limit is {MAX_VALUES}")
    } else if bytes as u64 > MAX_BYTES {
        format!("the network has {bytes} bytes of parameters, the limit is {MAX_BYTES}")
    } else {
        return;
    };
    let help = "use fewer channels, or a stride or a pool earlier";
    sink.push(Diagnostic::new(Code::NetworkTooLarge, spec.name.loc, message).help(help));
}

struct Walk<'a, 's> {
    /// names bound so far: location and node; `None` after an error
    names: BTreeMap<&'a str, (Loc, Option<usize>)>,
    read: BTreeSet<&'a str>,
    /// some names are wrong, so an unused name may be a misspelt one
    broken: bool,
    nodes: Vec<DenseNode>,
    sink: &'s mut Sink,
}

impl<'a> Walk<'a, '_> {
    fn push(&mut self, node: DenseNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn shape(&self, node: usize) -> Shape {
        self.nodes[node].shape
    }

    fn bind(&mut self, name: &'a Located<String>, node: Option<usize>) {
        if let Some((first, _)) = self.names.get(name.value.as_str()) {
            self.broken = true;
            let message = format!("`{}` is bound twice", name.value);
            self.sink.push(
                Diagnostic::new(Code::DuplicateName, name.loc, message)
                    .help("choose another name for one of the two")
                    .related(*first, "first bound"),
            );
            return;
        }
        self.names.insert(&name.value, (name.loc, node));
    }

    /// The node of an expression.
    fn value(&mut self, expr: &'a DenseExpr) -> Option<usize> {
        match expr {
            DenseExpr::Name(name) => self.named(name),
            DenseExpr::Operation {
                operation,
                input,
                loc,
            } => {
                let operand = self.value(input)?;
                let (op, shape) =
                    shapes::operation(operation, (input, self.shape(operand)), *loc, self.sink)?;
                Some(self.push(DenseNode { op, operand, shape }))
            }
            DenseExpr::Join { join, parts, loc } => self.joined(*join, parts, *loc),
        }
    }

    fn named(&mut self, name: &'a Located<String>) -> Option<usize> {
        if let Some(&(_, node)) = self.names.get(name.value.as_str()) {
            self.read.insert(&name.value);
            return node;
        }
        self.broken = true;
        let wrong = Diagnostic::new(
            Code::UnknownName,
            name.loc,
            format!("no value is called `{}`", name.value),
        );
        let near = nearest(&name.value, self.names.keys().copied());
        self.sink.push(match near {
            Some(near) => wrong.help(format!("did you mean `{near}`?")),
            None => wrong.help("bind it first: `let y = relu(x);`"),
        });
        None
    }

    /// Joins values two at a time, from the first on.
    fn joined(&mut self, join: Join, parts: &'a [DenseExpr], loc: Loc) -> Option<usize> {
        let nodes: Vec<Option<usize>> = parts.iter().map(|part| self.value(part)).collect();
        let nodes: Vec<usize> = nodes.into_iter().collect::<Option<_>>()?;
        let (first, others) = nodes
            .split_first()
            .filter(|(_, others)| !others.is_empty())
            .or_else(|| {
                let name = join.name();
                let message = format!("`{name}` joins 2 or more values, found {}", parts.len());
                self.sink.push(
                    Diagnostic::new(Code::ConcatCount, loc, message)
                        .help(format!("join for example `{name}(a, b)`")),
                );
                None
            })?;
        let mut operand = *first;
        for &other in others {
            let shapes = [operand, other].map(|node| self.shape(node));
            let (op, shape) = shapes::join(join, shapes, other, loc, self.sink)?;
            operand = self.push(DenseNode { op, operand, shape });
        }
        Some(operand)
    }

    fn check_unused(&mut self, spec: &'a DenseSpec) {
        let names = core::iter::once(&spec.source.name)
            .chain(spec.bindings.iter().map(|binding| &binding.name));
        for name in names.filter(|name| !self.read.contains(name.value.as_str())) {
            let message = format!("`{}` is never read", name.value);
            let help = format!(
                "remove `{}`, or read it in the output or in another value",
                name.value
            );
            let diagnostic = Diagnostic::new(Code::UnusedBinding, name.loc, message).help(help);
            self.sink
                .push(diagnostic.note("every value of a network counts in its result"));
        }
    }
}
