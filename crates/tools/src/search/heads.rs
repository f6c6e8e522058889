//! Named outputs: their tensors in the list, and their declaration.
//!
//! ```text
//!   --head wdl=l2:wdl            l2w and l2b: loss, draw and win, of the values that the last layer of the value reads
//!   --head moves_left=l3:1       l3w and l3b: a number, of the same values
//!   --head policy=p:rows:1880    pw and pb: rows on demand, of the activated accumulators
//! ```

use nnue_spec::ElementType;

use super::error::SearchError;
use super::head::{Head, HeadNumbers};
use super::list::{Kind, Saved};
use super::shape::Shape;

impl Head {
    /// The clause of this head. `first` and `last` name the inputs of the value's first and last layer.
    pub(super) fn clause(
        &self,
        [first, last]: [&str; 2],
        element: ElementType,
        factor: u64,
    ) -> String {
        let weights = if element == ElementType::F32 {
            ": f32".to_owned()
        } else {
            format!(": {} @ {factor}", element.name())
        };
        let (name, neurons) = (&self.name, self.neurons());
        match self.is {
            HeadNumbers::Numbers(_) => {
                format!("output {name} = affine({last}, {neurons}{weights});")
            }
            HeadNumbers::Wdl => format!("output {name} = wdl(affine({last}, {neurons}{weights}));"),
            HeadNumbers::Rows(_) => format!("output {name} = rows({first}, {neurons}{weights});"),
        }
    }
}

/// Refuses heads without tensors in the list, and heads whose tensors are the first layer's.
pub(super) fn check(heads: &[Head], saved: &[Saved], list: &str) -> Result<(), SearchError> {
    for head in heads {
        let found = saved.iter().filter(|tensor| tensor.is_of(head)).count();
        if found != 2 {
            let layer = &head.layer;
            return Err(SearchError::Head {
                name: Some(head.name.clone()),
                message: format!(
                    "weights and a bias of the layer `{layer}` (`{layer}w` and `{layer}b`, say) are needed, and {list} has {found} tensors of it"
                ),
            });
        }
    }
    let chain = saved
        .iter()
        .filter(|tensor| !heads.iter().any(|head| tensor.is_of(head)));
    if chain
        .filter(|tensor| matches!(tensor.kind, Kind::Tensor { .. }))
        .count()
        < 4
    {
        return Err(SearchError::Head {
            name: None,
            message: "takes all layers: the accumulators and a layer for the value must remain"
                .into(),
        });
    }
    Ok(())
}

/// The body of a declaration as a graph. `layers` is the chain: width, annotations, activation. `heads` come
/// with the type and the factor of their weights.
pub(super) fn body(
    accumulator: &str,
    activated: &str,
    layers: &[(u64, String, Option<&str>)],
    heads: &[(&Head, ElementType, u64)],
    shape: &Shape,
) -> String {
    let (open, close, indent) = match shape.outputs {
        1 => (String::new(), "", "    "),
        count => (
            format!("    stacks {count} by material_count {{\n"),
            "    }\n",
            "        ",
        ),
    };
    let mut lines = vec![format!("let x0 = {activated};")];
    for (index, (width, annotations, activation)) in layers.iter().enumerate() {
        let sums = format!("affine(x{index}, {width}{annotations})");
        lines.push(match activation {
            None => format!("output value = {sums};"),
            Some(activation) => format!("let x{} = {activation}({sums});", index + 1),
        });
    }
    let last = format!("x{}", layers.len() - 1);
    lines.extend(
        heads
            .iter()
            .map(|(head, element, factor)| head.clause(["x0", &last], *element, *factor)),
    );
    let lines: String = lines
        .iter()
        .map(|line| format!("{indent}{line}\n"))
        .collect();
    format!("    acc = {accumulator};\n{open}{lines}{close}")
}
