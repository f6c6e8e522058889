//! `nnue_eval(fen)`: the values of a chess network as a function of SQL, for [Apache DataFusion](https://datafusion.apache.org).
//!
//! ```sql
//! SELECT fen, nnue_eval(fen) AS score FROM positions WHERE nnue_eval(fen) > 300
//! ```
//!
//! A program registers a function for each of its networks:
//!
//! ```
//! use std::sync::Arc;
//!
//! use datafusion_expr::ScalarUDF;
//! use nnue_datafusion::{eval, try_eval};
//! use nnue_data::rescore::Scorer;
//!
//! fn functions(network: Arc<dyn Scorer + Send + Sync>) -> [ScalarUDF; 2] {
//!     [eval("nnue_eval", network.clone()), try_eval("nnue_try_eval", network)] // for `SessionContext::register_udf`
//! }
//! ```
//!
//! Values are exact, for the side to move, in the unit of the network, as `INT`. NULL gives NULL. A FEN that is wrong ends the query with its text
//! and what is wrong with it; [`try_eval`] gives NULL for it. Each batch of rows is evaluated sorted, so that neighbours share accumulators, on the
//! thread that DataFusion runs it on: it divides the rows among the cores.
//!
//! A network over lists of rows (`rows[4096, active 64] -> ..`) is a function of lists of integers, [`eval_rows`]:
//!
//! ```sql
//! SELECT id, nnue_eval_rows(features) AS score FROM requests ORDER BY score DESC LIMIT 10
//! ```
#![forbid(unsafe_code)]

mod fens;
mod function;
mod lists;
mod rows;
mod texts;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_common::arrow::datatypes::DataType;
use datafusion_expr::ScalarUDF;
use nnue_data::rescore::Scorer;
use nnue_runtime::dynamic::Network;

use crate::fens::Eval;
use crate::function::Wrong;
use crate::rows::EvalRows;

/// The function `name(fen)`: what the network says. A FEN that is wrong is an error.
pub fn eval(name: &str, network: Arc<dyn Scorer + Send + Sync>) -> ScalarUDF {
    ScalarUDF::new_from_impl(Eval::of_fens(name, network, Wrong::Error))
}

/// The function `name(fen)`: what the network says, or NULL where a FEN is wrong.
pub fn try_eval(name: &str, network: Arc<dyn Scorer + Send + Sync>) -> ScalarUDF {
    ScalarUDF::new_from_impl(Eval::of_fens(name, network, Wrong::Null))
}

/// The function `name(rows)` of a network over lists of rows: what the network says about a list of integers (`LIST`, `LARGE LIST` or
/// `FIXED SIZE LIST`). With two perspectives it is `name(white, black, black_to_move)`. NULL gives NULL; rows that are wrong are an error, which
/// shows them.
///
/// # Errors
///
/// The positions of the network are boards of chess: [`eval`] is for those.
pub fn eval_rows(name: &str, network: Arc<Network>) -> Result<ScalarUDF> {
    EvalRows::of_rows(name, network, Wrong::Error, DataType::Int32).map(ScalarUDF::new_from_impl)
}

/// The function `name(rows)` of [`eval_rows`], which is NULL where rows are wrong.
///
/// # Errors
///
/// As [`eval_rows`].
pub fn try_eval_rows(name: &str, network: Arc<Network>) -> Result<ScalarUDF> {
    EvalRows::of_rows(name, network, Wrong::Null, DataType::Int32).map(ScalarUDF::new_from_impl)
}

/// The function `name(rows)` of [`eval_rows`] with the value before it is rounded to an integer, a `DOUBLE`: NaN if the output of floats is.
///
/// # Errors
///
/// As [`eval_rows`].
pub fn eval_rows_real(name: &str, network: Arc<Network>) -> Result<ScalarUDF> {
    EvalRows::of_rows(name, network, Wrong::Error, DataType::Float64).map(ScalarUDF::new_from_impl)
}

/// The function `name(rows)` of [`eval_rows_real`], which is NULL where rows are wrong.
///
/// # Errors
///
/// As [`eval_rows`].
pub fn try_eval_rows_real(name: &str, network: Arc<Network>) -> Result<ScalarUDF> {
    EvalRows::of_rows(name, network, Wrong::Null, DataType::Float64).map(ScalarUDF::new_from_impl)
}
