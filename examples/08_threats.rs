//! 08: threats, pairs of pieces as features.
//!
//! Shows: several feature sets that feed one accumulator, the order of the rows of threats and of pawn pairs, and that a move changes
//! threats of pieces that do not move. `docs/threats.md` explains these sets.
//!
//! Run: `cargo run --example 08_threats`
//!
//! ```text
//! HalfKAv2_hm[22528] + FullThreats[59808] + PawnPairs[4560] -> 32x2 -> 1
//! knight in front of the bishop        +100 for White
//! Nb2: the bishop sees the rook        -125 for Black
//! Ke7: it does not mind                +125 for White
//! taken back, Nf4: two see it          -150 for Black
//! pawns side by side                   +212 for White
//! the same on one file                 +175 for White
//! Chess768[768] + Threats[8512](P: NBRQ, N: RQ, B: RQ) -> 32x2 -> 1
//! ```

use std::ops::Range;

use cozy_chess::{Board, Color, Move};
use nnue::cozy_chess::change_of;
use nnue::spec::ThreatPairs;
use nnue::{AccumulatorStack, Model, Network, Parameters, nnue};

nnue! {
    /// Material, attacks on greater pieces, and pawns beside each other or on one file.
    pub struct Threatened = HalfKAv2_hm[22528] as i16 + FullThreats[59808] as i8 + PawnPairs[4560] as i8 -> 32x2 -> 1;

    /// Pairs of your choice: only attacks on greater pieces have rows. Not used below.
    pub struct Own = Chess768[..] + Threats[..](P: NBRQ, N: RQ, B: RQ) -> 32x2 -> 1;
}

/// The values of the pieces, pawn to king, in pawns.
const WORTH: [i16; 6] = [1, 3, 3, 5, 9, 0];

/// The pairs of `FullThreats[59808]`.
const PAIRS: ThreatPairs = ThreatPairs::SFNN_V16;

/// The rows for attacks of one kind of piece on another; each is (0 own or 1 enemy, kind). `None`: the set leaves them out.
fn rows(attacker: (usize, usize), attacked: (usize, usize)) -> Option<Range<usize>> {
    let (slots, total) = (PAIRS.slots(attacker.1), PAIRS.total(attacker.1));
    let slot = PAIRS.slot(attacker.1, attacked.1)?;
    // Own attackers first, pawn to king; for each, attacked own pieces first.
    let all = (0..2).flat_map(|side| (0..6).map(move |kind| (side, kind)));
    let before = all.take_while(|&other| other != attacker);
    let first: usize = before
        .map(|(_, kind)| 2 * PAIRS.slots(kind) * PAIRS.total(kind))
        .sum();
    let start = first + (attacked.0 * slots + slot) * total;
    Some(start..start + total)
}

/// 16 neurons count for this side and 16 for the other one. What is worth a quarter of a pawn counts in four of them.
fn by_hand() -> Network<Threatened> {
    let mut params = ThreatenedParams::zeroed();
    for (row, weights) in params.ft.weight.iter_mut().enumerate() {
        let plane = row / 64 % 11;
        weights[plane % 2 * 16..][..16].fill(WORTH[plane / 2]);
    }
    // The rows of the sets of pairs follow each other.
    let (threats, pawn_pairs) = params.ft.pair_weight.split_at_mut(PAIRS.rows());
    for side in 0..2 {
        for (attacker, attacked) in
            (0..6).flat_map(|attacker| (0..6).map(move |attacked| (attacker, attacked)))
        {
            let rows = rows((side, attacker), (1 - side, attacked))
                .filter(|_| WORTH[attacked] > WORTH[attacker]);
            threats[rows.unwrap_or(0..0)]
                .iter_mut()
                .for_each(|weights| weights[16 * side..][..4].fill(1));
        }
        // Own pawns have the numbers 0 to 47 (a2 to h7), enemy pawns 48 to 95.
        for (high, low) in (0..48).flat_map(|high| (0..high).map(move |low| (high, low))) {
            let (from, to) = (48 * side + high, 48 * side + low);
            let weights = &mut pawn_pairs[from * (from - 1) / 2 + to][16 * side..][..16];
            match high - low {
                1 if high % 8 > 0 => weights[..2].fill(1),
                rows if rows % 8 == 0 => weights[..4].fill(-1),
                _ => {}
            }
        }
    }
    params.fc0.weight[0][0][..16].fill(100);
    params.fc0.weight[0][0][16..32].fill(-100);
    Network::from_params(params)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = by_hand();
    let mut stack = AccumulatorStack::new();
    let show = |what: &str, board: &Board, stack: &mut AccumulatorStack<Threatened>| {
        let evaluation = network.evaluate(board, stack);
        assert_eq!(evaluation, network.evaluate_fresh(board));
        let side = if board.side_to_move() == Color::White {
            "White"
        } else {
            "Black"
        };
        println!("{what:<34} {:>+6} for {side}", evaluation.value);
    };
    println!("{}", Threatened::SPEC.notation);

    let root: Board = "4k3/8/6r1/8/8/3N4/8/1B2K3 w - - 0 1".parse()?;
    show("knight in front of the bishop", &root, &mut stack);
    let mut board = root.clone();
    for (text, what) in [
        ("d3b2", "Nb2: the bishop sees the rook"),
        ("e8e7", "Ke7: it does not mind"),
    ] {
        let played: Move = text.parse()?;
        stack.push(change_of(&board, played));
        board.play(played);
        show(what, &board, &mut stack);
    }
    stack.pop();
    stack.pop();
    let played: Move = "d3f4".parse()?;
    stack.push(change_of(&root, played));
    let mut board = root;
    board.play(played);
    show("taken back, Nf4: two see it", &board, &mut stack);

    for (fen, what) in [
        ("4k3/8/8/8/8/8/2PP4/4K3 w - - 0 1", "pawns side by side"),
        ("4k3/8/8/8/8/3P4/3P4/4K3 w - - 0 1", "the same on one file"),
    ] {
        stack.reset();
        show(what, &fen.parse()?, &mut stack);
    }
    println!("{}", Own::SPEC.notation);
    Ok(())
}
