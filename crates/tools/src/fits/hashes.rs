//! Infers the dimensions of an unknown network from its hashes, for advice about a file that does not fit.
//!
//! The hash of the feature transformer is a constant of its feature set, xored with the number of accumulator
//! values. The hash of a layer stack is a chain over the numbers of outputs (see [`nnue_spec::hash`]). The
//! search tries dimensions until both hashes match. Different networks may share a hash, so a result is a
//! guess, not a proof.

use std::fmt::Write;

use nnue_spec::{FeatureSetId, NetDesc, hash};

use nnue_format::published::{Generation, generation_of};
use nnue_format::{LoadError, LoadErrorKind, Prelude};

/// Feature hashes of unsupported sets.
const OTHER_FEATURES: &[(u32, &str)] = &[
    (0x8F23_4CB8, "HalfKAv2_hm with threats"),
    (0x6165_D5C9, "HalfKAv2_hm with threats"),
    (0xCB68_5B13, "HalfKAv2_hm with threats and pawn pairs"),
];

/// Stacks of published networks. They are tried first, because many combinations of sizes share a hash.
const USUAL_LAYERS: &[&[usize]] = &[
    &[16, 32, 1],
    &[32, 32, 1],
    &[8, 32, 1],
    &[1],
    &[16, 1],
    &[32, 1],
];

/// Greatest plausible number of accumulator values.
const MAX_VALUES: u32 = 1 << 15;

/// Dimensions inferred from the hashes of a file.
#[derive(Debug, PartialEq, Eq)]
struct Dimensions {
    features: Option<&'static str>,
    /// of all perspectives together
    values: Option<usize>,
    layers: Option<Vec<usize>>,
}

impl Dimensions {
    fn of(prelude: &Prelude) -> Self {
        let transformer = prelude.transformer_hash;
        Self::of_hashes(transformer, prelude.network_hash ^ transformer)
    }

    fn of_hashes(transformer: u32, stack: u32) -> Self {
        let own = FeatureSetId::ALL.map(|set| (set.hash(), set.name()));
        let fits = |&(hash, _): &(u32, &str)| {
            let values = transformer ^ hash;
            values.is_multiple_of(2) && (1..=MAX_VALUES).contains(&values)
        };
        let Some((hash, features)) = own
            .into_iter()
            .chain(OTHER_FEATURES.iter().copied())
            .find(fits)
        else {
            return Self {
                features: None,
                values: None,
                layers: None,
            };
        };
        let values = (transformer ^ hash) as usize;
        Self {
            features: Some(features),
            values: Some(values),
            layers: layers_of_hash(values, stack),
        }
    }
}

/// The numbers of outputs of a stack with this hash: a usual stack, or two hidden layers in multiples of
/// four. Among several such pairs, the one with the roundest numbers is chosen.
fn layers_of_hash(values: usize, hash: u32) -> Option<Vec<usize>> {
    let has_hash = |outputs: &[usize]| hash::stack(values, outputs.iter().copied()) == hash;
    if let Some(usual) = USUAL_LAYERS.iter().find(|outputs| has_hash(outputs)) {
        return Some(usual.to_vec());
    }
    let sizes = || (4..=128).step_by(4);
    let pairs = sizes().flat_map(|first| sizes().map(move |second| vec![first, second, 1]));
    pairs
        .filter(|outputs| has_hash(outputs))
        .max_by_key(|outputs| {
            outputs
                .iter()
                .map(|size| size.trailing_zeros())
                .sum::<u32>()
        })
}

/// Describes how a file with this prelude differs from `net`, and what to do.
pub(super) fn difference(net: &NetDesc<'_>, prelude: &Prelude) -> String {
    let file = Dimensions::of(prelude);
    let mut differences = Vec::new();
    let custom_features = features_of(net);
    if let Some(features) = file
        .features
        .filter(|&features| features != custom_features)
    {
        differences.push(format!("features {features} (declared {custom_features})"));
    }
    let width = file
        .values
        .map(|values| values / net.accumulator.perspectives);
    if let Some(width) = width.filter(|&width| width != net.accumulator.width) {
        differences.push(format!(
            "accumulator {width} (declared {})",
            net.accumulator.width
        ));
    }
    let custom_layers: Vec<usize> = net.layers.iter().map(|layer| layer.outputs).collect();
    if let Some(layers) = file.layers.filter(|layers| *layers != custom_layers) {
        differences.push(format!(
            "layers {} (declared {})",
            arrows(&layers),
            arrows(&custom_layers)
        ));
    }
    let mut text = match differences.is_empty() {
        true => "its dimensions are not known to this program".to_owned(),
        false => format!("the file has {}", differences.join(", ")),
    };
    match generation_of(prelude.version, prelude.network_hash) {
        Some(Generation { name, declared, .. }) => {
            let _ = write!(text, "; it is {name}, load it as {declared}");
        }
        None => text.push_str("; declare the network as the file has it"),
    }
    text
}

/// The feature sets of a network, named as in [`OTHER_FEATURES`].
fn features_of(net: &NetDesc<'_>) -> String {
    let has =
        |wanted: fn(FeatureSetId) -> bool| net.features.iter().any(|feature| wanted(feature.set));
    let pairs = match (
        has(|set| matches!(set, FeatureSetId::Threats(_))),
        has(|set| set == FeatureSetId::PawnPairs),
    ) {
        (true, true) => " with threats and pawn pairs",
        (true, false) => " with threats",
        (false, true) => " with pawn pairs",
        (false, false) => "",
    };
    format!(
        "{}{pairs}",
        net.features
            .first()
            .map_or("none", |feature| net.set_name(feature.set))
    )
}

/// The error for a file that matches no known declaration.
pub(crate) fn unknown(prelude: &Prelude) -> LoadError {
    let Prelude {
        version,
        network_hash,
        ..
    } = *prelude;
    let file = Dimensions::of(prelude);
    let what = match (
        generation_of(version, network_hash),
        file.features,
        file.values,
    ) {
        (Some(Generation { name, declared, .. }), ..) => {
            let message = format!(
                "by its version {version:#010x} and hash {network_hash:#010x} the file is {name}, which is declared as {declared}; \
                 none of the declarations that were tried fits it"
            );
            return LoadError::new(LoadErrorKind::Architecture, 4, message);
        }
        (None, Some(features), Some(values)) => {
            let layers = file
                .layers
                .map_or("unknown layers".to_owned(), |layers| arrows(&layers));
            format!(
                "it seems to have features {features}, {values} accumulator values ({}x2 or {values}x1), then {layers}: \
                 declare such a network",
                values / 2
            )
        }
        _ => "its dimensions are not known to this program".to_owned(),
    };
    let message = format!(
        "no known declaration has file hash {network_hash:#010x} (version {version:#010x}): {what}"
    );
    LoadError::new(LoadErrorKind::Architecture, 4, message)
}

fn arrows(outputs: &[usize]) -> String {
    outputs
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(" -> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_read_from_published_hashes() {
        let cases = [
            (0x5D69_D7B8, 0x6333_7156, "HalfKP", 256, [32, 32, 1]),
            (0x5F23_48B8, 0x6333_76CA, "HalfKAv2", 512, [16, 32, 1]),
            (0x7F23_44B8, 0x6333_6A54, "HalfKAv2_hm", 1024, [8, 32, 1]),
            (0x7F23_44B8, 0x6333_6A4A, "HalfKAv2_hm", 1024, [16, 32, 1]),
            (0x7F23_40B8, 0x6333_6BCA, "HalfKAv2_hm", 1536, [16, 32, 1]),
            (0x7F23_54B8, 0x6333_744A, "HalfKAv2_hm", 3072, [16, 32, 1]),
            (0x7F23_4DB8, 0x6333_712A, "HalfKAv2_hm", 128, [16, 32, 1]),
            (
                0xCB68_5313,
                0x6333_7116,
                "HalfKAv2_hm with threats and pawn pairs",
                1024,
                [32, 32, 1],
            ),
        ];
        for (transformer, stack, features, width, layers) in cases {
            let dimensions = Dimensions::of_hashes(transformer, stack);
            assert_eq!(dimensions.features, Some(features));
            assert_eq!(dimensions.values, Some(2 * width));
            assert_eq!(dimensions.layers.as_deref(), Some(&layers[..]));
        }
    }

    #[test]
    fn unknown_hashes_give_no_dimensions() {
        let nothing = Dimensions {
            features: None,
            values: None,
            layers: None,
        };
        assert_eq!(Dimensions::of_hashes(0x1234_5678, 0x9ABC_DEF0), nothing);
    }
}
