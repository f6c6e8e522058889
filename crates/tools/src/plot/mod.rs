//! Plots of declared networks and charts, as SVG and as HTML pages.
//!
//! ```text
//!   drawing ◄── axis ◄── chart, histogram        lines, bars
//!      ▲   ◄── board ◄── weights ─► rows         boards of weights for each neuron, piece and square of the own king
//!      │             ◄── pieces                  what each piece contributes to a value
//!      ├── listed                              what each row of a list contributes to a value
//!      ├── tensors, activity ─► histogram        numbers of tensors, values of neurons over positions
//!      └── page ◄── report                       a page about a network
//! ```
//!
//! Everything needs only a descriptor and its weights ([`Network`]); neurons are computed by the reference
//! interpreter. Values of a compiled network are passed as a function.
//!
//! ```
//! use nnue_tools::plot::Chart;
//!
//! let lines = vec![("training".to_owned(), vec![(1.0, 0.03), (2.0, 0.02)])];
//! let svg = Chart { title: "Mean loss", lines, marks: Vec::new(), counts: true }.draw().svg();
//! assert!(svg.starts_with("<svg"));
//! ```

#[cfg(feature = "networks")]
pub mod activity;
mod axis;
#[cfg(feature = "networks")]
mod board;
mod chart;
mod drawing;
mod histogram;
#[cfg(feature = "networks")]
pub mod listed;
mod network;
mod page;
#[cfg(feature = "networks")]
pub mod pieces;
#[cfg(feature = "networks")]
pub mod report;
#[cfg(feature = "networks")]
pub mod rows;
pub mod tensors;
#[cfg(feature = "networks")]
pub mod weights;

#[cfg(feature = "networks")]
pub use board::{Board, Style, legend, name};
pub use chart::Chart;
pub use drawing::{Anchor, COLOURS, Drawing, Label, escaped, short};
pub use histogram::{Histogram, Numbers};
pub use network::{Network, PlotError};
pub use page::Page;
