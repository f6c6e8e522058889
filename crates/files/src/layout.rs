//! The layout of the feature transformer in a file, for each encoding.
//!
//! ```text
//!   Raw              array array array ..
//!   Leb128           block(bias)  array(i8 weight) block(psqt)  ..  block(weight) block(psqt)
//!   Leb128JointPsqt  block(bias)  array(i8 weight) block(weight)    block(psqt psqt)
//!   Leb128Joint      block(bias)  block(i8 weight, weight)          block(psqt psqt)
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use nnue_spec::{ElementType, Encoding, NetDesc, TensorRole};

/// A part of the feature transformer in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// the tensor with this index, as a little-endian array
    Array(usize),
    /// these tensors, one after the other, in one block of LEB128 numbers
    Block(Range<usize>),
}

/// The parts of the feature transformer of `net`, in file order.
pub fn units(net: &NetDesc<'_>, encoding: Encoding) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for index in 0..transformer_tensors(net) {
        let tensor = &net.tensors[index];
        match units.last_mut() {
            Some(Unit::Block(block))
                if are_joint(encoding, net.tensors[block.start].role, tensor.role) =>
            {
                block.end = index + 1;
            }
            _ if is_array(encoding, tensor.element) => units.push(Unit::Array(index)),
            _ => units.push(Unit::Block(index..index + 1)),
        }
    }
    units
}

/// The number of tensors of the feature transformer, which come first.
pub(crate) fn transformer_tensors(net: &NetDesc<'_>) -> usize {
    net.tensors
        .iter()
        .position(|tensor| tensor.role.is_of_layer())
        .unwrap_or(net.tensors.len())
}

/// The encodings that a file of `net` may have. `compressed`: it begins with a block.
pub fn possible(net: &NetDesc<'_>, compressed: bool) -> &'static [Encoding] {
    match (compressed, net.container.encoding.is_joint()) {
        (false, _) => &[Encoding::Raw],
        (true, false) => &[Encoding::Leb128],
        (true, true) => &[Encoding::Leb128JointPsqt, Encoding::Leb128Joint],
    }
}

/// Whether a file of `net` may have this encoding. With one feature set, the joint encodings are the same as
/// `Leb128`.
pub(crate) fn is_possible(net: &NetDesc<'_>, encoding: Encoding) -> bool {
    let among = |encodings: &[Encoding]| encodings.contains(&encoding);
    net.features.len() == 1 || among(possible(net, false)) || among(possible(net, true))
}

/// The encoding of a file of `net` that begins with a block. `block_behind_bias`: another block follows the
/// bias.
pub(crate) fn compressed(net: &NetDesc<'_>, block_behind_bias: bool) -> Encoding {
    let declared = net.container.encoding;
    let second_is_bytes = net
        .tensors
        .get(1)
        .is_some_and(|tensor| tensor.element == ElementType::I8);
    match (declared.is_joint(), second_is_bytes, block_behind_bias) {
        (false, ..) => Encoding::Leb128,
        (true, false, _) => declared,
        (true, true, true) => Encoding::Leb128Joint,
        (true, true, false) => Encoding::Leb128JointPsqt,
    }
}

fn is_array(encoding: Encoding, element: ElementType) -> bool {
    match encoding {
        Encoding::Raw => true,
        Encoding::Leb128 | Encoding::Leb128JointPsqt => {
            matches!(element, ElementType::I8 | ElementType::F32)
        }
        Encoding::Leb128Joint => element == ElementType::F32,
    }
}

fn are_joint(encoding: Encoding, first: TensorRole, second: TensorRole) -> bool {
    let joint_weights = encoding == Encoding::Leb128Joint;
    (encoding.is_joint() && is_psqt(first) && is_psqt(second))
        || (joint_weights && is_weight(first) && is_weight(second))
}

/// Whether a tensor of this role holds PSQT weights.
pub fn is_psqt(role: TensorRole) -> bool {
    matches!(role, TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_))
}

fn is_weight(role: TensorRole) -> bool {
    matches!(
        role,
        TensorRole::TransformerWeight | TensorRole::ExtraWeight(_)
    )
}
