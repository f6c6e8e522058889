//! Golden values: a declaration can state the value of a position. If the weights give another value, the
//! declaration probably does not fit the file.
//!
//! ```text
//!   values     computed by the caller: by a compiled network in programs, by the reference interpreter in tools
//!   outputs    their numbers, by the reference interpreter
//! ```

mod outputs;
#[cfg(feature = "std")]
pub(crate) mod reference;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;

use nnue_spec::{FeatureSetId, Fen, GoldenDesc, NetDesc, TensorRef};

use crate::error::{LoadError, LoadErrorKind};

/// Compares the golden values of `net`, and the golden numbers of its outputs, with those of the network.
/// Reading a file does not compare them, because that needs an evaluation of the network.
///
/// `tensors` are the weights, in the order of `net.tensors`. `value(n)` evaluates golden position n with
/// these weights; it returns `None` if the text is not a position of the network's game.
///
/// # Errors
///
/// [`LoadErrorKind::Golden`]: a value or a number differs, or a text is not a position of the network.
pub fn check_golden(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    value: &dyn Fn(usize) -> Option<i32>,
) -> Result<(), LoadError> {
    for (index, golden) in net.goldens.iter().enumerate() {
        if net.is_of_chess() {
            Fen::parse(golden.fen)
                .map_err(|error| not_a_position(golden.fen, &format_args!(": {error}")))?;
        }
        let found = value(index)
            .ok_or_else(|| not_a_position(golden.fen, &format_args!(" of `{}`", net.name)))?;
        if found != golden.value {
            return Err(refuse(net, golden, found));
        }
    }
    outputs::check(net, tensors)
}

fn not_a_position(fen: &str, why: &dyn Display) -> LoadError {
    LoadError::new(
        LoadErrorKind::Golden,
        0,
        format!("`{}` is no position{why}", fen.escape_debug()),
    )
}

fn refuse(net: &NetDesc<'_>, golden: &GoldenDesc<'_>, found: i32) -> LoadError {
    let function = match (net.has_custom_set(), net.has_custom_functions()) {
        (true, _) => ", the feature set of the program",
        (false, true) => ", a function of the program",
        (false, false) => "",
    };
    let message = format!(
        "`{}` has the value {found} in `{}`, declared is {}",
        golden.fen.escape_debug(),
        net.name,
        golden.value
    );
    let sets: String = sets_of_equal_size(net)
        .iter()
        .map(|set| format!("; {set}"))
        .collect();
    LoadError::new(LoadErrorKind::Golden, 0, message).with_advice(format!(
        "the file is another network, or the declaration differs from it in something that its length does not show \
         (scales, activation, king buckets, the order of tensors{function}){sets}"
    ))
}

/// A sentence for each declared set that has the size of a set of another engine.
pub fn sets_of_equal_size(net: &NetDesc<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for feature in net.features {
        let FeatureSetId::Threats(pairs) = feature.set else {
            continue;
        };
        let name = feature.set.name();
        found.extend(pairs.of_equal_size().iter().map(|other| {
            format!(
                "the size of `{name}[{}]` fits also threats of {other}: a set of your own there",
                feature.rows
            )
        }));
    }
    found
}
