//! Features, accumulators, sums and values of all positions.

use nnue_codegen::plan_text;
use nnue_format::Tensors;
use nnue_spec::reference::{Board, active_features, evaluate};
use nnue_spec::{FeatureSetId, KingBuckets, NetDesc, ValueDesc};
use nnue_testkit::board;
use nnue_testkit::bullet::{Row, crc32, network, table};

use crate::{FLOATS, file_name, plan, plans};

fn reference_board(row: &Row) -> Board {
    let board = board::Board::from_fen(row.text("fen"));
    Board::new(board.iter(), board.black_to_move())
}

/// The king buckets of the trainer's third example.
const TEN: [u8; 32] = [
    0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9,
];

#[test]
fn features_are_those_of_the_trainer() {
    let plan = plan("Akimbo256");
    let tables = plan.tables();
    let ten = std::array::from_fn(|square| {
        let file = square % 8;
        TEN[square / 8 * 4 + file.min(7 - file)]
    });
    let sets = [
        ("chess768", FeatureSetId::Chess768),
        (
            "hm10",
            FeatureSetId::King(KingBuckets::new(ten, true, false)),
        ),
    ];
    for (name, set) in sets {
        let mut features = [tables.descriptor().features[0]];
        (features[0].set, features[0].rows) = (set, set.rows());
        let net = NetDesc {
            features: &features,
            ..tables.descriptor()
        };
        for row in table("features") {
            let board = reference_board(&row);
            for (side, black) in [("stm", board.black_to_move), ("ntm", !board.black_to_move)] {
                let expected: Vec<usize> = row
                    .numbers(&format!("{name}_{side}"))
                    .iter()
                    .map(|&feature| feature as usize)
                    .collect();
                assert_eq!(
                    active_features(&net, &board, black),
                    expected,
                    "{name} of {}",
                    row.text("fen")
                );
            }
        }
    }
}

/// Calls `test` for every network that is at hand.
fn each_network(mut test: impl FnMut(&str, &NetDesc<'_>, &Tensors)) {
    for (file, plan) in plans() {
        let Some(bytes) = network(&file_name(file)) else {
            continue;
        };
        let tables = plan.tables();
        let net = tables.descriptor();
        let (_, tensors) =
            Tensors::read(&net, &bytes[..]).unwrap_or_else(|error| panic!("{file}: {error}"));
        test(file, &net, &tensors);
    }
}

#[test]
fn values_are_those_of_the_engines() {
    each_network(|file, net, tensors| {
        for row in table(file) {
            let trace = evaluate(net, &tensors.refs(), &reference_board(&row));
            let context = format!("{file} on {}", row.text("fen"));
            if let Some(bucket) = row.number("bucket") {
                assert_eq!(trace.bucket as i64, bucket, "{context}");
            }
            if let Some(sum) = row.number("raw_sum") {
                assert_eq!(trace.stacks[trace.bucket].direct, Some(sum), "{context}");
            }
            if let Some(sum) = row.number("raw_sum_plus_bias") {
                assert_eq!(i64::from(trace.used_positional()), sum, "{context}");
            }
            let value = if is_float(net) { "eval_nofma" } else { "eval" };
            assert_eq!(Some(i64::from(trace.value)), row.number(value), "{context}");
        }
    });
}

fn is_float(net: &NetDesc<'_>) -> bool {
    matches!(net.value, ValueDesc::Float { .. })
}

/// The sums of whole numbers, and every bit of the output, with products of floats rounded and with products that are fused.
#[test]
fn float_bits_are_those_of_the_engine() {
    for (clause, column) in [
        ("", "raw_f32_bits_nofma"),
        ("floats fused; ", "raw_f32_bits_fma"),
    ] {
        let declaration = FLOATS.replace("golden", &format!("{clause}golden"));
        let plan = plan_text(&declaration)
            .unwrap_or_else(|errors| panic!("{}", errors[0]))
            .remove(0);
        let tables = plan.tables();
        let net = tables.descriptor();
        let file = "alexandria-768hm-1536pw-16-32-ob8";
        let Some(bytes) = network(&file_name(file)) else {
            return;
        };
        let (_, tensors) =
            Tensors::read(&net, &bytes[..]).unwrap_or_else(|error| panic!("{file}: {error}"));
        for row in table(file) {
            let trace = evaluate(&net, &tensors.refs(), &reference_board(&row));
            let used = &trace.stacks[trace.bucket];
            let sums: Vec<i64> = used.sums[0].iter().map(|&sum| sum.into()).collect();
            assert_eq!(sums, row.numbers("l1_i32_sums"), "{}", row.text("fen"));
            let activated: i64 = used.buffers[0].iter().map(|&value| i64::from(value)).sum();
            assert_eq!(
                Some(activated),
                row.number("ft_u8_sum"),
                "{}",
                row.text("fen")
            );
            assert_eq!(
                format!("{:08x}", used.floats[2][0].to_bits()),
                row.text(column),
                "{clause}{}",
                row.text("fen")
            );
        }
    }
}

#[test]
fn accumulators_are_those_of_the_engines() {
    let rows = table("accumulators");
    each_network(|file, net, tensors| {
        for row in rows.iter().filter(|row| row.text("net") == file) {
            let trace = evaluate(net, &tensors.refs(), &reference_board(row));
            let [us, them] = &trace.accumulators;
            let first: Vec<i64> = us[..8].iter().map(|&value| value.into()).collect();
            assert_eq!(
                first,
                row.numbers("stm_first8"),
                "{file} on {}",
                row.text("fen")
            );
            for (side, values) in [("stm", us), ("ntm", them)] {
                let sum: i64 = values.iter().map(|&value| i64::from(value)).sum();
                assert_eq!(
                    Some(sum),
                    row.number(&format!("{side}_sum")),
                    "{file} on {}",
                    row.text("fen")
                );
                let crc = crc32(values.iter().flat_map(|value| value.to_le_bytes()));
                assert_eq!(
                    format!("{crc:08x}"),
                    row.text(&format!("{side}_crc32_le_i16")),
                    "{file}"
                );
            }
        }
    });
}
