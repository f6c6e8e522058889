//! Golden values of networks with functions of the user's: every load calls them. The declared values are checked by the interpreter,
//! which is given the functions written in another way.

use nnue::spec::reference::{self, Board, CustomActivation};
use nnue::spec::{Axes, Axis, Fen, NetDesc, Part, RawDesc, Selector, StackDesc};
use nnue::{
    Architecture, Color, Embedded, Header, LoadError, LoadErrorKind, Model, Network, Parameters,
    PieceKind, Position, nnue,
};

use crate::chess::rules;
use crate::games::network;
use crate::readings::readings;

nnue! {
    /// The function chooses the stack.
    pub(crate) struct Queens = (768 -> 32)x2 @ 255 screlu -> 1x4: i16 by rules::by_queens {
        format raw;
        golden "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 7" = -477;
        golden "8/5pk1/3Q2p1/7p/R6P/5PP1/1r6/1K6 b - - 0 40" = -81;
    };

    /// The function is an activation.
    pub(crate) struct Steps = (768 -> 32)x2 -> 16 self::step max 100 -> 1 {
        format raw { padding: none };
        golden "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 7" = -314;
    };

    /// The network of the command, whose declaration gives the start position the same stack.
    pub(crate) struct InProgram = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8
        by self::by_pieces {
        format stockfish { encoding: leb128 };
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 24;
        weights "crates/cli/nets/default.nnue";
    };

    /// The same, from the folder that a variable names, as a file made by a build script: an absolute path.
    pub(crate) struct FromVariable = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8
        by self::by_pieces {
        format stockfish { encoding: leb128 };
        weights concat!(env!("CARGO_MANIFEST_DIR"), "/crates/cli/", "nets/default.nnue");
    };

    /// The same with a relative path that is joined of parts.
    pub(crate) struct FromParts = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8
        by self::by_pieces {
        format stockfish { encoding: leb128 };
        weights concat!("crates/cli/nets/", concat!("default.", "nnue"));
    };
}

fn step(y: i32) -> u8 {
    if y < -700 {
        7
    } else if y < 900 {
        60
    } else {
        200
    }
}

fn by_pieces(position: &impl Position) -> usize {
    (position.occupied().count_ones() as usize - 1) / 4
}

/// The network whose values are declared.
fn right<A: Model>() -> Network<A> {
    network::<A>(91, false)
}

/// The bytes of a network with other axes of one tensor than its declaration has.
fn with_axes<A: Model>(network: &Network<A>, tensor: &str, axes: Axes<'_>) -> Vec<u8> {
    let raw = A::SPEC.raw.expect("it is raw");
    let mut all = raw.axes.to_vec();
    all[A::SPEC
        .tensors
        .iter()
        .position(|desc| desc.name == tensor)
        .expect("a tensor")] = axes;
    let saved = NetDesc {
        raw: Some(RawDesc { axes: &all, ..raw }),
        ..A::SPEC
    };
    nnue_format::to_bytes(
        &saved,
        &Header::new(&saved, []),
        &network.params().tensors(),
    )
    .expect("no description")
}

/// A position, as the interpreter reads it.
fn board(fen: &str) -> Board {
    let fen = Fen::parse(fen).expect("a FEN");
    Board::new(fen.pieces, fen.black_to_move)
}

/// Both ways of reading refuse a file.
#[track_caller]
fn refused<A: Model>(file: &[u8]) -> String {
    let errors: [LoadError; 2] = [Network::<A>::from_bytes(file), Network::<A>::read(file)]
        .map(|read| read.expect_err("a golden value is another one"));
    assert_eq!(errors[0].kind(), LoadErrorKind::Golden);
    let [error, same] = errors.map(|error| error.to_string());
    assert_eq!(error, same);
    error
}

#[test]
fn a_file_with_the_right_weights_loads() {
    let file = right::<Queens>().to_bytes().expect("no description");
    let network = Network::<Queens>::from_bytes(&file).expect("its golden values are right");
    for (golden, stack) in Queens::SPEC.goldens.iter().zip([3, 2]) {
        let value = |stack| {
            let stacks = StackDesc {
                count: 4,
                selector: Selector::Table([stack; 33]),
            };
            let net = NetDesc {
                stacks,
                ..Queens::SPEC
            };
            reference::evaluate(&net, &network.params().tensors(), &board(golden.fen)).value
        };
        assert_eq!(value(stack), golden.value, "{}", golden.fen);
        assert_ne!(
            value(0),
            golden.value,
            "the stack does not matter in {}",
            golden.fen
        );
    }

    let file = right::<Steps>().to_bytes().expect("no description");
    let network = Network::<Steps>::read(&file[..]).expect("its golden value is right");
    let own = CustomActivation::Sums(&|y| match y {
        ..-700 => 7,
        -700..900 => 60,
        _ => 200,
    });
    let golden = Steps::SPEC.goldens[0];
    let (tensors, board) = (network.params().tensors(), board(golden.fen));
    let trace = reference::evaluate_custom(&Steps::SPEC, &tensors, &board, &[("self::step", own)]);
    assert_eq!(trace.value, golden.value, "{}", golden.fen);
}

/// The refusal of other weights, which have the value `found` in the first golden position, names both values.
#[track_caller]
fn is_another<A: Model>(weights: A::Params, found: i32) {
    let error = refused::<A>(
        &Network::<A>::from_params(weights)
            .to_bytes()
            .expect("no description"),
    );
    let (name, golden) = (A::SPEC.name, A::SPEC.goldens[0]);
    let values = format!(
        "`{}` has the value {found} in `{name}`, declared is {}: ",
        golden.fen, golden.value
    );
    for part in [
        &values,
        "the file is another network",
        "a function of the program",
    ] {
        assert!(error.contains(part), "`{part}` is not in: {error}");
    }
}

#[test]
fn a_file_with_another_weight_is_refused() {
    let mut params = right::<Queens>().into_params();
    // times 400 / (255 * 64): a value that is greater by 10, which no rounding explains
    params.fc0.bias[3][0] += 408;
    is_another::<Queens>(params, -467);

    let mut params = right::<Steps>().into_params();
    params.fc1.bias[0][0] -= 1600; // divided by 16
    is_another::<Steps>(params, -414);
}

/// A position as it is written, legal or not.
struct Placed(Fen);

impl Position for Placed {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let is = |&&(black, own, _): &&(bool, usize, usize)| {
            black == (color == Color::Black) && own == kind.index()
        };
        let pieces = self.0.pieces.iter().filter(is);
        pieces.fold(0, |set, &(_, _, square)| set | 1 << square)
    }

    fn side_to_move(&self) -> Color {
        if self.0.black_to_move {
            Color::Black
        } else {
            Color::White
        }
    }
}

/// The advice about a file that is refused.
#[track_caller]
fn told<A: Architecture>(file: &[u8]) -> String {
    refused::<A>(file);
    readings::<A>(file, |network, index| {
        let fen = A::SPEC.goldens[index].fen;
        network
            .evaluate_fresh(&Placed(Fen::parse(fen).expect("a FEN")))
            .value
    })
}

#[test]
fn a_transposed_file_is_told_with_its_axes() {
    use Axis::{Column, Copy, Row};
    let stacks = told::<Queens>(&with_axes(
        &right::<Queens>(),
        "fc0_weight",
        &[Column, Copy, Row].map(Part::whole),
    ));
    assert!(
        stacks.ends_with("it fits with `fc0_weight: [input][stack]` (2 of 2 golden values agree)"),
        "{stacks}"
    );
    let layer = told::<Steps>(&with_axes(
        &right::<Steps>(),
        "fc0_weight",
        &[Copy, Column, Row].map(Part::whole),
    ));
    let one = " (1 of 1 golden value agrees, which may be chance: give more)";
    assert!(
        layer.ends_with(&format!("it fits with `fc0_weight: [input][output]`{one}")),
        "{layer}"
    );
}

/// A file of zeros: what a declaration with `weights` has, without a file in the repository.
impl Embedded for Steps {
    const BYTES: &'static [u8] = &[0; (768 + 1) * 32 * 2 + (64 + 4) * 16 + 16 + 4];
}

#[test]
fn networks_in_the_program_are_compared_when_they_are_asked_for() {
    let network = Network::<InProgram>::embedded();
    assert_eq!(
        network.evaluate_fresh(&shakmaty::Chess::default()).value,
        24
    );
}

#[test]
fn embedded_files_are_found_by_variables_and_by_parts_of_paths() {
    let whole = <InProgram as Embedded>::BYTES;
    assert_eq!(<FromVariable as Embedded>::BYTES, whole);
    assert_eq!(<FromParts as Embedded>::BYTES, whole);
    let network = Network::<FromVariable>::embedded();
    assert_eq!(
        network.evaluate_fresh(&shakmaty::Chess::default()).value,
        24
    );
}

#[test]
#[should_panic(
    expected = "has the value 0 in `Steps`, declared is -314: the file is another network"
)]
fn another_network_in_the_program_is_found_when_it_is_asked_for() {
    Network::<Steps>::embedded();
}
