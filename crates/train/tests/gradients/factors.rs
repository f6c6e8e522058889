//! Virtual weights: which rows share them, their gradient, and the limits of sums.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use nnue_codegen::graph_text;
use nnue_spec::NetDesc;
use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_spec::reference::{Board, active_features};
use nnue_testkit::random::Random;
use nnue_train::factors::{FactorError, Factors, VirtualFeature, Wanted};
use nnue_train::network::{Network, Parameters};
use nnue_train::optimizer::Limits;
use nnue_train::quantized::Quantized;

use crate::declared::{Rows, boards, random};
use crate::differences::{objective, of_outputs, with_gradient};

const THREADS: NonZeroUsize = NonZeroUsize::new(3).expect("not 0");

/// Sets with several king buckets.
const SETS: [&str; 5] = [
    "HalfKP[..]",
    "HalfKAv2[..]",
    "HalfKAv2_hm[..]",
    "Chess768[buckets: [0, 1, 2, 3, 4 x 4, 5 x 8, 6 x 16], mirrored]",
    "Chess704[buckets: [0 x 32, 1 x 32]]",
];

fn graph(set: &str) -> Graph {
    let text = format!("struct Factored = {set} -> 32x2 pairwise, psqt 4 -> (8 -> 16 -> 1)x4;");
    graph_text(&text)
        .unwrap_or_else(|errors| panic!("{text}: {}", errors[0].message))
        .remove(0)
}

/// All factors that the network can have.
fn all(graph: &Graph) -> Factors {
    let can = |feature: &VirtualFeature| {
        Factors::new(
            graph,
            &Wanted {
                features: vec![*feature],
                layers: vec![],
            },
        )
        .is_ok()
    };
    let features: Vec<_> = VirtualFeature::ALL.into_iter().filter(can).collect();
    assert!(features.len() >= 2, "{}", graph.name);
    Factors::new(
        graph,
        &Wanted {
            features,
            layers: vec!["fc0".into(), "fc1".into()],
        },
    )
    .expect("each can be had")
}

/// A perspective, its own king, and a piece.
#[derive(Clone, Copy, Debug)]
struct Seen {
    black: bool,
    king: usize,
    enemy: bool,
    kind: usize,
    square: usize,
}

impl Seen {
    fn random(random: &mut Random) -> Self {
        let (king, enemy, kind) = (random.below(64), random.below(2) == 1, random.below(6));
        let is_own_king = kind == 5 && !enemy;
        let square = if is_own_king {
            king
        } else {
            (king + 1 + random.below(63)) % 64
        };
        Self {
            black: random.below(2) == 1,
            king,
            enemy,
            kind,
            square,
        }
    }

    /// The row of the piece, if the set has one.
    fn row(self, net: &NetDesc<'_>) -> Option<usize> {
        let own_king = (self.black, 5, self.king);
        let rows = |pieces: &[(bool, usize, usize)]| {
            active_features(
                net,
                &Board::new(pieces.iter().copied(), self.black),
                self.black,
            )
        };
        let alone = rows(&[own_king]);
        if self.square == self.king {
            return alone.first().copied();
        }
        let both = rows(&[own_king, (self.black != self.enemy, self.kind, self.square)]);
        both.into_iter().find(|row| !alone.contains(row))
    }

    /// The squares of own king and piece from the perspective.
    fn squares(self, set: &str) -> (usize, usize) {
        let turn = match (self.black, set.starts_with("HalfKP")) {
            (false, _) => 0,
            (true, false) => 56,
            (true, true) => 63,
        };
        let files = (self.king ^ turn) % 8;
        let mirror = match set {
            _ if set.contains("_hm") => files < 4,
            _ => set.contains("mirrored") && files > 3,
        };
        let turn = turn ^ if mirror { 7 } else { 0 };
        (self.king ^ turn, self.square ^ turn)
    }

    /// The properties that define a virtual row.
    fn key(self, set: &str, feature: VirtualFeature) -> Vec<usize> {
        let (king, square) = self.squares(set);
        let piece = usize::from(self.enemy) * 6 + self.kind;
        match feature {
            VirtualFeature::PieceSquare => vec![piece, square],
            VirtualFeature::King => vec![king],
            VirtualFeature::Relative => {
                // Both kings share a plane, but are never on the same square.
                let piece = if self.kind == 5 { 5 } else { piece };
                vec![piece, 7 + square / 8 - king / 8, 7 + square % 8 - king % 8]
            }
        }
    }
}

/// The virtual row of each row, found by giving each virtual row a weight of its own.
fn virtual_rows(graph: &Graph, feature: VirtualFeature) -> Vec<usize> {
    let factors = Factors::new(
        graph,
        &Wanted {
            features: vec![feature],
            layers: vec![],
        },
    )
    .expect("the set can have it");
    let network = Network::<f64>::new(graph).expect("all activations are known");
    let (mut trained, mut merged) = (network.zeros(), network.zeros());
    let tensor = graph
        .tensors
        .iter()
        .position(|tensor| tensor.name == "ft_weight")
        .expect("every network has one");
    let added = factors
        .names()
        .position(|name| name.ends_with("`ft_weight`"))
        .expect("it has virtual rows");
    factors.extend(&mut trained);
    let virtual_weights = &mut trained.tensors[graph.tensors.len() + added];
    virtual_weights
        .chunks_exact_mut(32)
        .enumerate()
        .for_each(|(row, weights)| weights.fill(1.0 + row as f64));
    factors.merge(&trained, &mut merged, THREADS);
    merged.tensors[tensor]
        .chunks_exact(32)
        .map(|weights| weights[31] as usize)
        .collect()
}

#[test]
fn rows_share_a_virtual_row_if_and_only_if_they_have_the_same_in_common() {
    let mut random = Random::new(4);
    for set in &SETS[..3] {
        let graph = graph(set);
        let plan = plan(&graph);
        let tables = plan.tables();
        let net = tables.descriptor();
        for feature in VirtualFeature::ALL {
            let rows = virtual_rows(&graph, feature);
            let (mut by_key, mut by_row) = (HashMap::new(), HashMap::new());
            for _ in 0..20_000 {
                let seen = Seen::random(&mut random);
                let Some(row) = seen.row(&net) else { continue };
                let (key, virtual_row) = (seen.key(set, feature), rows[row]);
                assert!(
                    virtual_row > 0,
                    "{set} {feature}: {seen:?} has no virtual row"
                );
                assert_eq!(
                    *by_key.entry(key.clone()).or_insert(virtual_row),
                    virtual_row,
                    "{set} {feature}: {seen:?}"
                );
                assert_eq!(
                    *by_row.entry(virtual_row).or_insert_with(|| key.clone()),
                    key,
                    "{set} {feature}: {seen:?}"
                );
            }
        }
    }
}

/// Buckets with several squares know the king only up to the bucket; merged kings are one piece.
#[test]
fn buckets_share_what_they_tell_apart() {
    let mut random = Random::new(4);
    for set in &SETS[3..] {
        let (graph, merged) = (graph(set), set.contains("704"));
        let plan = plan(&graph);
        let tables = plan.tables();
        let rows = virtual_rows(&graph, VirtualFeature::PieceSquare);
        let mut by_key = HashMap::new();
        for _ in 0..20_000 {
            let mut seen = Seen::random(&mut random);
            let row = seen
                .row(&tables.descriptor())
                .expect("every piece has a row");
            seen.enemy &= !(merged && seen.kind == 5);
            let key = seen.key(set, VirtualFeature::PieceSquare);
            assert_eq!(
                *by_key.entry(key).or_insert(rows[row]),
                rows[row],
                "{set}: {seen:?}"
            );
        }
        let distinct: std::collections::HashSet<_> = by_key.values().collect();
        assert_eq!(distinct.len(), by_key.len(), "{set}");
        let bucket = 64 * if merged { 11 } else { 12 };
        let kings = virtual_rows(&graph, VirtualFeature::King);
        assert!(
            kings
                .iter()
                .enumerate()
                .all(|(row, &king)| king == 1 + row / bucket),
            "{set}"
        );
    }
}

#[test]
fn gradients_of_virtual_weights_are_finite_differences() {
    let mut random_index = Random::new(6);
    for set in SETS {
        let graph = graph(set);
        let (network, factors) = (
            Network::<f64>::new(&graph).expect("all activations are known"),
            all(&graph),
        );
        let plan = plan(&graph);
        let rows: Vec<Rows> = boards()
            .iter()
            .map(|board| Rows::of(&plan.tables().descriptor(), board))
            .collect();
        let mut trained = random(&graph, &network, 2);
        factors.extend(&mut trained);
        for number in trained.tensors[graph.tensors.len()..].iter_mut().flatten() {
            *number = random_index.below(2001) as f64 / 1e4 - 0.1;
        }
        let (mut workspace, mut merged) = (network.workspace(), network.zeros());
        let mut sum = |trained: &Parameters<f64>, gradient: Option<&mut Parameters<f64>>| {
            factors.merge(trained, &mut merged, THREADS);
            let forward = |workspace: &mut _, rows: &Rows| {
                network.forward(&merged, rows.position(), workspace)
            };
            if let Some(gradient) = gradient {
                for rows in &rows {
                    let of_outputs = of_outputs(forward(&mut workspace, rows));
                    network.backward(
                        &merged,
                        rows.position(),
                        &mut workspace,
                        of_outputs,
                        gradient,
                    );
                }
            }
            rows.iter()
                .map(|rows| objective(forward(&mut workspace, rows)))
                .sum::<f64>()
        };
        let mut gradient = network.zeros();
        factors.extend(&mut gradient);
        sum(&trained, Some(&mut gradient));
        factors.spread(&mut gradient, THREADS);
        let (mut compared, mut kinks) = (0, 0);
        for tensor in graph.tensors.len()..trained.tensors.len() {
            let numbers = &gradient.tensors[tensor];
            let largest = numbers
                .iter()
                .fold(0.0_f64, |most, number| most.max(number.abs()));
            if largest < 1e-9 {
                // Both sides have as many pieces with their kings in the same bucket, so the shared part of
                // the PSQT difference cancels.
                assert!(
                    set.contains("704")
                        && factors.names().nth(tensor - graph.tensors.len())
                            == Some("`king` of `ft_psqt`")
                );
                continue;
            }
            for index in with_gradient(numbers, 4, &mut random_index) {
                let (held, h) = (trained.tensors[tensor][index], 1e-6);
                let center = sum(&trained, None);
                let [right, left] = [h, -h].map(|h| {
                    trained.tensors[tensor][index] = held + h;
                    (sum(&trained, None) - center) / h
                });
                trained.tensors[tensor][index] = held;
                if (right - left).abs() > 1e-3 * largest {
                    kinks += 1;
                    continue;
                }
                let (found, quotient) = (numbers[index], (right + left) / 2.0);
                assert!(
                    (found - quotient).abs() < 1e-5 * largest,
                    "{set}: {tensor} {index}: {found}, not {quotient}"
                );
                compared += 1;
            }
        }
        assert!(
            compared > 3 * kinks && compared > 15,
            "{set}: {compared} compared, {kinks} are at a kink"
        );
    }
}

/// Whatever the size of the parts, their sums are in the range of the types and can be exported.
#[test]
fn limits_hold_for_sums() {
    for set in &SETS[2..] {
        let graph = graph(set);
        let (network, factors) = (
            Network::<f32>::new(&graph).expect("all activations are known"),
            all(&graph),
        );
        let (mut trained, mut random) = (network.zeros(), Random::new(8));
        factors.extend(&mut trained);
        trained
            .tensors
            .iter_mut()
            .flatten()
            .for_each(|number| *number = random.below(2001) as f32 * 0.3 - 300.0);
        let limits = Limits::of(&graph);
        factors.clip(&limits, &mut trained, THREADS);
        let mut merged = network.zeros();
        factors.merge(&trained, &mut merged, THREADS);
        for (tensor, limit) in merged.tensors.iter().zip(&limits.greatest) {
            let limit = limit.expect("a network of whole numbers");
            assert!(tensor.iter().all(|number| number.abs() <= limit), "{set}");
        }
        let plan = plan(&graph);
        let tables = plan.tables();
        assert!(Quantized::new(&tables.descriptor(), &merged).is_ok());
        let held = trained.clone();
        factors.clip(&limits, &mut trained, NonZeroUsize::MIN);
        assert_eq!(trained, held);
    }
}

#[test]
fn networks_without_anything_to_share() {
    let wanted = |feature: Option<VirtualFeature>, layer: &str| Wanted {
        features: feature.into_iter().collect(),
        layers: if layer.is_empty() {
            vec![]
        } else {
            vec![layer.to_owned()]
        },
    };
    let said = |graph: &Graph, wanted| {
        Factors::new(graph, &wanted)
            .expect_err("it has nothing to share")
            .to_string()
    };
    let plain =
        graph_text("struct Plain = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };")
            .expect("right")
            .remove(0);
    let feature = said(&plain, wanted(Some(VirtualFeature::King), ""));
    assert_eq!(
        feature,
        "no feature set of `Plain` has `king`: its rows are the same for every place of the king"
    );
    let buckets = said(&graph(SETS[4]), wanted(Some(VirtualFeature::Relative), ""));
    assert!(
        buckets.ends_with(
            "its king buckets have several squares each, from which pieces are not equally far"
        ),
        "{buckets}"
    );
    assert_eq!(
        said(&plain, wanted(None, "fc0")),
        "`Plain` has one stack of layers, which has nothing in common with others"
    );
    let layer = Factors::new(&graph(SETS[0]), &wanted(None, "fc3"));
    let known = ["fc0", "fc1", "fc2"].map(str::to_owned).into();
    let expected = FactorError::NoLayer {
        layer: "fc3".into(),
        network: "Factored".into(),
        known,
    };
    assert_eq!(layer.expect_err("there are three layers"), expected);
    assert_eq!(
        expected.to_string(),
        "`Factored` has no layer `fc3`; it has `fc0`, `fc1`, `fc2`"
    );
}
