//! Which declaration reads a file.

use nnue::stockfish;
use nnue_codegen::{single_plan, single_subnets};
use nnue_tools::search::{Search, Sizes};

use crate::failure::{Failure, Status};

/// The declarations that the file at `path` may have: the likeliest, below comments.
pub(crate) fn declaration(path: &str) -> Result<String, Failure> {
    let search = Search {
        name: "Network",
        program: None,
        sizes: Sizes::default(),
        heads: &[],
        known: stockfish::ALL,
        compile: single_plan,
        compile_subnets: single_subnets,
    };
    match search.file(path.as_ref()) {
        Ok(found) => Ok(found.to_string()),
        Err(error) => Err(Failure::new(Status::BadFile, format!("{path}: {error}"))),
    }
}
