//! Which declaration reads a file.

use nnue::stockfish;
use nnue_codegen::{single_plan, single_subnets};
use nnue_tools::search::{Found, Search, Sizes};

use crate::failure::{Failure, Status};

/// The declarations that the file at `path` may have, the likeliest first. It may be a folder with a file for each tensor.
pub(crate) fn found(path: &str) -> Result<Found, Failure> {
    let search = Search {
        name: "Network",
        program: None,
        sizes: Sizes::default(),
        heads: &[],
        known: stockfish::ALL,
        compile: single_plan,
        compile_subnets: single_subnets,
    };
    let found = search.file(path.as_ref());
    found.map_err(|error| Failure::new(Status::BadFile, format!("{path}: {error}")))
}
