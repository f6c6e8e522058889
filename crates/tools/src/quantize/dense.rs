//! Finds the tensors of a trainer by name.
//!
//! ```text
//!   conv0_weight, fc0_bias, bn0_mean, bn0_variance             as the declaration calls them
//!   conv0.weight, fc0.bias, bn0.running_mean, bn0.running_var  as PyTorch does, where its modules have these names
//! ```
//!
//! Shapes are PyTorch's: `[outputs, inputs, rows, columns]` for convolutions, `[outputs, inputs]` for layers.

use std::error::Error;
use std::fmt;

use nnue_spec::dense::{DenseDesc, DenseRole, DenseTensor};

use super::{FloatTensor, quoted};

/// Differences between the tensors of a trainer and those of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamesError {
    /// missing tensors
    pub missing: Vec<MissingTensor>,
    /// tensors with a wrong shape
    pub misshapen: Vec<MisshapenTensor>,
    /// names of unused tensors
    pub unused: Vec<String>,
}

/// A missing tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTensor {
    /// its declared name
    pub tensor: String,
    /// its shape
    pub shape: Vec<usize>,
    /// its possible names
    pub wanted: Vec<String>,
    /// names of unused tensors with this shape
    pub alike: Vec<String>,
}

/// A tensor with a wrong shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MisshapenTensor {
    /// its declared name
    pub tensor: String,
    /// its name in the source
    pub source: String,
    /// the expected shape
    pub expected: Vec<usize>,
    /// the shape in the source
    pub found: Vec<usize>,
}

/// Finds the tensors of `net`, in the order of [`DenseDesc::tensors`], among `sources` by name. `names` may
/// replace the default names of each tensor. Values are not checked: [`check`](nnue_format::dense::check) does that.
///
/// # Errors
///
/// [`NamesError`], with all tensors that are missing, have a wrong shape, or are unused.
///
/// # Panics
///
/// If the number of names is not the number of tensors.
pub fn by_name(
    net: &DenseDesc<'_>,
    mut sources: Vec<FloatTensor>,
    names: &[Option<String>],
) -> Result<Vec<Vec<f32>>, NamesError> {
    let described = net.tensors();
    assert_eq!(names.len(), described.len(), "names of `{}`", net.name);
    let mut error = NamesError {
        missing: Vec::new(),
        misshapen: Vec::new(),
        unused: Vec::new(),
    };
    let mut tensors = Vec::new();
    for (tensor, given) in described.iter().zip(names) {
        let wanted = given
            .as_ref()
            .map_or_else(|| usual(tensor), |name| vec![name.clone()]);
        let at = wanted
            .iter()
            .find_map(|name| sources.iter().position(|source| source.name == *name));
        let Some(source) = at.map(|at| sources.swap_remove(at)) else {
            let (name, shape) = (tensor.name.clone(), tensor.shape.clone());
            error.missing.push(MissingTensor {
                tensor: name,
                shape,
                wanted,
                alike: Vec::new(),
            });
            continue;
        };
        if !fits(tensor, &source) {
            let found = if source.shape.is_empty() {
                vec![source.values.len()]
            } else {
                source.shape
            };
            let (name, expected) = (tensor.name.clone(), tensor.shape.clone());
            error.misshapen.push(MisshapenTensor {
                tensor: name,
                source: source.name,
                expected,
                found,
            });
            continue;
        }
        tensors.push(source.values);
    }
    for missing in &mut error.missing {
        let alike = sources
            .iter()
            .filter(|source| source.shape == missing.shape)
            .map(|source| source.name.clone());
        missing.alike = alike.collect();
    }
    sources.sort_by(|one, other| one.name.cmp(&other.name));
    error.unused = sources.into_iter().map(|source| source.name).collect();
    let is_right =
        error.missing.is_empty() && error.misshapen.is_empty() && error.unused.is_empty();
    if is_right { Ok(tensors) } else { Err(error) }
}

/// The default names: as declared, and PyTorch's name in a module of that name.
fn usual(tensor: &DenseTensor) -> Vec<String> {
    let module = tensor.name.split('_').next().unwrap_or_default();
    let parameter = match tensor.role {
        DenseRole::Weight => "weight",
        DenseRole::Bias => "bias",
        DenseRole::Mean => "running_mean",
        DenseRole::Variance => "running_var",
    };
    vec![tensor.name.clone(), format!("{module}.{parameter}")]
}

/// Whether the shape matches; without a shape, the number of elements.
fn fits(tensor: &DenseTensor, source: &FloatTensor) -> bool {
    match source.shape.as_slice() {
        [] => source.values.len() == tensor.len(),
        shape => shape == tensor.shape,
    }
}

impl fmt::Display for NamesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for MissingTensor {
            tensor,
            shape,
            wanted,
            alike,
        } in &self.missing
        {
            let wanted = wanted
                .iter()
                .map(|name| quoted(name))
                .collect::<Vec<_>>()
                .join(" or ");
            let mut part =
                format!("`{tensor}` {shape:?} is not there: no tensor is called {wanted}");
            if !alike.is_empty() {
                let alike = alike
                    .iter()
                    .take(SHOWN)
                    .map(|name| quoted(name))
                    .collect::<Vec<_>>()
                    .join(", ");
                part += &format!(" ({alike} has its shape)");
            }
            parts.push(part);
        }
        for MisshapenTensor {
            tensor,
            source,
            expected,
            found,
        } in &self.misshapen
        {
            parts.push(format!(
                "{} is to be `{tensor}` {expected:?}, and has the shape {found:?}",
                quoted(source)
            ));
        }
        if !self.unused.is_empty() {
            let shown = self
                .unused
                .iter()
                .take(SHOWN)
                .map(|name| quoted(name))
                .collect::<Vec<_>>()
                .join(", ");
            let more = if self.unused.len() > SHOWN {
                ", .."
            } else {
                ""
            };
            parts.push(format!("not used are {shown}{more}"));
        }
        f.write_str(&parts.join("; "))
    }
}

/// Most names that a message lists.
const SHOWN: usize = 12;

impl Error for NamesError {}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue_spec::dense::{DenseNode, DenseOp, Shape};

    const NODES: [DenseNode; 2] = [
        DenseNode {
            op: DenseOp::Input,
            operand: 0,
            shape: Shape::Planes([2, 3, 3]),
        },
        DenseNode {
            op: DenseOp::BatchNorm { eps: 1e-5 },
            operand: 0,
            shape: Shape::Planes([2, 3, 3]),
        },
    ];
    const NET: DenseDesc<'_> = DenseDesc {
        name: "N",
        nodes: &NODES,
        fused: false,
    };

    fn tensor(name: &str, values: [f32; 2]) -> FloatTensor {
        FloatTensor {
            name: name.to_owned(),
            shape: vec![2],
            values: values.to_vec(),
        }
    }

    fn sources() -> Vec<FloatTensor> {
        let (mean, variance) = (
            tensor("bn0.running_mean", [5.0, 6.0]),
            tensor("bn0.running_var", [7.0, 8.0]),
        );
        vec![
            variance,
            tensor("bn0.bias", [3.0, 4.0]),
            mean,
            tensor("bn0_weight", [1.0, 2.0]),
        ]
    }

    #[test]
    fn tensors_are_found_by_either_name() {
        let found = by_name(&NET, sources(), &[None, None, None, None]).expect("all are there");
        assert_eq!(found, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]);
        let mut renamed = sources();
        renamed[1].name = "shift".into();
        let names = [None, Some("shift".to_owned()), None, None];
        assert_eq!(
            by_name(&NET, renamed, &names).expect("it has a name")[1],
            [3.0, 4.0]
        );
    }

    #[test]
    fn everything_that_is_wrong_is_told() {
        let mut wrong = sources();
        wrong[1].name = "shift".into();
        wrong[2].shape = vec![1, 2];
        wrong.push(FloatTensor {
            name: "a\nb".into(),
            shape: vec![3],
            values: vec![0.0; 3],
        });
        let error = by_name(&NET, wrong, &[None, None, None, None]).expect_err("three are wrong");
        assert_eq!(
            error.to_string(),
            "`bn0_bias` [2] is not there: no tensor is called `bn0_bias` or `bn0.bias` (`shift` has its shape); \
             `bn0.running_mean` is to be `bn0_mean` [2], and has the shape [1, 2]; not used are `a\\nb`, `shift`"
        );
        assert_eq!(
            (
                error.missing.len(),
                error.misshapen.len(),
                error.unused.len()
            ),
            (1, 1, 2)
        );
        let mut unshaped = sources();
        unshaped[0].shape.clear();
        assert!(by_name(&NET, unshaped, &[None, None, None, None]).is_ok());
    }
}
