//! Files of weights: what is no network is an error that says why.

use nnue_backend::lc0::Weights;
use nnue_backend::lc0::weights::PolicyHead;

use crate::synthetic::{self, Kind, Message, Numbers};

fn error(bytes: &[u8]) -> String {
    let text = Weights::from_bytes(bytes)
        .expect_err("an error")
        .to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

#[test]
fn compressed_or_not_it_is_the_same() {
    let message = synthetic::message(Kind::NEW, 7);
    let weights = Weights::from_bytes(&message).expect("a network");
    assert_eq!(
        Weights::from_bytes(&synthetic::gzip(&message)).expect("a network"),
        weights
    );
    assert_eq!(
        (
            weights.input.channels,
            weights.input.outputs,
            weights.blocks.len()
        ),
        (112, 9, 2)
    );
    let squeeze = weights.blocks[1]
        .squeeze
        .as_ref()
        .expect("squeeze and excitation");
    assert_eq!(
        (
            squeeze.down.outputs,
            squeeze.gate.outputs,
            squeeze.shift.outputs
        ),
        (3, 9, 9)
    );
    assert!(
        matches!(&weights.policy, PolicyHead::Convolution { planes, .. } if planes.outputs == 80)
    );
    assert_eq!(
        (weights.value.outputs.outputs, weights.moves_left.is_some()),
        (3, true)
    );
    let old = Weights::from_bytes(&synthetic::message(Kind::OLD, 7)).expect("a network");
    assert!(matches!(&old.policy, PolicyHead::Classical { moves, .. } if moves.outputs == 1858));
    assert_eq!(
        (old.value.outputs.outputs, old.moves_left.is_some()),
        (1, false)
    );
    assert_ne!(old.digest, weights.digest);
}

#[test]
fn every_cut_is_an_error() {
    let message = synthetic::message(Kind::NEW, 1);
    let cuts = (0..300)
        .chain((300..message.len()).step_by(97))
        .chain(message.len() - 50..message.len());
    for cut in cuts {
        error(&message[..cut]);
    }
    let file = synthetic::gzip(&message);
    for cut in (0..file.len())
        .step_by(501)
        .chain(file.len() - 20..file.len())
    {
        error(&file[..cut]);
    }
    assert_eq!(
        error(&[&file[..], &[1, 2, 3]].concat()),
        "3 bytes follow the end of the gzip stream"
    );
    assert!(error(&file[..file.len() - 3]).starts_with("the file is no whole gzip stream: "));
    assert!(
        error(&[&file[..40], &[0xFF; 40], &file[80..]].concat())
            .starts_with("the file is no whole gzip stream: ")
    );
}

/// The error for a file that is not of weights names its kind.
#[test]
fn files_of_other_kinds_are_named() {
    let html = b"<!DOCTYPE html><html><head><title>Not found</title></head></html>";
    let expected =
        "this is an HTML page: the download went to a page instead of the file".to_owned();
    assert_eq!(error(html), expected);
    assert_eq!(
        error(&synthetic::gzip(html)),
        format!("the gzip stream has another file: {expected}")
    );
    assert!(error(b"1\n0.1 0.2 -0.3\n0.5 0.25\n").contains("before 2019"));
    let whole = synthetic::gzip(&synthetic::message(Kind::NEW, 1));
    assert!(
        error(&synthetic::gzip(&whole))
            .starts_with("the gzip stream has another file: this is compressed by gzip again: decompress the file once (`gunzip`)")
    );
    assert!(error(b"PK\x03\x04\x14\0\0\0\x08\0weights.pb.gz").starts_with("this is a zip archive"));
}

/// Every byte of what describes the network, changed: an error or a network, and never a panic.
#[test]
fn changed_bytes_are_errors_or_networks() {
    let message = synthetic::message(Kind::OLD, 1);
    let mut errors = 0;
    for at in (0..80).chain((80..message.len()).step_by(997)) {
        for change in [1, 8, 0x80] {
            let mut changed = message.clone();
            changed[at] ^= change;
            errors += usize::from(Weights::from_bytes(&changed).is_err());
        }
    }
    assert!(errors > 50, "{errors}");
}

#[test]
fn what_is_no_message_of_weights() {
    assert_eq!(
        error(b""),
        "magic number missing, and 0x1c0 in weights of Leela Chess Zero"
    );
    let other = Message::default().fixed(1, 0x1BF).finish();
    assert_eq!(
        error(&other),
        "magic number 0x1bf, and 0x1c0 in weights of Leela Chess Zero"
    );
    let none = || Message::default().fixed(1, 0x1C0);
    assert_eq!(error(&none().finish()), "`weights` is missing");
    let graph = "`weights (the file has a graph of ONNX instead)` is missing";
    assert_eq!(error(&none().bytes(11, b"graph").finish()), graph);
    let number = "byte 5: expected bytes with their length, found a whole number in field 10";
    assert_eq!(error(&none().number(10, 5).finish()), number);
    // a length of 2^60 bytes
    let long = [&none().finish()[..], &[10 << 3 | 2], &[0x80; 8], &[0x10]].concat();
    assert_eq!(
        error(&long),
        "byte 15: expected all bytes of a field, found 0 of 1152921504606846976"
    );
    let endless = [&none().finish()[..], &[0xFF; 11]].concat();
    assert_eq!(
        error(&endless),
        "byte 5: expected a number, found more than ten bytes"
    );
    let group = [&none().finish()[..], &[10 << 3 | 3]].concat();
    assert_eq!(
        error(&group),
        "byte 5: expected a field of a message, found a value of type 3"
    );
}

#[test]
fn kinds_that_are_not_supported() {
    let network = |fields: &[(u64, u64)]| {
        let message = fields
            .iter()
            .fold(Message::default(), |message, &(field, number)| {
                message.number(field, number)
            });
        error(&synthetic::with_format(
            Message::default().message(2, message),
            Kind::NEW,
        ))
    };
    let attention = "the structure of the network is number 6 (attention); supported are 0, 1 and 3 (residual blocks), \
                     2 and 4 (with squeeze and excitation)";
    assert_eq!(network(&[(3, 6)]), attention);
    assert_eq!(
        network(&[(1, 9), (3, 4)]),
        "the input format is number 9; supported are 1 to 5, 132 and 133 (112 planes)"
    );
    let policies = "supported are 1 (a layer over 1858 moves) and 2 (planes of moves)";
    assert_eq!(
        network(&[(3, 4), (4, 3), (5, 2)]),
        format!("the policy is number 3 (attention); {policies}")
    );
    assert_eq!(
        network(&[(3, 4), (5, 2)]),
        format!("the policy is number 0; {policies}")
    );
    let value = "the value is number 3; supported are 1 (one number) and 2 (win, draw, loss)";
    assert_eq!(network(&[(3, 4), (4, 2), (5, 3)]), value);
    assert!(
        network(&[(2, 1), (3, 4), (4, 2), (5, 2)])
            .starts_with("the format of the output is number 1; ")
    );
    let moves_left = "the head of moves left is number 2; supported are 0 (none) and 1";
    assert_eq!(network(&[(3, 4), (4, 2), (5, 2), (6, 2)]), moves_left);
    assert_eq!(
        network(&[(3, 4), (7, 1)]),
        "the activation is number 1 (mish); supported are 0 (ReLU)"
    );
    let encoding = Message::default().number(1, 7);
    let expected = "the encoding of the file is number 7; supported are 0 and 1 (16 bits a number)";
    assert_eq!(
        error(&synthetic::with_format(encoding, Kind::NEW)),
        expected
    );
}

/// A file with another kind than its weights, and with other weights than the kind needs.
#[test]
fn weights_that_do_not_fit() {
    let said = |kind, weights| error(&synthetic::with_format(synthetic::format(kind), weights));
    assert_eq!(
        said(
            Kind::NEW,
            Kind {
                squeeze: false,
                ..Kind::NEW
            }
        ),
        "`residual[0].se` is missing"
    );
    assert_eq!(
        said(
            Kind::NEW,
            Kind {
                moves_left: false,
                ..Kind::NEW
            }
        ),
        "`moves_left.weights` is missing"
    );
    assert_eq!(
        said(
            Kind::NEW,
            Kind {
                wdl: false,
                ..Kind::NEW
            }
        ),
        "`ip2_val_b` has 1 numbers, expected 3"
    );
    assert_eq!(
        said(
            Kind::NEW,
            Kind {
                planes: false,
                ..Kind::NEW
            }
        ),
        "`policy1.weights` is missing"
    );
    let input = |conv: Message| {
        let weights = Message::default().message(1, conv);
        Message::default()
            .fixed(1, 0x1C0)
            .message(4, synthetic::format(Kind::OLD))
            .message(10, weights)
            .finish()
    };
    let conv = |numbers: &mut Numbers, count| {
        Message::default().message(1, numbers.layer(count, [0.0, 1.0]))
    };
    let mut numbers = Numbers(1);
    assert_eq!(
        error(&input(conv(&mut numbers, 1009))),
        "`input.weights` has 1009 numbers, expected 3 x 3 x 112 for each of at most 4096 channels"
    );
    let biases = conv(&mut numbers, 2016).message(2, numbers.layer(3, [0.0, 1.0]));
    assert_eq!(
        error(&input(biases)),
        "`input.biases` has 3 numbers, expected 2"
    );
    let nan = Message::default().message(1, numbers.layer(1008, [0.0, f32::NAN]));
    assert_eq!(
        error(&input(nan)),
        "`input.weights`, number 0: NaN, expected a finite number"
    );
    let negative = conv(&mut numbers, 1008)
        .message(3, numbers.layer(1, [0.0, 0.0]))
        .message(4, numbers.layer(1, [-1.0, -1.0]));
    let expected = "`input.weights`, number 0: NaN, expected a finite number after its batch norm, whose variance is not negative";
    assert_eq!(error(&input(negative)), expected);
}

#[test]
fn towers_have_an_end() {
    let blocks = (0..257).fold(Message::default(), |weights, _| weights.bytes(2, b""));
    let file = Message::default()
        .fixed(1, 0x1C0)
        .message(10, blocks)
        .finish();
    assert_eq!(
        error(&file),
        "`residual` has 257 numbers, expected at most 256 blocks"
    );
}

/// Weights that the kind of the network does not use are refused by their name: passed over, they would give values of another network.
#[test]
fn weights_that_are_not_used() {
    let said = |kind, weights| error(&synthetic::with_format(synthetic::format(kind), weights));
    let refused = |name: &str, reason: &str| {
        format!(
            "`{name}` is in the file, but {reason}: what is not evaluated is refused, as the values would be wrong"
        )
    };
    let (new, plain) = (
        Kind::NEW,
        Kind {
            squeeze: false,
            ..Kind::NEW
        },
    );
    assert_eq!(
        said(plain, new),
        refused(
            "residual[0].se.w1",
            "the structure of the network is residual blocks without squeeze and excitation"
        )
    );
    let no_moves_left = Kind {
        moves_left: false,
        ..new
    };
    assert_eq!(
        said(no_moves_left, new),
        refused(
            "moves_left.weights",
            "the network has no head of moves left"
        )
    );
    let more = |kind, field| {
        let conv = Message::default().message(1, Numbers(1).layer(9, [0.0, 1.0]));
        let list = Numbers(1).layer(9, [0.0, 1.0]);
        let more = Message::default().message(field, if field == 11 { conv } else { list });
        error(&synthetic::with_more(kind, &more))
    };
    let classical = Kind {
        planes: false,
        ..new
    };
    assert_eq!(
        more(classical, 11),
        refused("policy1.weights", "the policy is a layer over 1858 moves")
    );
    assert_eq!(
        more(new, 5),
        refused("ip_pol_b", "the policy is planes of moves")
    );
    assert_eq!(
        more(Kind::OLD, 13),
        refused("ip1_mov_w", "the network has no head of moves left")
    );
}

/// Fields that nobody reads, and lists that are there twice.
#[test]
fn fields_that_would_be_passed_over() {
    let file = |weights: Message| {
        Message::default()
            .fixed(1, 0x1C0)
            .message(4, synthetic::format(Kind::OLD))
            .message(10, weights)
            .finish()
    };
    let list = || Numbers(1).layer(4, [0.0, 1.0]);
    let unknown = |weights| {
        error(&file(weights))
            .split_once(": ")
            .expect("a place")
            .1
            .to_owned()
    };
    assert_eq!(
        unknown(Message::default().message(27, Message::default().message(1, list()))),
        "field 27 (encoder) of the weights is not evaluated here"
    );
    assert_eq!(
        unknown(Message::default().message(99, list())),
        "field 99 of the weights is not evaluated here"
    );
    let conv = Message::default().message(7, list());
    assert_eq!(
        unknown(Message::default().message(1, conv)),
        "field 7 of a convolution is not evaluated here"
    );
    assert_eq!(
        unknown(Message::default().message(4, list()).message(4, list())),
        "field 4 of the weights is there twice, expected once"
    );
    let empty = Message::default;
    let twice = Message::default().message(1, empty()).message(1, empty());
    assert_eq!(
        unknown(Message::default().message(2, twice)),
        "field 1 of a residual block is there twice, expected once"
    );
    // a scale without the norm that it belongs to
    let scaled = Message::default()
        .message(1, Numbers(1).layer(1008, [0.0, 1.0]))
        .message(5, Numbers(1).layer(1, [0.0, 1.0]));
    assert!(
        error(&file(Message::default().message(1, scaled)))
            .starts_with("`input.bn_gammas` is in the file, but ")
    );
    let graph = Message::default()
        .fixed(1, 0x1C0)
        .message(10, Message::default())
        .bytes(11, b"graph");
    assert!(error(&graph.finish()).starts_with("`onnx_model` is in the file, but "));
}
