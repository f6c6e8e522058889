//! Builds a graph: values by name, nodes in topological order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::graph::{Dim, Graph, MAX_NODES, Node, Origin, Value, ValueId};
use crate::line::Line;
use crate::name::shown;
use crate::op::Op;
use crate::tensor::{Element, Tensor};

const MAX_VALUES: usize = 8 * MAX_NODES;

/// Most names of a cycle that are shown.
const SHOWN: usize = 8;

/// A graph under construction.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    graph: Graph,
    names: HashMap<String, ValueId>,
    /// the node that makes each value; `None` for inputs and constants
    made: HashMap<ValueId, Option<usize>>,
    /// memory of the constants
    budget: Budget,
}

/// A node under construction.
pub(crate) struct Draft<'a> {
    pub(crate) name: &'a str,
    pub(crate) operation: String,
    pub(crate) op: Op,
    pub(crate) inputs: Vec<Option<ValueId>>,
    pub(crate) line: Option<Line>,
}

impl Builder {
    pub(crate) fn new(origin: Origin, budget: Budget) -> Self {
        Self {
            budget,
            graph: Graph {
                origin,
                ..Graph::default()
            },
            ..Self::default()
        }
    }

    pub(crate) fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    /// The value with this name, created if needed.
    pub(crate) fn value(&mut self, name: &str) -> Result<ValueId, ImportError> {
        if let Some(&id) = self.names.get(name) {
            return Ok(id);
        }
        let id = self.push(name.to_owned())?;
        self.names.insert(name.to_owned(), id);
        Ok(id)
    }

    /// A value without a name in the file.
    pub(crate) fn unnamed(&mut self) -> Result<ValueId, ImportError> {
        let id = self.graph.values.len();
        self.push(format!("%{id}"))
    }

    fn push(&mut self, name: String) -> Result<ValueId, ImportError> {
        let id = self.graph.values.len();
        if id >= MAX_VALUES {
            return Err(ImportError::Limit {
                what: "values",
                most: MAX_VALUES,
            });
        }
        self.graph.values.push(Value {
            name,
            ..Value::default()
        });
        Ok(id)
    }

    /// Adds a named constant.
    pub(crate) fn constant(&mut self, name: &str, tensor: Tensor) -> Result<ValueId, ImportError> {
        let id = self.value(name)?;
        self.constant_of(id, tensor)?;
        Ok(id)
    }

    /// The constant of a value, if it was added before.
    pub(crate) fn constant_at(&self, id: ValueId) -> Option<&Tensor> {
        self.graph.values[id].constant.as_deref()
    }

    /// Adds a constant. Weights must be finite; single numbers may be infinite, such as limits.
    pub(crate) fn constant_of(&mut self, id: ValueId, tensor: Tensor) -> Result<(), ImportError> {
        let is_wrong = |value: &f32| value.is_nan() || value.is_infinite() && tensor.len() > 1;
        let wrong = tensor
            .as_floats()
            .and_then(|values| values.iter().position(is_wrong).map(|at| (at, values[at])));
        if let Some((element, value)) = wrong {
            return Err(ImportError::NotFinite {
                tensor: shown(&self.graph.values[id].name),
                element,
                value,
            });
        }
        self.budget.take(tensor.len(), tensor.element())?;
        self.make(id, None)?;
        self.graph.values[id].constant = Some(Arc::new(tensor));
        Ok(())
    }

    pub(crate) fn input(
        &mut self,
        name: &str,
        element: Element,
        shape: Vec<Dim>,
    ) -> Result<ValueId, ImportError> {
        let id = self.value(name)?;
        self.make(id, None)?;
        let value = &mut self.graph.values[id];
        (value.element, value.shape) = (Some(element), Some(shape));
        self.graph.inputs.push(id);
        Ok(id)
    }

    /// Adds a node and its results.
    pub(crate) fn node(
        &mut self,
        draft: Draft<'_>,
        outputs: Vec<ValueId>,
    ) -> Result<(), ImportError> {
        let index = self.graph.nodes.len();
        if index >= MAX_NODES {
            return Err(ImportError::Limit {
                what: "nodes",
                most: MAX_NODES,
            });
        }
        for &output in &outputs {
            self.make(output, Some(index))?;
        }
        let Draft {
            name,
            operation,
            op,
            inputs,
            line,
        } = draft;
        self.graph.nodes.push(Node {
            name: name.to_owned(),
            operation,
            op,
            inputs,
            outputs,
            line,
        });
        Ok(())
    }

    fn make(&mut self, id: ValueId, node: Option<usize>) -> Result<(), ImportError> {
        match self.made.insert(id, node) {
            None => Ok(()),
            Some(_) => Err(ImportError::Damaged(format!(
                "`{}` is made twice",
                shown(&self.graph.values[id].name)
            ))),
        }
    }

    /// The graph with these outputs and its nodes in topological order.
    pub(crate) fn finish(mut self, outputs: Vec<ValueId>) -> Result<Graph, ImportError> {
        let missing = |reader: String, id: ValueId| {
            Err(ImportError::Missing {
                reader,
                value: shown(&self.graph.values[id].name),
            })
        };
        for node in &self.graph.nodes {
            if let Some(&id) = node
                .inputs
                .iter()
                .flatten()
                .find(|id| !self.made.contains_key(id))
            {
                return missing(
                    format!("node `{}` ({})", shown(&node.name), shown(&node.operation)),
                    id,
                );
            }
        }
        if let Some(&id) = outputs.iter().find(|id| !self.made.contains_key(id)) {
            return missing("the output".into(), id);
        }
        if outputs.is_empty() {
            return Err(ImportError::Damaged("the graph has no output".into()));
        }
        let order = self.order()?;
        let mut nodes: Vec<Option<Node>> = self.graph.nodes.into_iter().map(Some).collect();
        self.graph.nodes = order
            .into_iter()
            .filter_map(|index| nodes[index].take())
            .collect();
        self.graph.outputs = outputs;
        self.graph.budget = self.budget.unspent();
        Ok(self.graph)
    }

    /// Topological order; among ready nodes, that of the file.
    fn order(&self) -> Result<Vec<usize>, ImportError> {
        let nodes = &self.graph.nodes;
        let needs = |node: &Node| -> BTreeSet<usize> {
            node.inputs
                .iter()
                .flatten()
                .filter_map(|id| self.made.get(id).copied().flatten())
                .collect()
        };
        let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut waiting = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let needs = needs(node);
            waiting.push(needs.len());
            needs
                .into_iter()
                .for_each(|need| readers.entry(need).or_default().push(index));
        }
        let mut ready: BTreeSet<usize> = (0..nodes.len())
            .filter(|&index| waiting[index] == 0)
            .collect();
        let mut order = Vec::new();
        while let Some(index) = ready.pop_first() {
            order.push(index);
            for &reader in readers.get(&index).into_iter().flatten() {
                waiting[reader] -= 1;
                if waiting[reader] == 0 {
                    ready.insert(reader);
                }
            }
        }
        if order.len() == nodes.len() {
            return Ok(order);
        }
        // Every remaining node waits for a remaining node, so following them finds a cycle.
        let next = |index: usize| {
            needs(&nodes[index])
                .into_iter()
                .find(|&need| waiting[need] > 0)
        };
        let mut path = Vec::new();
        let mut at = (0..nodes.len()).find(|&index| waiting[index] > 0);
        while let Some(index) = at.filter(|index| !path.contains(index)) {
            path.push(index);
            at = next(index);
        }
        let start = path
            .iter()
            .position(|&index| Some(index) == at)
            .unwrap_or(0);
        let mut names: Vec<String> = path[start..]
            .iter()
            .rev()
            .take(SHOWN)
            .map(|&index| format!("`{}`", shown(&nodes[index].name)))
            .collect();
        names.extend(
            names
                .first()
                .cloned()
                .filter(|_| path.len() - start <= SHOWN),
        );
        Err(ImportError::Cycle(names.join(" -> ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::Unary;

    /// Nodes with one input and one output each, by name.
    fn graph(edges: &[(&str, &str)], output: &str) -> Result<Graph, ImportError> {
        let mut builder = Builder::new(Origin::default(), Budget::default());
        builder.input("x", Element::F32, vec![Dim::Fixed(1)])?;
        for (input, output) in edges {
            let inputs = vec![Some(builder.value(input)?)];
            let output_id = builder.value(output)?;
            let op = Op::Unary(Unary::Relu);
            builder.node(
                Draft {
                    name: output,
                    operation: "Relu".into(),
                    op,
                    inputs,
                    line: None,
                },
                vec![output_id],
            )?;
        }
        let output = builder.value(output)?;
        builder.finish(vec![output])
    }

    #[test]
    fn nodes_are_sorted() {
        let graph = graph(&[("b", "c"), ("a", "b"), ("x", "a"), ("x", "d")], "c")
            .expect("there is an order");
        let names: Vec<&str> = graph.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
    }

    #[test]
    fn what_has_no_order_is_told() {
        let message = |edges: &[(&str, &str)], output: &str| {
            graph(edges, output).expect_err("it is wrong").to_string()
        };
        let circle = message(&[("c", "a"), ("a", "b"), ("b", "c"), ("c", "d")], "d");
        assert_eq!(
            circle,
            "nodes read each other in a circle: `b` -> `c` -> `a` -> `b`"
        );
        assert_eq!(
            message(&[("a", "a")], "a"),
            "nodes read each other in a circle: `a` -> `a`"
        );
        assert_eq!(
            message(&[("w\n", "a")], "a"),
            "node `a` (Relu) reads `w\\n`, which no node, input or initializer makes"
        );
        assert_eq!(
            message(&[("x", "a")], "b"),
            "the output reads `b`, which no node, input or initializer makes"
        );
        assert_eq!(message(&[("x", "a"), ("x", "a")], "a"), "`a` is made twice");
        assert_eq!(message(&[("x", "x")], "x"), "`x` is made twice");
    }
}
