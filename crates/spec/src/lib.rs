//! The typed model of a declared network, its checks, its plan, and the descriptor used at run time.
//!
//! * [`op`] defines the activations: names, ranges, formulas.
//! * [`descriptor`] is `no_std`, dependency-free and const-constructible: `MyNet::SPEC` is a [`NetDesc`].
//! * [`model`] is a declaration as written; [`check`](mod@check) turns it into a [`graph`] or reports errors;
//!   [`plan`] chooses the kernels and gives the descriptor; [`text`] prints (feature `compiler`).
//! * [`dense`] does the same for networks over a dense input: pictures, or planes of a board.
//! * [`subnets`] does the same for networks of subnets: policies of older engines.
//! * Formulas in real numbers and their derivatives serve training and quantisation (feature `real`).
//! * [`reference`](mod@reference) is a slow interpreter of a descriptor; it shares no code with the kernels
//!   (feature `reference`).
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod construct;
mod custom_set;
mod decimal;
pub mod dense;
pub mod descriptor;
pub mod elementwise;
mod fen;
mod file;
mod fused;
pub mod hash;
mod king_buckets;
pub mod layout;
pub mod op;
mod piece_planes;
pub mod quant;
mod readers;
pub mod rows;
pub mod subnets;
pub mod tensor;
mod threats;
mod wdl;
pub use decimal::Decimal;
pub use descriptor::*;
pub use fen::{Fen, FenError};
pub use readers::{Readers, readers};
pub use rows::{RowGroup, RowMeasure, RowRule, RowSets, RowsError, RowsShape};
pub use tensor::{TensorMut, TensorRef};
pub use wdl::{Wdl, softmax};

#[cfg(feature = "compiler")]
pub mod arithmetic;
#[cfg(feature = "compiler")]
pub mod check;
#[cfg(feature = "compiler")]
pub mod diagnostic;
#[cfg(feature = "compiler")]
pub mod graph;
#[cfg(feature = "compiler")]
pub mod loc;
#[cfg(feature = "compiler")]
pub mod model;
#[cfg(feature = "compiler")]
pub mod plan;
#[cfg(feature = "reference")]
pub mod reference;
#[cfg(feature = "compiler")]
pub mod suggest;
#[cfg(feature = "compiler")]
pub mod text;

#[cfg(all(test, feature = "compiler"))]
mod testing;
