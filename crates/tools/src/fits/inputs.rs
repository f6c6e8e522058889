//! Compares the number of inputs that the description of a container names with the declared one. Hashes do not
//! depend on it: networks of other games have those of networks for chess.
//!
//! ```text
//!   Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](..
//!                           ^^^^^^
//! ```

use std::io::Read;

use nnue_format::Prelude;
use nnue_spec::NetDesc;

/// Inputs of HalfKP of shogi: 81 squares of the king, and 1548 of pieces on squares and in hands.
const SHOGI: usize = 81 * 1548;

/// Advice about a file whose header names other inputs than `net` has.
pub(crate) fn advice<R: Read>(net: &NetDesc<'_>, file: R) -> Option<String> {
    let prelude = Prelude::read(file, &[net]).ok()?;
    let text = String::from_utf8_lossy(&prelude.description);
    let named = inputs(&text)?;
    let declared: usize = net.features.iter().map(|set| set.rows).sum();
    if named == declared {
        return None;
    }
    Some(format!(
        "the description in its header says {named} inputs (`{}`), `{}` has {declared}: {}",
        quoted(&text),
        net.name,
        declare(named, &net.accumulator.width.to_string())
    ))
}

/// What the description of a container says, for one that no known network has; `None` if it is empty.
#[cfg(feature = "search")]
pub(crate) fn said(description: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(description);
    let said = format!("its header says `{}`", quoted(&text));
    match inputs(&text) {
        Some(named) => Some(format!("{said}: {}", declare(named, "N"))),
        None => (!text.trim().is_empty()).then_some(said),
    }
}

/// How so many inputs are declared.
fn declare(inputs: usize, width: &str) -> String {
    match inputs {
        SHOGI => format!(
            "HalfKP of shogi has as many (81 squares of the king, times 1548): declare a set of your own for them, \
             `self::HalfKpShogi[{SHOGI}, active 38] -> {width}x2 -> ..`"
        ),
        _ => "if the description is right, declare these inputs".to_owned(),
    }
}

/// The number of inputs in a description.
fn inputs(text: &str) -> Option<usize> {
    let (_, rest) = text.split_once("Features=")?;
    let (number, _) = rest.split_once('[')?.1.split_once("->")?;
    number.trim().parse().ok()
}

/// The part of a description that names the inputs, escaped for a message.
fn quoted(text: &str) -> String {
    let start = text.find("Features=").unwrap_or(0);
    let part = text[start..]
        .split_inclusive(']')
        .next()
        .unwrap_or_default();
    let shown: String = part.chars().take(60).collect();
    shown.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_from_descriptions() {
        let text = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](";
        assert_eq!(inputs(text), Some(SHOGI));
        assert_eq!(quoted(text), "Features=HalfKP(Friend)[125388->256x2]");
        for text in [
            "",
            "Features=",
            "Features=HalfKP[",
            "Features=A[x->2]",
            "[1->2]",
        ] {
            assert_eq!(inputs(text), None, "{text}");
        }
    }
}
