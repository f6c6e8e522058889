//! Errors of the quantisation.

use std::error::Error;
use std::fmt;

use nnue_spec::ElementType;
use nnue_spec::layout::OUTPUT_BLOCK;

/// Why floats cannot become the declared network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum QuantizeError {
    /// a file of floats is malformed
    File {
        /// offset of the error in bytes
        offset: usize,
        /// what was expected and found
        message: String,
    },
    /// a text of floats is malformed
    Text {
        /// what was expected and found
        message: String,
    },
    /// a file without names has a different number of floats than the declaration
    Count {
        /// floats of the declaration
        expected: usize,
        /// floats in the file
        found: usize,
        /// rows of a factoriser before the feature weights that would explain the difference
        factoriser: Option<usize>,
    },
    /// no tensor has one of these names
    Missing {
        /// the declared tensor
        tensor: String,
        /// its possible names
        wanted: Vec<String>,
        /// unused names in the source
        found: Vec<String>,
    },
    /// a tensor of the source is not used by the declaration
    Unused {
        /// its name
        source: String,
    },
    /// a tensor has the wrong number of floats
    Length {
        /// the declared tensor
        tensor: String,
        /// its name in the source
        source: String,
        /// the expected size
        expected: String,
        /// the size in the source
        found: String,
    },
    /// the number of rows of a factoriser does not divide that of the weights
    Factoriser {
        /// its rows
        rows: usize,
        /// rows of the weights
        of: usize,
    },
    /// one factoriser for perspectives with separate weights, which need one each
    SeparateFactorisers,
    /// a weight is infinite or a NaN
    NotFinite {
        /// the declared tensor
        tensor: String,
        /// its name in the source
        source: String,
        /// the weight's index in memory order
        index: usize,
        /// the weight
        weight: f32,
    },
    /// the weights should begin with the rows of a factoriser, but have only the declared rows
    NoFactoriser {
        /// name of the weights in the source
        source: String,
        /// their rows, as many as declared
        rows: usize,
    },
    /// a weight times its factor is too large for a 32-bit float
    Infinite {
        /// the declared tensor
        tensor: String,
        /// its name in the source
        source: String,
        /// the weight's index in memory order
        index: usize,
        /// the weight
        weight: f32,
        /// its factor
        factor: f64,
    },
    /// weights do not fit in the type of their tensor
    Range {
        /// the declared tensor
        tensor: String,
        /// its name in the source
        source: String,
        /// index of the worst weight in memory order
        index: usize,
        /// the worst weight
        weight: f32,
        /// its factor
        factor: f64,
        /// the type
        element: ElementType,
        /// number of weights that do not fit
        count: usize,
    },
    /// an input of a block-sparse layer has weights for more blocks of outputs than declared
    Blocks {
        /// the declared tensor
        tensor: String,
        /// its name in the source
        source: String,
        /// the input
        input: usize,
        /// declared number of blocks per input
        reached: usize,
        /// number of blocks with weights that do not round to 0
        found: usize,
    },
}

impl fmt::Display for QuantizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { offset, message } => write!(f, "{message} (at byte {offset})"),
            Self::Text { message } => f.write_str(message),
            Self::Count {
                expected,
                found,
                factoriser: None,
            } => write!(
                f,
                "the file has {found} floats, the declaration {expected}: another number of neurons, king buckets or output \
                 buckets, or another order of tensors"
            ),
            Self::Count {
                expected,
                found,
                factoriser: Some(rows),
            } => write!(
                f,
                "the file has {found} floats, the declaration {expected}: the difference is {rows} rows of the feature \
                 transformer, a factoriser that stands first"
            ),
            Self::Missing {
                tensor,
                wanted,
                found,
            } => {
                let wanted = wanted
                    .iter()
                    .map(|name| quoted(name))
                    .collect::<Vec<_>>()
                    .join(" or ");
                write!(
                    f,
                    "{tensor} is not there: no tensor is called {wanted}; {}",
                    others(found)
                )
            }
            Self::SeparateFactorisers => write!(
                f,
                "the perspectives have weights of their own, and so each has a factoriser of its own: let the trainer merge them \
                 when it saves"
            ),
            Self::Unused { source } => write!(
                f,
                "{} belongs to no tensor of the declaration; a factoriser is merged where it is asked for, and what is \
                 not to be used has to be left out by its name",
                quoted(source)
            ),
            Self::Length {
                tensor,
                source,
                expected,
                found,
            } => {
                write!(
                    f,
                    "{} is to be `{tensor}`, which has {expected}, but has {found}",
                    quoted(source)
                )
            }
            Self::Factoriser { rows, of } => {
                write!(
                    f,
                    "a factoriser of {rows} rows is not repeated over {of} rows of weights a whole number of times"
                )
            }
            Self::NotFinite {
                tensor,
                source,
                index,
                weight,
            } => {
                write!(
                    f,
                    "`{tensor}` ({}): weight {index} is {weight}, the training has failed",
                    quoted(source)
                )
            }
            Self::NoFactoriser { source, rows } => write!(
                f,
                "{} has {rows} rows, exactly as many as declared: no factoriser comes before them",
                quoted(source)
            ),
            Self::Infinite {
                tensor,
                source,
                index,
                weight,
                factor,
            } => write!(
                f,
                "`{tensor}` ({}): weight {index}, {weight} * {factor:e}, is more than a 32-bit float holds",
                quoted(source)
            ),
            Self::Blocks {
                tensor,
                source,
                input,
                reached,
                found,
            } => write!(
                f,
                "`{tensor}` ({}): input {input} has weights in {found} blocks of {OUTPUT_BLOCK} outputs, `blocks {reached} of {OUTPUT_BLOCK}` allows \
                 {reached}: train with zeros in the others, or declare more blocks",
                quoted(source)
            ),
            Self::Range {
                tensor,
                source,
                index,
                weight,
                factor,
                element,
                count,
            } => {
                let (min, max) = element.range();
                write!(
                    f,
                    "`{tensor}` ({}): {count} {} not fit in {}, {min} to {max}; the worst is number {index}, {weight} * {factor} = {:.1}",
                    quoted(source),
                    if *count == 1 {
                        "weight does"
                    } else {
                        "weights do"
                    },
                    element.name(),
                    f64::from(*weight) * factor
                )
            }
        }
    }
}

impl Error for QuantizeError {}

/// A name from a file, shortened and escaped for messages.
pub(crate) fn quoted(name: &str) -> String {
    let shown: String = name.chars().take(40).collect();
    format!("`{}`", shown.escape_debug())
}

fn others(found: &[String]) -> String {
    match found {
        [] => "no others are left".into(),
        some => {
            let shown: Vec<String> = some.iter().take(12).map(|name| quoted(name)).collect();
            let more = if some.len() > 12 { ", .." } else { "" };
            format!("left are {}{more}", shown.join(", "))
        }
    }
}
