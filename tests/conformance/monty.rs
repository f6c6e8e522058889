//! Monty's networks of April 2024: logits and values, to the last bit. The environment variable `NNUE_MONTY_NETS` names the folder that
//! contains them. Without it these tests print that they check nothing, and pass.

use nnue::nnue;
use nnue::subnets::{Move, Network};
use nnue::{AccumulatorStack, Level};
use nnue_testkit::games::position;
use nnue_testkit::policy;

nnue! {
    /// Subnets for the square that a move leaves and the one that it reaches; terms 0 to 3 for a promotion to a knight, bishop, rook and queen,
    /// 4 for a good exchange, 5 for all moves.
    pub struct MontyPolicy {
        from = subnets(Chess768[..], 64 x 8: f32);
        to = subnets(Chess768[..], 64 x 8: f32);
        output policy = dot(relu(from), relu(to)) + terms[6];
        format raw
    }

    pub struct MontyValue = 768hm -> 128 @ 255 screlu -> 1: i16 @ 64 { format raw { padding: bullet } };
}

/// What the network is told about a move, as the side to move sees the board.
fn named(uci: &str, black: bool) -> Move<1> {
    let square = |text: &str| {
        let [file, rank] = *text.as_bytes() else {
            panic!("`{text}` is no square")
        };
        let square = 8 * u16::from(rank - b'1') + u16::from(file - b'a');
        if black { square ^ 56 } else { square }
    };
    let listed = Move::of([[square(&uci[..2]), square(&uci[2..4])]]);
    match uci[4..].chars().next() {
        Some(piece) => listed
            .plus("nbrq".find(piece).expect("a piece") as u16)
            .plus(5),
        None => listed.plus(5),
    }
}

#[test]
fn monty_policy() {
    let Some(bytes) = policy::network("chess-policy004.bin") else {
        return;
    };
    let mut network = Network::<MontyPolicy>::from_bytes(&bytes).expect("it is the declared one");
    assert_eq!(network.to_bytes(), bytes);
    let exchange = network.parameters().terms[4];
    for level in Level::available() {
        network = network.with_level(level);
        for row in policy::table() {
            let black = row.fen.split(' ').nth(1) == Some("b");
            let moves: Vec<_> = row
                .moves
                .iter()
                .map(|expected| named(&expected.uci, black))
                .collect();
            let with_exchange: Vec<_> = moves.iter().map(|named| named.plus(4)).collect();
            let (mut logits, mut after) = (vec![0.0; moves.len()], vec![0.0; moves.len()]);
            let position = position(&row.fen);
            network.policy(&position, &moves, &mut logits);
            network.policy(&position, &with_exchange, &mut after);
            for (index, expected) in row.moves.iter().enumerate() {
                let (fen, uci) = (&row.fen, &expected.uci);
                assert_eq!(
                    logits[index].to_bits(),
                    expected.logit.to_bits(),
                    "{level}: {fen} {uci}"
                );
                assert_eq!(
                    after[index].to_bits(),
                    expected.with_exchange.to_bits(),
                    "{level}: {fen} {uci}"
                );
                assert_eq!(
                    after[index].to_bits(),
                    (logits[index] + exchange).to_bits(),
                    "{level}: {fen} {uci}"
                );
            }
        }
    }
}

#[test]
fn monty_value() {
    let Some(bytes) = policy::network("chess-value004.bin") else {
        return;
    };
    let mut network = crate::load::<MontyValue>(&bytes);
    crate::written_as_read(&network, &bytes);
    for level in Level::available() {
        network = network.with_level(level);
        let mut stack = AccumulatorStack::new();
        for row in policy::table() {
            let position = position(&row.fen);
            stack.reset();
            assert_eq!(
                network.evaluate(&position, &mut stack).value,
                row.value,
                "{level}: {}",
                row.fen
            );
        }
    }
}
