//! Networks that are described at run time: the same kernels as compiled ones, with sizes as
//! values.
//!
//! A declaration that is compiled with `nnue!` is faster and checked by the compiler. If the
//! declaration is known only at run time (a command-line argument, a web page, another language),
//! `nnue_codegen::plan_text` checks its text, and a [`Network`] evaluates its file:
//!
//! ```
//! use nnue_runtime::dynamic::{Network, Stack};
//! use nnue_spec::NetDesc;
//!
//! # fn f(net: &'static NetDesc<'static>, position: &impl nnue_runtime::Position) -> Result<(), Box<dyn std::error::Error>> {
//! // `let net = nnue_codegen::plan_text(text)?.remove(0).leak();`
//! let network = Network::open(net, "my.nnue")?;
//! let mut stack = Stack::new(); // of this thread; `push` and `pop` follow the moves of a search
//! println!("{}", network.evaluate(position, &mut stack).value);
//! # Ok(())
//! # }
//! ```
//!
//! Every value equals that of the compiled network and of the reference interpreter, to the last
//! bit and on every level. Only user code cannot be evaluated ([`Unsupported`]): user-defined
//! feature sets, choices of the layer stack and activations.
//!
//! ```text
//!   network      open, read, write             evaluate     positions
//!   transformer  accumulators of any width     stack        those along a search, and the memory of a forward pass
//!   params       the tensors as in the file    batch        many positions, and their memory
//!   features     which rows positions need     accumulators both halves of an evaluation, one at a time
//!                                              table        positions without the moves that led to them
//!   rows         positions that are lists of rows, and their stack
//!   fresh        memory of evaluations from scratch
//!   rows_batch   many of them, from sparse matrices
//!   feature_floats   what features add to the output
//!                                              computed     what kernels compute on the way, for comparisons
//!                                              program      the forward pass
//!                                                └ builder ─► step: bytes, words, direct, float, pools, binary ─► scratch
//! ```

mod accumulators;
mod batch;
mod binary;
mod builder;
mod bytes;
mod computed;
mod direct;
mod error;
mod evaluate;
mod feature_floats;
mod features;
mod float;
mod fresh;
mod integer;
mod map;
mod network;
mod params;
mod part;
mod pools;
mod program;
mod rows;
mod rows_batch;
mod run;
mod scratch;
mod stack;
mod step;
mod table;
mod transformer;
mod unsupported;
mod words;

pub use accumulators::Accumulators;
pub use batch::Batch;
pub use computed::{Computed, Sums};
pub use error::OpenError;
pub use evaluate::NamedNumbers;
pub use features::Features;
pub use network::Network;
pub use rows::RowsStack;
pub use stack::Stack;
pub use table::Table;
pub use unsupported::Unsupported;
