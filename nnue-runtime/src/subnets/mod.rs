//! Networks of subnets: policies in which the logit of a move is a sum of products of small
//! networks, one for each square or kind of move.
//!
//! A program lists the subnets and terms of each move; a [`Network`] computes each subnet that the
//! moves of a position name once, then the products.
//!
//! ```
//! use nnue_runtime::spec::{Activation, ElementType, FeatureSetId};
//! use nnue_runtime::subnets::{
//!     Architecture, Chess, Move, Network, Numbers, Parameters, SubnetGroup, SubnetProduct, SubnetsDesc,
//! };
//! use nnue_runtime::{Chess768, Color, PieceKind, Position};
//!
//! /// What `nnue!` makes of
//! ///
//! ///     struct Tiny {
//! ///         from = subnets(Chess768[..], 2 x 1: f32);
//! ///         to = subnets(Chess768[..], 2 x 1: f32);
//! ///         output policy = dot(relu(from), relu(to)) + terms[1];
//! ///     }
//! struct Tiny;
//!
//! impl Architecture for Tiny {
//!     const SPEC: SubnetsDesc<'static> = SubnetsDesc {
//!         name: "Tiny",
//!         set: FeatureSetId::Chess768,
//!         set_name: "",
//!         element: ElementType::F32,
//!         groups: &[
//!             SubnetGroup { name: "from", count: 2, width: 1, one: 1, activation: Activation::Relu },
//!             SubnetGroup { name: "to", count: 2, width: 1, one: 1, activation: Activation::Relu },
//!         ],
//!         products: &[SubnetProduct { negative: false, groups: [0, 1] }],
//!         terms: 1,
//!     };
//!     type Inputs = Chess<Chess768>;
//!     type Move = Move<1>;
//! }
//!
//! struct OnePawn;
//!
//! impl Position for OnePawn {
//!     fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
//!         u64::from(color == Color::White && kind == PieceKind::Pawn) << 8 // on a2
//!     }
//!     fn side_to_move(&self) -> Color {
//!         Color::White
//!     }
//! }
//!
//! // Each subnet has 768 weights and a bias. The bias of subnet 0 is 1, that of 1 is 2, and so on; the pawn on a2 adds 10 to subnet 0.
//! let mut numbers = vec![0.0; 4 * 769];
//! numbers[8] = 10.0;
//! (0..4).for_each(|subnet| numbers[769 * subnet + 768] = 1.0 + subnet as f32);
//! let network = Network::<Tiny>::from_parameters(Parameters { numbers: Numbers::Floats(numbers), terms: vec![0.5] })?;
//!
//! let moves = [Move::of([[0, 1]]), Move::of([[1, 0]]).plus(0)];
//! let mut logits = [0.0; 2];
//! network.policy(&OnePawn, &moves, &mut logits);
//! assert_eq!(logits, [11.0 * 4.0, 2.0 * 3.0 + 0.5]);
//! # Ok::<(), nnue_runtime::LoadError>(())
//! ```

mod inputs;
mod listed;
mod network;
mod plan;
#[cfg(test)]
mod tests;

pub use inputs::{ActiveRows, Chess, Custom};
pub use listed::{Move, Named};
pub use network::Network;
pub use nnue_spec::subnets::{Numbers, Parameters, SubnetGroup, SubnetProduct, SubnetsDesc};
pub use plan::Workspace;

/// A declared network of subnets: a marker type with its descriptor.
///
/// `nnue!` implements it for declarations that name `subnets(..)`. For a hand-written
/// implementation, creating a network panics if the number of products of its moves differs from
/// `SPEC`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network of subnets",
    label = "expected a type declared with `nnue!` that names `subnets(..)`",
    note = "declare it: `from = subnets(Chess768[..], 64 x 8: f32); to = ..; output policy = dot(relu(from), relu(to));`"
)]
pub trait Architecture: Send + Sync + 'static {
    /// The descriptor: everything about the network except its weights.
    const SPEC: SubnetsDesc<'static>;
    /// The active rows of a position.
    type Inputs: 'static;
    /// The move type: [`Move`], with as many products as the declaration has.
    type Move: Named;
}
