//! The declarations, which `nnue import net` knows too. `docs/engines.md` shows them.

use nnue::nnue;

include!("../../crates/tools/src/search/declared_engines.rs");
