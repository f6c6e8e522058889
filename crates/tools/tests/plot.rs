//! Pictures of declared networks with random weights: the numbers in them are those of the network, at the right places.

use nnue_codegen::plan_text;
use nnue_format::{Tensors, randomize};
use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{NetDesc, TensorRef, TensorRole};
use nnue_tools::plot::activity::Activity;
use nnue_tools::plot::pieces::Contributions;
use nnue_tools::plot::report::{About, page};
use nnue_tools::plot::rows::{Rows, Seen};
use nnue_tools::plot::weights::{Column, Line, Scale, boards, buckets, sheet, strongest};
use nnue_tools::plot::{Drawing, Network, PlotError, tensors};

/// Queens of both colours, rooks, pawns; White's king has castled.
const POSITION: [(bool, usize, usize); 10] = [
    (false, 5, 6),
    (false, 4, 27),
    (false, 3, 5),
    (false, 0, 13),
    (false, 0, 14),
    (true, 5, 58),
    (true, 4, 51),
    (true, 1, 42),
    (true, 0, 48),
    (true, 0, 49),
];

/// Calls `test` with the declared network and random weights.
fn with<T>(declaration: &str, test: impl FnOnce(&Network<'_>) -> T) -> T {
    let plans =
        plan_text(declaration).unwrap_or_else(|errors| panic!("{declaration}: {}", errors[0]));
    let tables = plans[0].tables();
    let desc = tables.descriptor();
    let mut tensors = Tensors::zeroed(&desc);
    randomize(&desc, &mut tensors.muts(), 7);
    test(&Network::new(&desc, &tensors.refs()).expect("they are its tensors"))
}

/// The elements of an SVG or XHTML text.
fn parse(svg: &str) -> roxmltree::Document<'_> {
    roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}:\n{svg}"))
}

fn parses(drawing: &Drawing) {
    let svg = drawing.svg();
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
    parse(&svg);
}

#[test]
fn rows_are_those_of_the_formulas() {
    let (own_pawn, enemy_rook) = (
        Seen {
            enemy: false,
            kind: 0,
        },
        Seen {
            enemy: true,
            kind: 3,
        },
    );
    let (own_king, enemy_king) = (
        Seen {
            enemy: false,
            kind: 5,
        },
        Seen {
            enemy: true,
            kind: 5,
        },
    );
    let (b1, g1, a2, h2, g8) = (1, 6, 8, 15, 62);
    let check = |declaration: &str, expected: &[(usize, Seen, usize, Option<usize>)]| {
        with(declaration, |network| {
            let rows = Rows::new(network.desc).expect("pieces on squares");
            for &(king, piece, square, row) in expected {
                assert_eq!(
                    rows.row(king, piece, square, 0),
                    row,
                    "{declaration}: {king} {} {square}",
                    piece.name()
                );
            }
        });
    };
    // docs/feature-sets.md
    check(
        "struct A = HalfKP[..] -> 32x2 -> 1;",
        &[
            (g1, own_pawn, a2, Some(641 * 6 + 1 + 8)),
            (g1, enemy_rook, g8, Some(641 * 6 + 1 + 64 * 7 + 62)),
            (g1, own_king, g1, None),
            (g1, enemy_king, g8, None),
        ],
    );
    check(
        "struct A = HalfKAv2[..] -> 32x2 -> 1;",
        &[
            (b1, own_pawn, a2, Some(704 + 8)),
            (b1, enemy_king, g8, Some(704 + 640 + 62)),
            (b1, own_pawn, b1, None),
        ],
    );
    // bucket 4 * (7 - 0) + (7 - 6) = 29; from b1 the board is mirrored
    check(
        "struct A = HalfKAv2_hm[..] -> 32x2 -> 1;",
        &[
            (g1, own_pawn, a2, Some(704 * 29 + 8)),
            (b1, own_pawn, h2, Some(704 * 29 + 8)),
            (b1, own_king, b1, Some(704 * 29 + 640 + 6)),
            (g1, own_king, b1, Some(704 * 29 + 640 + 6)),
            (g1, enemy_rook, g8, Some(704 * 29 + 64 * 7 + 62)),
        ],
    );
    check(
        "struct A = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 28]] -> 32x2 -> 1;",
        &[
            (b1, own_pawn, a2, Some(8)),
            (g1, own_pawn, h2, Some(8)),
            (g1, enemy_rook, g8, Some(384 + 192 + 57)),
            (g8, enemy_king, a2, Some(2 * 768 + 384 + 320 + 15)),
        ],
    );
}

#[test]
fn standings_have_rows_of_their_own() {
    with("struct A = Chess768[attacks] -> 32x2 -> 1;", |network| {
        let rows = Rows::new(network.desc).expect("pieces on squares");
        let beside_the_king = Seen {
            enemy: true,
            kind: 1,
        };
        let of_standing = |standing| rows.row(6, beside_the_king, 7, standing);
        assert_eq!(
            (0..4).map(of_standing).collect::<Vec<_>>(),
            (0..4)
                .map(|n| Some(768 * n + 384 + 64 + 7))
                .collect::<Vec<_>>()
        );
        assert_eq!(rows.standings(), 4);
    });
}

#[test]
fn mirrored_buckets_are_mirror_images() {
    for declaration in [
        "struct A = HalfKAv2_hm[..] -> 32x2, psqt 8 -> (16 -> 1)x8;",
        "struct A = Chess768[mirrored] -> 32x2 -> 1;",
    ] {
        with(declaration, |network| {
            let of = |king| {
                boards(
                    network,
                    Line {
                        column: Column::Neuron(5),
                        king,
                        standing: 0,
                    },
                )
                .expect("boards")
            };
            let (right, left) = (of(6), of(1));
            assert_eq!((right.len(), left.len()), (12, 12));
            for (right, left) in right
                .iter()
                .zip(&left)
                .filter(|(board, _)| board.title != "own king")
            {
                let mirrored: Vec<_> = (0..64).map(|square| left.squares[square ^ 7]).collect();
                assert_eq!(
                    right.squares.to_vec(),
                    mirrored,
                    "{declaration}: {}",
                    right.title
                );
            }
            let rows = Rows::new(network.desc).expect("pieces on squares");
            assert_eq!(rows.bucket(6), rows.bucket(1));
            assert_ne!(rows.is_mirrored(6), rows.is_mirrored(1));
        });
    }
}

#[test]
fn boards_have_the_weights_of_their_rows() {
    with(
        "struct A = HalfKAv2_hm[..] -> 32x2, psqt 8 -> (16 -> 1)x8;",
        |network| {
            let tensor = |role| {
                let index = network
                    .desc
                    .tensors
                    .iter()
                    .position(|tensor| tensor.role == role)
                    .expect("it has one");
                network.tensors[index]
            };
            let of = |column| {
                boards(
                    network,
                    Line {
                        column,
                        king: 6,
                        standing: 0,
                    },
                )
                .expect("boards")
            };
            let (weights, psqt) = (
                tensor(TensorRole::TransformerWeight),
                tensor(TensorRole::TransformerPsqt),
            );
            let row = 704 * 29 + 64 * 2 + 35; // an own knight on d5
            assert_eq!(
                of(Column::Neuron(31))[1].squares[35],
                Some(weights.get(32 * row + 31).into())
            );
            assert_eq!(
                of(Column::Psqt(3))[1].squares[35],
                Some(psqt.get(8 * row + 3).into())
            );
            let line = |neuron| Line {
                column: Column::Neuron(neuron),
                king: 6,
                standing: 0,
            };
            let drawing =
                sheet(network, "<neurons>", &[line(0), line(31)], Scale::Sheet).expect("a sheet");
            let svg = drawing.svg();
            assert_eq!(
                parse(&svg)
                    .descendants()
                    .filter(|node| node.has_tag_name("title"))
                    .count(),
                2 * 12 * 64
            );
            parses(&buckets(network).expect("buckets"));

            let knights = &of(Column::Psqt(3))[1];
            let mean = knights.squares.iter().flatten().sum::<f64>() / 63.0; // not on the king's square
            let around = knights.around_mean();
            assert_eq!(around.title, format!("own knight {:+}", mean.round()));
            assert_eq!(
                around.squares[35],
                knights.squares[35].map(|number| number - mean.round())
            );

            let missing = |column, what, index, count| {
                let error = sheet(
                    network,
                    "",
                    &[Line {
                        column,
                        king: 6,
                        standing: 0,
                    }],
                    Scale::Line,
                )
                .expect_err("there is none");
                assert_eq!(error, PlotError::Missing { what, index, count });
            };
            missing(Column::Neuron(32), "neuron", 32, 32);
            missing(Column::Psqt(8), "PSQT output", 8, 8);
            let second = boards(
                network,
                Line {
                    column: Column::Second(0),
                    king: 6,
                    standing: 0,
                },
            );
            assert_eq!(
                second,
                Err(PlotError::NotSeparate {
                    network: "A".into()
                })
            );
        },
    );
}

#[test]
fn the_strongest_neurons_have_the_greatest_weights() {
    with("struct A = Chess768[..] -> 32x2 -> 1;", |network| {
        let TensorRef::I16(weights) = network.tensors[1] else {
            panic!("16-bit weights")
        };
        let sum = |neuron: usize| {
            weights
                .iter()
                .skip(neuron)
                .step_by(32)
                .map(|w| u64::from(w.unsigned_abs()))
                .sum::<u64>()
        };
        let order = strongest(network, 32);
        assert!(
            order.windows(2).all(|pair| sum(pair[0]) >= sum(pair[1])),
            "{order:?}"
        );
        assert_eq!(strongest(network, 3), order[..3]);
    });
}

#[test]
fn histograms_count_the_numbers_of_the_tensors() {
    // layers of a container are padded to 32 columns
    with(
        "struct A = Chess768[..] -> 32x2 -> 8 -> 16 -> 1 { format stockfish };",
        |network| {
            for (index, desc) in network.desc.tensors.iter().enumerate() {
                let columns = match desc.role {
                    TensorRole::LayerWeight(layer) => network.desc.layers[layer].inputs,
                    _ => desc.cols,
                };
                let rows = desc.rows * desc.copies;
                let tensor = &network.tensors[index];
                let all = (0..rows)
                    .flat_map(|row| (0..columns).map(move |column| row * desc.cols + column));
                let all: Vec<f64> = all.map(|at| tensor.get(at).into()).collect();
                let histogram = tensors::histogram(network, index);
                assert_eq!(histogram.total, all.len() as u64, "{}", desc.name);
                for (part, &count) in histogram.counts.iter().enumerate() {
                    let from = histogram.least + histogram.step * part as f64;
                    let direct = all
                        .iter()
                        .filter(|&&n| from <= n && n < from + histogram.step)
                        .count();
                    assert_eq!(count, direct as u64, "{}, from {from}", desc.name);
                }
            }
            parses(&tensors::draw(network));
        },
    );
    with(
        "struct A = (768 -> 32)x2 -> 8 binary -> 1 { format raw };",
        |network| {
            let index = network
                .desc
                .tensors
                .iter()
                .position(|t| t.role == TensorRole::LayerWeight(0))
                .expect("signs");
            let histogram = tensors::histogram(network, index);
            let ones: u32 = (0..network.tensors[index].len())
                .map(|at| (network.tensors[index].get(at) as u8).count_ones())
                .sum();
            assert_eq!(
                (histogram.total, histogram.counts[2]),
                (8 * 64, ones.into())
            );
            assert_eq!((histogram.least, histogram.greatest), (-1.0, 1.0));
        },
    );
}

#[test]
fn contributions_are_differences_of_values() {
    for declaration in [
        "struct A = HalfKAv2_hm[..] -> 32x2, psqt 8 -> (16 -> 1)x8;",
        "struct A = Chess768[mirrored, buckets: [0 x 4, 1 x 28]] -> 32x2 -> 16 -> 1;",
    ] {
        with(declaration, |network| {
            for black in [false, true] {
                let board = Board::new(POSITION, black);
                let white = |board: &Board| {
                    let value = i64::from(evaluate(network.desc, network.tensors, board).value);
                    if board.black_to_move { -value } else { value }
                };
                let found = Contributions::of(&board, white);
                assert_eq!(found.value, white(&board));
                for (index, part) in found.pieces.iter().enumerate() {
                    let mut rest = POSITION.to_vec();
                    let (_, kind, square) = rest.remove(index);
                    assert_eq!((part.piece.kind, part.piece.square), (kind, square));
                    let expected =
                        (kind != 5).then(|| white(&board) - white(&Board::new(rest, black)));
                    assert_eq!(part.value, expected, "{declaration}: {kind} on {square}");
                }
                let drawing = found.draw("a position");
                parses(&drawing);
                let svg = drawing.svg();
                assert!(
                    svg.contains(&format!(
                        "<title>d4 {}</title>",
                        found.pieces[1].value.expect("a queen")
                    )),
                    "{svg}"
                );
                assert_eq!(svg.matches("♕").count() + svg.matches("♚").count(), 2);
            }
        });
    }
}

#[test]
fn neurons_without_weights_are_dead() {
    let plans = plan_text("struct A = Chess768[..] -> 32x2 -> 8 -> 1;").expect("a declaration");
    let tables = plans[0].tables();
    let desc: NetDesc<'_> = tables.descriptor();
    let mut tensors = Tensors::zeroed(&desc);
    randomize(&desc, &mut tensors.muts(), 7);
    for (role, columns) in [
        (TensorRole::TransformerWeight, 32),
        (TensorRole::TransformerBias, 32),
    ] {
        let index = desc
            .tensors
            .iter()
            .position(|tensor| tensor.role == role)
            .expect("it has one");
        let nnue_spec::TensorMut::I16(values) = tensors.muts().swap_remove(index) else {
            panic!("16-bit weights")
        };
        for row in values.chunks_exact_mut(columns) {
            (row[3], row[4]) = (
                0,
                if role == TensorRole::TransformerBias {
                    1000
                } else {
                    0
                },
            );
        }
    }
    let refs = tensors.refs();
    let network = Network::new(&desc, &refs).expect("they are its tensors");
    let mut activity = Activity::new(&desc).expect("no code of a program");
    for black in [false, true] {
        activity.see(&network, &Board::new(POSITION, black));
    }
    let accumulator = &activity.accumulators[0];
    assert!(
        accumulator.dead().contains(&3) && accumulator.saturated().contains(&4),
        "{accumulator:?}"
    );
    assert!(!accumulator.dead().contains(&4));
    assert_eq!(
        (accumulator.seen, accumulator.histogram().total),
        (4, 4 * 32)
    );
    // the same neurons of both sides, after their activation
    let activated = &activity.buffers[0][0];
    assert!(
        [3, 35]
            .iter()
            .all(|neuron| activated.dead().contains(neuron)),
        "{:?}",
        activated.dead()
    );
    assert!(
        [4, 36]
            .iter()
            .all(|neuron| activated.saturated().contains(neuron)),
        "{:?}",
        activated.saturated()
    );
    parses(&activity.draw());
}

#[test]
fn every_kind_of_network_has_a_page() {
    for declaration in [
        "struct A = HalfKP[..] -> 32x2 -> 8 -> 1;",
        "struct A = HalfKAv2_hm[..] -> 64x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;",
        "struct A = Chess768[attacks, mirrored] -> 32x2 -> 1;",
        "struct A = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };",
        "struct A = (768 -> 32)x2 -> 8 binary -> 1 { format raw };",
    ] {
        with(declaration, |network| {
            let mut activity = Activity::new(network.desc).expect("no code of a program");
            let board = Board::new(POSITION, false);
            activity.see(network, &board);
            let white =
                |board: &Board| i64::from(evaluate(network.desc, network.tensors, board).value);
            let about = About {
                facts: vec![("file".into(), "<a & b>".into())],
                activity: Some(activity),
                positions: vec![("a position".into(), Contributions::of(&board, white))],
                games: Vec::new(),
            };
            let html = page(network, &about).expect(declaration);
            let first = html.find("<svg").expect("drawings");
            for part in html[first..].split("<svg").skip(1) {
                let svg =
                    format!("<svg{}", &part[..part.find("</svg>").expect("an end")]) + "</svg>";
                parse(&svg);
            }
            assert!(
                html.contains("&lt;a &amp; b&gt;") && html.contains("Squares of the own king"),
                "{declaration}"
            );
        });
    }
}

#[test]
fn other_tensors_are_refused() {
    with("struct A = Chess768[..] -> 32x2 -> 1;", |network| {
        let error = Network::new(network.desc, &network.tensors[1..]).expect_err("one is missing");
        assert_eq!(
            error,
            PlotError::Tensors {
                network: "A".into()
            }
        );
    });
}
