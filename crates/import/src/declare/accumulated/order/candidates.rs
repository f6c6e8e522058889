//! Candidate orders of rows.

use nnue_spec::NetDesc;

use super::layout::Layout;
use super::{Kings, Order, Planes};

impl Order {
    /// All candidates for the first feature set of a network, the declared order first; only this one if its
    /// features are not single pieces.
    pub fn all(net: &NetDesc<'_>) -> Vec<Self> {
        let Some(layout) = Layout::of(net) else {
            return vec![Self::DECLARED];
        };
        let blocks = blocks(layout);
        let copies = nests(layout)
            .into_iter()
            .flat_map(|nest| kings(layout).into_iter().map(move |kings| (nest, kings)));
        let copies: Vec<_> = copies
            .flat_map(|(nest, kings)| {
                standings(layout)
                    .into_iter()
                    .map(move |one| (nest, kings, one))
            })
            .collect();
        let of_copies = |&(nest, kings, standings)| {
            let whole = move |block: &Self| Self {
                nest,
                kings,
                standings,
                ..*block
            };
            blocks.iter().map(whole).collect::<Vec<_>>()
        };
        copies.iter().flat_map(of_copies).collect()
    }
}

/// Orders within a block, the declared one first.
fn blocks(layout: Layout) -> Vec<Order> {
    let declared = Order {
        layout: Some(layout),
        ..Order::DECLARED
    };
    let mut blocks = Vec::new();
    for planes in planes(layout) {
        for squares in [0, 56, 7, 63] {
            blocks.extend([false, true].map(|squares_first| Order {
                planes,
                squares,
                squares_first,
                ..declared
            }));
        }
    }
    blocks
}

fn planes(layout: Layout) -> Vec<Planes> {
    let mut all = Vec::new();
    for by_kind in [layout.by_kind, !layout.by_kind] {
        let places: &[usize] = match layout.both_kings {
            None => &[0],
            Some(_) if by_kind => &[10, 0],
            Some(_) => &[5, 10, 0],
        };
        for &both_kings in places {
            for their_pieces_first in [false, true] {
                all.extend([false, true].map(|kings_first| Planes {
                    by_kind,
                    their_pieces_first,
                    kings_first,
                    both_kings,
                }));
            }
        }
    }
    all
}

/// The nestings of king, standing and piece, outermost first.
fn nests(layout: Layout) -> Vec<[usize; 3]> {
    match (layout.king_count() > 1, layout.standings > 1) {
        (false, false) => vec![[0, 1, 2]],
        (true, false) => vec![[0, 1, 2], [1, 2, 0]],
        (false, true) => vec![[0, 1, 2], [0, 2, 1]],
        (true, true) => vec![
            [0, 1, 2],
            [1, 0, 2],
            [0, 2, 1],
            [2, 0, 1],
            [1, 2, 0],
            [2, 1, 0],
        ],
    }
}

fn kings(layout: Layout) -> Vec<Kings> {
    let ends = |count: usize| {
        if count > 1 {
            vec![false, true]
        } else {
            vec![false]
        }
    };
    let [ranks, files] = layout.kings;
    let mut all = Vec::new();
    for by_files in ends(files) {
        for of_ranks in ends(ranks) {
            all.extend(ends(files).into_iter().map(|of_files| Kings {
                turned: [of_ranks, of_files],
                by_files,
            }));
        }
    }
    all
}

/// The indices of the four combinations of attacked and defended.
fn standings(layout: Layout) -> Vec<[usize; 4]> {
    let mut all = vec![[0, 1, 2, 3]];
    if layout.standings > 1 {
        let digits = |at: usize| [at / 64, at / 16 % 4, at / 4 % 4, at % 4];
        let is_permutation = |numbers: &[usize; 4]| (0..4).all(|number| numbers.contains(&number));
        all.extend(
            (0..256)
                .map(digits)
                .filter(is_permutation)
                .filter(|numbers| *numbers != [0, 1, 2, 3]),
        );
    }
    all
}

#[cfg(test)]
mod tests {
    use nnue_codegen::plan_text;

    use super::*;

    /// The orders of a set, and its number of rows.
    fn orders(features: &str) -> (Vec<Order>, usize) {
        let plans =
            plan_text(&format!("pub struct N = {features} -> 32 -> 8 -> 1;")).expect("it compiles");
        let tables = plans[0].tables();
        let net = tables.descriptor();
        (Order::all(&net), net.features[0].rows)
    }

    #[test]
    fn orders_are_permutations() {
        for (features, count) in [
            ("768", 64),
            ("Chess768[mirrored]", 64),
            (
                "Chess768[buckets: [0 x 32, 1 x 16, 2 x 16], mirrored]",
                64 * 4,
            ),
            ("Chess704[buckets: [0 x 32, 1 x 32]]", 160 * 4),
            ("HalfKP", 64 * 16),
            ("HalfKAv2", 160 * 16),
            ("HalfKAv2_hm", 160 * 16),
            ("Chess768[attacks]", 64 * 48),
            ("Chess768[buckets: [0 x 32, 1 x 32], attacks]", 64 * 12 * 24),
        ] {
            let (all, rows) = orders(features);
            assert_eq!(all.len(), count, "{features}");
            // A sample: a step that is prime meets every choice.
            for (index, order) in all
                .iter()
                .enumerate()
                .step_by(if rows > 2000 { 211 } else { 7 })
            {
                let mut seen = vec![false; rows];
                let mut sorted = true;
                for row in 0..rows {
                    let number = order.of(row);
                    sorted &= number == row;
                    assert!(
                        !std::mem::replace(&mut seen[number], true),
                        "{features}: {}",
                        order.words()
                    );
                }
                assert_eq!(index == 0, sorted, "{features}: {}", order.words());
            }
        }
    }

    #[test]
    fn orders_have_words_of_their_own() {
        for features in [
            "768",
            "Chess704[mirrored]",
            "HalfKP",
            "HalfKAv2_hm",
            "Chess768[buckets: [0 x 32, 1 x 32], attacks]",
        ] {
            let (all, _) = orders(features);
            let words: std::collections::BTreeSet<String> =
                all.iter().map(|order| order.words()).collect();
            assert_eq!(words.len(), all.len(), "{features}");
        }
        let words = |features: &str| orders(features).0[0].words();
        assert_eq!(
            words("768"),
            "by colour, kind, square; own pieces first; P N B R Q K; squares from a1"
        );
        assert_eq!(
            words("HalfKAv2_hm"),
            "by kind, colour, square; own pieces first; P N B R Q; both kings last; squares from a1; own king before piece"
        );
    }
}
