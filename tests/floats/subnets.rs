//! Networks of subnets, as the macro declares them: every level against the reference interpreter, in chess and in a game of the program.

use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::subnets::{Architecture, Move, Network, SubnetsDesc, Workspace};
use nnue::{Color, Level, nnue};
use nnue_spec::subnets::reference::{Listed, active_rows, evaluate};
use nnue_testkit::board::Board;
use nnue_testkit::games::{position, suite_fens};
use nnue_testkit::random::Random;

/// A game of stones on a line of 64 squares.
pub(crate) struct Line;

/// Stones of both sides.
pub(crate) struct Stones([u64; 2]);

impl Inputs for Line {
    type Position = Stones;
    type Change = ();
    type View = ();
    const ROWS: usize = 128;

    fn side_to_move(_: &Stones) -> Color {
        Color::White
    }

    fn view(_: &Stones, _: Color) {}

    fn active(stones: &Stones, side: Color, (): (), rows: &mut Rows) {
        for (first, color) in [(64, side.other()), (0, side)] {
            let of = |square: &u32| stones.0[color.index()] >> square & 1 == 1;
            (0..64)
                .filter(of)
                .for_each(|square| rows.add(first + square));
        }
    }

    fn changed(_: &(), _: Color, (): (), _: &mut ChangedRows) {}
}

nnue! {
    /// From square, to square, and six numbers.
    pub struct FromTo {
        inputs = Chess768[..];
        from = subnets(inputs, 64 x 8: f32);
        to = subnets(inputs, 64 x 8: f32);
        let f = relu(from);
        output policy = dot(f, relu(to)) + terms[6];
        format raw
    }

    /// Whole numbers, two products, mirrored boards, widths that fill no vector.
    pub struct Pieces {
        square = subnets(Chess768[mirrored], 64 x 13: i16 @ 256);
        piece = subnets(Chess768[mirrored], 704x13: i16 @ 256);
        output policy = dot(crelu(square), crelu(piece)) - dot(crelu(square), crelu(piece));
    }

    /// A game of the program.
    pub(crate) struct Stone {
        put = subnets(self::Line[128, active 64], 64 x 4);
        output policy = dot(silu(put), silu(put));
    }
}

/// Moves of random subnets and terms, for the runtime and for the reference.
fn moves<const P: usize>(
    net: &SubnetsDesc<'_>,
    random: &mut Random,
) -> (Vec<Move<P>>, Vec<Listed>) {
    let one = |random: &mut Random| {
        let mut of = |product: usize| {
            net.products[product]
                .groups
                .map(|group| random.below(net.groups[group].count) as u16)
        };
        let subnets: [[u16; 2]; P] = std::array::from_fn(&mut of);
        let terms: Vec<usize> = (0..net.terms.min(2))
            .map(|_| random.below(net.terms))
            .collect();
        let listed = terms
            .iter()
            .fold(Move::of(subnets), |listed, &term| listed.plus(term as u16));
        (
            listed,
            Listed {
                subnets: subnets.iter().map(|pair| pair.map(usize::from)).collect(),
                terms,
            },
        )
    };
    (0..40).map(|_| one(random)).unzip()
}

/// Every level gives the reference interpreter's bits, of a network that was written and read.
fn compare<A: Architecture>(
    mut policy: impl FnMut(&Network<A>, &mut [f32], &mut Workspace),
    expected: impl Fn(&Network<A>) -> Vec<f32>,
) {
    for seed in 0..2 {
        let file = Network::<A>::random(seed).to_bytes();
        let mut network = Network::<A>::from_bytes(&file).expect("it was written so");
        assert_eq!(network.to_bytes(), file);
        let bits = |logits: &[f32]| {
            logits
                .iter()
                .map(|logit| logit.to_bits())
                .collect::<Vec<_>>()
        };
        let expected = bits(&expected(&network));
        let mut workspace = Workspace::new();
        for level in Level::available() {
            network = network.with_level(level);
            let mut logits = vec![0.0; expected.len()];
            policy(&network, &mut logits, &mut workspace);
            assert_eq!(bits(&logits), expected, "{level}");
        }
    }
}

fn compare_chess<A: Architecture<Move = Move<P>>, const P: usize>(seed: u64)
where
    A::Inputs: nnue::subnets::ActiveRows<shakmaty::Chess>,
{
    let mut random = Random::new(seed);
    for fen in suite_fens().iter().step_by(29 * nnue_testkit::sample()) {
        let position = position(fen);
        let board = Board::from_position(&position);
        let board = nnue_spec::reference::Board::new(board.iter(), board.black_to_move());
        let (moves, listed) = moves::<P>(&A::SPEC, &mut random);
        let rows = active_rows(&A::SPEC, &board);
        compare::<A>(
            |network, logits, workspace| network.policy_with(&position, &moves, logits, workspace),
            |network| evaluate(&A::SPEC, network.parameters(), &rows, &listed),
        );
    }
}

#[test]
fn policies_of_chess_equal_the_reference_on_every_level() {
    compare_chess::<FromTo, 1>(1);
    compare_chess::<Pieces, 2>(2);
}

#[test]
fn policies_of_a_game_of_the_program_equal_the_reference() {
    let mut random = Random::new(3);
    let stones = Stones([0x8000_0000_0001_0101, 0x0000_7700_0000_0000]);
    let rows: Vec<usize> = [
        0,
        8,
        16,
        63,
        64 + 40,
        64 + 41,
        64 + 42,
        64 + 44,
        64 + 45,
        64 + 46,
    ]
    .into();
    let (moves, listed) = moves::<1>(&Stone::SPEC, &mut random);
    compare::<Stone>(
        |network, logits, workspace| network.policy_with(&stones, &moves, logits, workspace),
        |network| evaluate(&Stone::SPEC, network.parameters(), &rows, &listed),
    );
}

#[test]
#[should_panic(expected = "a move names subnet 64 of a group of 64")]
fn a_subnet_that_is_not_there_is_refused() {
    FromToNetwork::random(0).policy(
        &position(&suite_fens()[0]),
        &[Move::of([[0, 64]])],
        &mut [0.0],
    );
}

#[test]
fn a_file_is_read_from_disk() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("subnets.bin");
    let file = Network::<Stone>::random(5).to_bytes();
    std::fs::write(&path, &file).expect("a small file");
    assert_eq!(
        StoneNetwork::open(&path).expect("it is right").to_bytes(),
        file
    );
    std::fs::write(&path, [file, vec![0; 9]].concat()).expect("a small file");
    let error = StoneNetwork::open(&path)
        .expect_err("it is longer")
        .to_string();
    assert_eq!(
        error,
        "trailing bytes: the file goes on after the last number, `Stone` has 132096 bytes, without a header"
    );
}
