//! Kinds of networks, and whether they are supported.

use super::error::WeightsError;
use super::file::Format;
use crate::lc0::InputFormat;

pub(super) struct Kind {
    pub(super) input: InputFormat,
    pub(super) has_squeeze: bool,
    /// the policy is convolutional, not fully connected
    pub(super) has_policy_planes: bool,
    /// number of value outputs: 3 or 1
    pub(super) values: usize,
    pub(super) has_moves_left: bool,
}

impl Kind {
    /// The kind for these numbers. Old files omit fields that did not exist yet: then they are 0.
    pub(super) fn of(format: &Format) -> Result<Self, WeightsError> {
        if !matches!(format.encoding, 0 | 1) {
            return Err(unsupported(
                "encoding of the file",
                format.encoding,
                None,
                "0 and 1 (16 bits a number)",
            ));
        }
        let number = u32::try_from(format.input.max(1)).ok();
        let input = number.and_then(InputFormat::of_number).ok_or_else(|| {
            unsupported(
                "input format",
                format.input,
                None,
                "1 to 5, 132 and 133 (112 planes)",
            )
        })?;
        let (has_squeeze, has_head_format) = tower(format.network)?;
        if format.activation != 0 {
            let name = (format.activation == 1).then_some("mish");
            return Err(unsupported(
                "activation",
                format.activation,
                name,
                "0 (ReLU)",
            ));
        }
        let head_format = |number: u64| {
            if has_head_format {
                number
            } else {
                number.max(1)
            }
        };
        Ok(Self {
            input,
            has_squeeze,
            has_policy_planes: policy(head_format(format.policy))?,
            values: values(head_format(format.value), format.output)?,
            has_moves_left: moves_left(format.moves_left)?,
        })
    }
}

fn unsupported(
    what: &'static str,
    found: u64,
    name: Option<&'static str>,
    supported: &'static str,
) -> WeightsError {
    WeightsError::Unsupported {
        what,
        found,
        name,
        supported,
    }
}

/// Whether blocks have squeeze and excitation, and whether the file specifies the kinds of heads.
fn tower(number: u64) -> Result<(bool, bool), WeightsError> {
    let name = match number {
        0 | 1 => return Ok((false, false)),
        2 => return Ok((true, false)),
        3 => return Ok((false, true)),
        4 => return Ok((true, true)),
        5 => Some("a graph of ONNX"),
        6 | 7 | 134 => Some("attention"),
        _ => None,
    };
    let supported = "0, 1 and 3 (residual blocks), 2 and 4 (with squeeze and excitation)";
    Err(unsupported(
        "structure of the network",
        number,
        name,
        supported,
    ))
}

/// Whether the policy is convolutional.
fn policy(number: u64) -> Result<bool, WeightsError> {
    match number {
        1 => Ok(false),
        2 => Ok(true),
        3 => Err(unsupported("policy", number, Some("attention"), POLICIES)),
        _ => Err(unsupported("policy", number, None, POLICIES)),
    }
}

const POLICIES: &str = "1 (a layer over 1858 moves) and 2 (planes of moves)";

/// Number of value outputs; old files specify it only by the output format.
fn values(number: u64, output: u64) -> Result<usize, WeightsError> {
    match (number, output) {
        (1, 0 | 1) => Ok(1),
        (2, 0 | 2) => Ok(3),
        (1 | 2, output) => Err(unsupported(
            "format of the output",
            output,
            None,
            "1 of a value of one number, and 2 of a value of win, draw and loss",
        )),
        (number, _) => {
            let supported = "1 (one number) and 2 (win, draw, loss)";
            Err(unsupported("value", number, None, supported))
        }
    }
}

fn moves_left(number: u64) -> Result<bool, WeightsError> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(unsupported(
            "head of moves left",
            number,
            None,
            "0 (none) and 1",
        )),
    }
}
