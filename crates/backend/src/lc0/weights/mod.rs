//! Weight files: networks of Leela Chess Zero with a residual tower.
//!
//! ```text
//!   file      gzip, or nothing, around a protocol buffer
//!   message   magic number 0x1c0, the kind of network, and its weights: lists of numbers of two bytes, or of four
//!
//!   input     conv 3 x 3 of 112 planes ── norm ── relu ──┐
//!   block     ┌─ conv 3 x 3 ── norm ── relu ── conv 3 x 3 ── norm ── squeeze and excitation ── + ── relu     as often as there are blocks
//!             └──────────────────────────────────────────────────────────────────────────────┘
//!   policy    conv 3 x 3 ── norm ── relu ── conv 3 x 3: 80 planes       or   conv 1 x 1 ── norm ── relu ── layer: 1858 moves
//!   value     conv 1 x 1 ── norm ── relu ── layer ── relu ── layer: win, draw, loss; or one number, whose tanh is the value
//!   plies     the same with one number that is at least 0, in some networks
//! ```
//!
//! Everything in a file is checked before use: sizes against each other, numbers for being finite, and the
//! total against a limit. Unused weights are refused by name. Networks with attention, activations other than
//! ReLU, or an ONNX graph give an error that says so.

mod error;
mod fields;
mod file;
mod fold;
mod kind;
mod layer;
mod layers;
mod read;
mod unused;
mod wire;

use std::path::Path;

use file::File;
use kind::Kind;
use nnue_format::signature::identify;
use twox_hash::XxHash3_128;

pub use error::WeightsError;
pub use layers::{Block, Conv, Dense, Head, POLICY_PLANES, PolicyHead, Squeeze};

use super::{InputFormat, MOVES, PLANES};

/// The first bytes of a file: the field of the magic number.
const HEAD: [u8; 5] = [0x0D, 0xC0, 0x01, 0, 0];

/// The error that names the kind of a file of another kind.
fn explained(error: WeightsError, message: &[u8], is_unpacked: bool) -> WeightsError {
    match identify(message) {
        Some(_) if is_unpacked && message.starts_with(&read::GZIP) => WeightsError::OtherFile {
            kind: "compressed by gzip again: decompress the file once (`gunzip`)",
            is_unpacked,
        },
        Some(kind) if !message.starts_with(&HEAD) => WeightsError::OtherFile { kind, is_unpacked },
        _ => error,
    }
}

/// A network as stored in its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// input planes
    pub input_format: InputFormat,
    /// convolution from the planes to the tower
    pub input: Conv,
    /// residual blocks
    pub blocks: Vec<Block>,
    /// policy head
    pub policy: PolicyHead,
    /// value head: three outputs (win, draw, loss), or one, before tanh
    pub value: Head,
    /// plies left, one output
    pub moves_left: Option<Head>,
    /// a digest of the message
    pub digest: u128,
}

impl Weights {
    /// Reads a file, `.pb.gz` or `.pb`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not exactly one network of a supported kind.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, WeightsError> {
        Self::from_bytes(&read::bytes_of(path.as_ref())?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn from_bytes(file: &[u8]) -> Result<Self, WeightsError> {
        let unpacked = read::message_of(file)?;
        let message = unpacked.as_deref().unwrap_or(file);
        let File {
            format,
            weights: from,
        } = File::read(message).map_err(|error| explained(error, message, unpacked.is_some()))?;
        let kind = Kind::of(&format)?;
        unused::unknown(&from)?;
        let input = fold::conv("input", &from.input, [PLANES, 3], None)?;
        let channels = input.outputs;
        let blocks = from.residual.iter().enumerate();
        let blocks =
            blocks.map(|(index, block)| block_of(index, block, channels, kind.has_squeeze));
        let value = [
            &from.ip1_val_w,
            &from.ip1_val_b,
            &from.ip2_val_w,
            &from.ip2_val_b,
        ];
        let moves_left = [
            &from.ip1_mov_w,
            &from.ip1_mov_b,
            &from.ip2_mov_w,
            &from.ip2_mov_b,
        ];
        let moves_left = || {
            head(
                "moves_left",
                "mov",
                (&from.moves_left, moves_left),
                channels,
                1,
            )
        };
        let network = Self {
            input_format: kind.input,
            blocks: blocks.collect::<Result<_, _>>()?,
            policy: policy(&from, channels, kind.has_policy_planes)?,
            value: head("value", "val", (&from.value, value), channels, kind.values)?,
            moves_left: kind.has_moves_left.then(moves_left).transpose()?,
            input,
            digest: XxHash3_128::oneshot(message),
        };
        unused::check(&from, &kind)?;
        Ok(network)
    }
}

fn block_of(
    index: usize,
    block: &file::Residual<'_>,
    channels: usize,
    has_squeeze: bool,
) -> Result<Block, WeightsError> {
    let name = |part: &str| format!("residual[{index}].{part}");
    let conv = |part, conv| fold::conv(&name(part), conv, [channels, 3], Some(channels));
    let squeeze = match (&block.se, has_squeeze) {
        (Some(unit), true) => Some(fold::squeeze(&name("se"), unit, channels)?),
        (None, true) => return Err(WeightsError::Missing(name("se"))),
        (_, false) => None,
    };
    Ok(Block {
        conv1: conv("conv1", &block.conv1)?,
        conv2: conv("conv2", &block.conv2)?,
        squeeze,
    })
}

fn policy(
    from: &file::Weights<'_>,
    channels: usize,
    has_planes: bool,
) -> Result<PolicyHead, WeightsError> {
    if has_planes {
        let hidden = fold::conv("policy1", &from.policy1, [channels, 3], None)?;
        let planes = fold::conv(
            "policy",
            &from.policy,
            [hidden.outputs, 3],
            Some(POLICY_PLANES),
        )?;
        return Ok(PolicyHead::Convolution { hidden, planes });
    }
    let squares = fold::conv("policy", &from.policy, [channels, 1], None)?;
    let moves = fold::dense(
        "ip_pol",
        [&from.ip_pol_w, &from.ip_pol_b],
        64 * squares.outputs,
        Some(MOVES),
    )?;
    Ok(PolicyHead::Classical { squares, moves })
}

/// A head: its convolution, and the weights and biases of both layers, whose names begin with `short`.
fn head(
    name: &str,
    short: &str,
    (squares, [w1, b1, w2, b2]): (&file::ConvBlock<'_>, [&layer::Layer<'_>; 4]),
    channels: usize,
    outputs: usize,
) -> Result<Head, WeightsError> {
    let squares = fold::conv(name, squares, [channels, 1], None)?;
    let hidden = fold::dense(
        &format!("ip1_{short}"),
        [w1, b1],
        64 * squares.outputs,
        None,
    )?;
    let outputs = fold::dense(
        &format!("ip2_{short}"),
        [w2, b2],
        hidden.outputs,
        Some(outputs),
    )?;
    Ok(Head {
        squares,
        hidden,
        outputs,
    })
}
