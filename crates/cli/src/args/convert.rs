//! `nnue convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nnue_spec::Encoding;
use nnue_tools::compression::Method;

use super::DeclarationArgs;
use super::suggested::{Suggested, architectures};

/// Write a network in another form of file
///
/// The forms: the Stockfish container, plain or with LEB128 numbers; files without a header in any declared order; and around each of them gzip or
/// zstd. The new file is read back and compared with the network, tensor by tensor, before it gets its name. All commands read
/// compressed files; an engine's program does not.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConvertArgs {
    /// The network file, compressed or not; or a folder with a file for each tensor, `NAME.npy` or `NAME.bin`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The file to write; `.zst` and `.gz` at the end of its name compress it
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The architecture of the network (see `nnue archs`); without it, it is recognised from the file
    #[arg(long, value_name = "NAME", value_parser = Suggested(architectures), hide_possible_values = true)]
    pub(crate) arch: Option<String>,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The format of the new file, as after `format` in a declaration: `raw`, `raw { .. }`, `stockfish { .. }`; without it that of FILE. The
    /// declaration that reads the new file is printed
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    /// The numbers of the feature transformer in a Stockfish container; without it as in FILE, or as --format says
    #[arg(long, value_name = "ENCODING")]
    pub(crate) encoding: Option<ContainerEncoding>,
    /// The text at the start of a Stockfish container; without it that of FILE
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// The compression around the new file; without it the name of OUT decides
    #[arg(long, value_name = "METHOD")]
    pub(crate) compress: Option<Compression>,
    /// Zero the rows that no legal position has (pawns on the first and last ranks, pieces on the square of the own king, kings beside it): the
    /// file compresses better, values of legal positions are equal
    #[arg(long)]
    pub(crate) zero_unused: bool,
    /// Replace OUT if it is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  nnue convert nn-1c0000000000.nnue -o nn-1c0000000000.nnue.zst
  nnue convert nn-1c0000000000.nnue.zst --encoding raw -o plain.nnue
  nnue convert nn-1c0000000000.nnue --format raw -o network.bin
  nnue convert network.bin --declaration network.rs --format 'raw { fc0_weight: [input][stack][output] }' -o other.bin
  nnue convert tensors/ --declaration network.rs -o network.bin";

impl ConvertArgs {
    /// The compression of the new file: that of the arguments, or of its name.
    pub(crate) fn method(&self) -> Option<Method> {
        match self.compress {
            Some(Compression::None) => None,
            Some(Compression::Gzip) => Some(Method::Gzip),
            Some(Compression::Zstd) => Some(Method::Zstd),
            None => Method::of_name(&self.output),
        }
    }
}

/// How a Stockfish container has the numbers of the feature transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContainerEncoding {
    /// Arrays
    Raw,
    /// A block of LEB128 numbers for each tensor
    Leb128,
    /// The same; one block for the PSQT weights of all feature sets
    #[value(name = "leb128_joint_psqt")]
    Leb128JointPsqt,
    /// One block for the weights of all feature sets, one for their PSQT weights
    #[value(name = "leb128_joint")]
    Leb128Joint,
}

impl From<ContainerEncoding> for Encoding {
    fn from(encoding: ContainerEncoding) -> Self {
        match encoding {
            ContainerEncoding::Raw => Self::Raw,
            ContainerEncoding::Leb128 => Self::Leb128,
            ContainerEncoding::Leb128JointPsqt => Self::Leb128JointPsqt,
            ContainerEncoding::Leb128Joint => Self::Leb128Joint,
        }
    }
}

/// The compression around a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compression {
    /// As the network is
    None,
    /// `gzip -9`
    Gzip,
    /// `zstd -19` in a build with the feature `train` or `rescore`, otherwise a faster one that compresses less
    Zstd,
}
