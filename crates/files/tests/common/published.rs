//! Published networks, where the variable `NNUE_NETS` names the folder that holds them.

use std::path::PathBuf;

use nnue_format::Encoding;
use nnue_spec::NetDesc;

use super::Shape;

/// The file `name`, or `None` where no folder is named. A folder that lacks the file is an error.
pub fn path(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("NNUE_NETS") else {
        eprintln!("not run: NNUE_NETS names no folder with {name}");
        return None;
    };
    Some(PathBuf::from(folder).join(name))
}

/// Their files, declarations and encodings.
pub fn published() -> [(&'static str, NetDesc<'static>, Encoding); 3] {
    [
        (
            "nn-ad9b42354671.nnue",
            Shape::stockfish("Sfnnv5", 1024).sfnn_v5(),
            Encoding::Raw,
        ),
        (
            "nn-1c0000000000.nnue",
            Shape::stockfish("Sfnnv9", 3072).sfnn_v5(),
            Encoding::Leb128,
        ),
        (
            "nn-37f18f62d772.nnue",
            Shape::stockfish("SfnnSmall", 128).sfnn_v5(),
            Encoding::Leb128,
        ),
    ]
}
