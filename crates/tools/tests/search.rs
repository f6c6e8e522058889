//! Which declaration reads a file. Files that are given are small and of this program's own making.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use nnue_codegen::{described_text, single_plan, single_subnets};
use nnue_format::{Header, Tensors, randomize, to_bytes};
use nnue_spec::{ElementType, NetDesc};
use nnue_testkit::random::Random;
use nnue_testkit::{bullet, engines};
use nnue_tools::compression::{Method, compress};
use nnue_tools::search::{Found, Search, SearchError, Sizes, Source};

/// Networks with names: those of Stockfish.
static KNOWN: LazyLock<Vec<(&str, &NetDesc<'_>)>> = LazyLock::new(|| {
    let text = include_str!("../../../src/stockfish.rs");
    let nets = described_text(text).expect("they are declared");
    nets.into_iter().map(|net| (net.name, net)).collect()
});

fn search() -> Search<'static> {
    Search {
        name: "Network",
        program: None,
        sizes: Sizes::default(),
        heads: &[],
        known: &KNOWN,
        compile: single_plan,
        compile_subnets: single_subnets,
    }
}

/// A file with these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("a file is written");
    path
}

fn found(name: &str, bytes: &[u8]) -> Found {
    let found = search().file(&file(name, bytes));
    let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
    for guess in &found.guesses {
        let compiles = single_plan(&guess.declaration).is_some();
        assert!(compiles, "{name}: {}", guess.declaration);
    }
    found
}

fn refused(name: &str, bytes: &[u8]) -> String {
    let error = search().file(&file(name, bytes)).expect_err(name);
    let line = error.to_string();
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// Weights that a trainer may leave, as 16-bit integers.
fn weights(count: usize) -> Vec<u8> {
    let mut random = Random::new(7);
    let number = |_| (random.next() % 201) as i16 - 100;
    (0..count).map(number).flat_map(i16::to_le_bytes).collect()
}

/// `(768 -> 32)x2 -> 1`, with a bias of 16 bits.
fn small() -> Vec<u8> {
    weights(768 * 32 + 32 + 64 + 1)
}

fn assert_declares(found: &Found, chain: &str, format: &str) {
    let expected = format!("pub struct Network = {chain} {{\n    format raw {{ {format} }}\n}};\n");
    assert_eq!(found.guesses[0].declaration, expected, "{found}");
    assert_eq!(found.guesses[0].doubt, None, "{found}");
}

#[test]
fn biases_of_either_type_are_found() {
    let chain = "(768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64";
    assert_declares(&found("i16.bin", &small()), chain, "padding: none");
    let wide = [&small()[..], &[0, 0]].concat();
    let format = "padding: none, fc0_bias: i32";
    assert_declares(&found("i32.bin", &wide), chain, format);
}

#[test]
fn one_perspective_and_two_are_told_apart_or_listed() {
    let single = found("single.bin", &weights(768 * 64 + 64 + 64 + 1));
    let chain = "768 -> 64 @ 255 screlu -> 1: i16 @ 64";
    assert_declares(&single, chain, "padding: none");
    let shapes: Vec<_> = single.guesses.iter().map(|guess| &guess.shape).collect();
    assert!(shapes[0].ends_with("(single perspective)"), "{shapes:?}");
    let both = found("both.bin", &weights(768 * 64 + 64 + 2 * 64 + 1));
    let chain = "(768 -> 64)x2 @ 255 screlu -> 1: i16 @ 64";
    assert_declares(&both, chain, "padding: none");
}

/// What the file does not tell is said with what would tell: scales, activations, order of rows.
#[test]
fn what_a_file_does_not_tell_is_said() {
    let found = found("unknown.bin", &small());
    let unknown = found.guesses[0].unknown.join("\n");
    for part in [
        "`@ 255` and `@ 64`",
        "`.quantise::<i16>(QA)`",
        "`crelu` has the same size",
        "`value output * 400`",
        "`rows: enemy_first`",
        "golden values of the engine tell",
    ] {
        assert!(unknown.contains(part), "{part}: {unknown}");
    }
    assert_eq!(found.guesses[0].scale, Some(400.0));
    let text = found.to_string();
    assert_eq!(text.matches("// guessed: ").count(), 4, "{text}");
    assert!(text.ends_with(&found.guesses[0].declaration), "{text}");
}

#[test]
fn the_program_of_a_trainer_tells_more() {
    let program = "const QA: i16 = 181; fn main() { let trainer = ValueTrainerBuilder::default().dual_perspective().inputs(Chess768)
        .save_format(&[SavedFormat::id(\"l0w\").quantise::<i16>(QA), SavedFormat::id(\"l0b\").quantise::<i16>(QA),
        SavedFormat::id(\"l1w\").quantise::<i16>(64), SavedFormat::id(\"l1b\").quantise::<i16>(QA * 64)])
        .build(|builder, stm, ntm| { let l0 = builder.new_affine(\"l0\", 768, 32); let l1 = builder.new_affine(\"l1\", 64, 1);
        l1.forward(l0.forward(stm).crelu().concat(l0.forward(ntm).crelu())) }); let schedule = S { eval_scale: 362.5 }; }";
    let search = Search {
        name: "Mine",
        program: Some(Source {
            name: "main.rs",
            text: program,
        }),
        ..search()
    };
    let found = search.file(&file("told.bin", &small())).expect("it fits");
    let guess = &found.guesses[0];
    let chain = "pub struct Mine = (768 -> 32)x2 @ 181 crelu -> 1: i16 @ 64 {";
    assert!(guess.declaration.starts_with(chain), "{found}");
    assert_eq!((guess.scale, guess.unknown.len()), (Some(362.5), 0));
}

#[test]
fn compressed_files_are_what_is_in_them() {
    let plain = found("plain.bin", &small());
    for method in [Method::Gzip, Method::Zstd] {
        let packed = compress(method, &small()).expect("it is compressed");
        assert_eq!(found("packed.bin", &packed), plain);
    }
    let cut = &compress(Method::Gzip, &small()).expect("it is compressed")[..900];
    assert!(refused("cut.bin", cut).contains("the gzip compression is damaged"));
}

#[test]
fn numbers_that_no_trainer_leaves_are_doubted() {
    let mut random = Random::new(5);
    let noise: Vec<u8> = (0..small().len()).map(|_| random.next() as u8).collect();
    let found = found("noise.bin", &noise);
    let doubt = found.guesses[0].doubt.as_deref().expect("a doubt");
    assert!(doubt.contains("that would be `ft_weight`"), "{doubt}");
    assert!(found.to_string().starts_with("// doubtful: "), "{found}");
}

/// The first word of a header would be weights that nobody trains.
#[test]
fn headers_are_doubted_where_weights_are_declared() {
    let with_header = [b"NETS", &small()[..small().len() - 4]].concat();
    let found = found("header.bin", &with_header);
    let doubt = found.guesses[0].doubt.as_deref().expect("a doubt");
    assert!(doubt.contains("begins with the word `NETS`"), "{doubt}");
}

/// The header of a container with this version and description, without tensors.
fn container(version: u32, description: &[u8]) -> Vec<u8> {
    let sfnnv1 = KNOWN.iter().find(|(name, _)| *name == "Sfnnv1");
    let container = sfnnv1.expect("it is known").1.container;
    let mut bytes = Vec::new();
    let words = [version, container.network_hash(), description.len() as u32];
    words
        .iter()
        .for_each(|word| bytes.extend(word.to_le_bytes()));
    bytes.extend(description);
    bytes.extend(container.transformer_hash.to_le_bytes());
    bytes
}

/// Networks of shogi have the hashes of networks of chess; those of xiangqi have a version of their own.
#[test]
fn containers_of_other_games_are_doubted_or_refused() {
    let shogi = b"Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32]";
    let found = found("shogi.nnue", &container(0x7AF3_2F16, shogi));
    let doubt = found.guesses[0].doubt.as_deref().expect("a doubt");
    for part in [
        "125388 inputs",
        "HalfKP of shogi",
        "declare a set of your own",
    ] {
        assert!(doubt.contains(part), "{doubt}");
    }
    let mut xiangqi = container(0x7AF3_2F20, b"HalfKAv2(xiangqi)");
    xiangqi[4] ^= 1;
    let line = refused("xiangqi.nnue", &xiangqi);
    assert!(
        line.contains("no known declaration has file hash"),
        "{line}"
    );
    assert!(
        line.contains("its header says `HalfKAv2(xiangqi)`"),
        "{line}"
    );
}

#[test]
fn containers_are_declared() {
    let found = found("chess.nnue", &container(0x7AF3_2F16, b""));
    let guess = &found.guesses[0];
    assert_eq!((&*guess.shape, &guess.doubt), ("--arch Sfnnv1", &None));
    assert!(found.is_container, "{found}");
}

#[test]
fn one_tensor_alone_and_two_networks_are_named() {
    let line = refused("tensor.bin", &weights(768 * 512));
    assert!(
        line.contains("768 rows of 512 `i16` have this size"),
        "{line}"
    );
    assert!(line.contains("append the others"), "{line}");
    let search = Search {
        sizes: Sizes {
            width: Some(32),
            king_buckets: Some(1),
            output_buckets: Some(1),
            ..Sizes::default()
        },
        ..search()
    };
    let two = file("two.bin", &[small(), small()].concat());
    let line = search.file(&two).expect_err("two networks").to_string();
    let half = format!(
        "two networks of {} bytes would have this size",
        small().len()
    );
    assert!(line.contains(&half), "{line}");
}

#[test]
fn damaged_and_other_files_are_named() {
    let whole = container(0x7AF3_2F20, b"text");
    let mut reversed = whole.clone();
    let (words, _) = reversed.as_chunks_mut::<4>();
    words.iter_mut().for_each(|word| word.reverse());
    let text = String::from_utf8_lossy(&whole).into_owned();
    let safetensors = [
        &64_u64.to_le_bytes()[..],
        b"{\"a\":{\"dtype\":\"F32\",\"shape\":[1],",
    ]
    .concat();
    for (name, bytes, part) in [
        (
            "reversed.nnue",
            &reversed[..],
            "bytes of its words reversed",
        ),
        ("text.nnue", text.as_bytes(), "read as UTF-8 text"),
        ("empty.nnue", b"", "zero length"),
        (
            "weights.npz",
            b"PK\x03\x04weights",
            "`nnue quantize` the floats of a `.npz`",
        ),
        ("weights.npy", b"\x93NUMPY\x01\x00v", "numpy"),
        ("weights.safetensors", &safetensors, "safetensors"),
        ("weights.json", b"{\"ft.weight\": [[0.5]]}", "JSON"),
        ("model.onnx", b"\x08\x07\x12\x07pytorch", "ONNX"),
    ] {
        let line = refused(name, bytes);
        assert!(line.contains(part), "{name}: {line}");
    }
}

#[test]
fn errors_are_of_their_kind() {
    let missing = search().file(Path::new("no/such/file"));
    assert!(matches!(missing, Err(SearchError::Io(_))), "{missing:?}");
    for name in ["fn", "two words", "_", "A = 768 -> 32x2 -> 1; struct B"] {
        let wrong = Search { name, ..search() }.size(49_348);
        assert!(matches!(wrong, Err(SearchError::Name(_))), "{wrong:?}");
    }
    let sizes = Sizes {
        hidden: &[16, 32],
        ..Sizes::default()
    };
    let wrong = Search { sizes, ..search() }.size(49_348);
    let is_hidden = matches!(
        &wrong,
        Err(SearchError::Hidden {
            given: 2,
            saved: 0,
            ..
        })
    );
    assert!(is_hidden, "{wrong:?}");
    let program = Some(Source {
        name: "empty.rs",
        text: "let x = 5;",
    });
    let wrong = Search {
        program,
        ..search()
    }
    .size(49_348);
    assert!(matches!(wrong, Err(SearchError::Program(_))), "{wrong:?}");
    assert!(matches!(search().size(12_345), Err(SearchError::Size(_))));
}

/// Engines of 2026: their declarations come first, without a doubt.
#[test]
fn files_of_engines_have_their_declarations() {
    let text = include_str!("../src/search/declared_engines.rs");
    let engines_of_text = described_text(text).expect("declarations");
    assert_eq!(engines_of_text.len(), 8);
    let scales = [
        ("Hobbes", 400.0),
        ("Stormphrax", 400.0),
        ("Obsidian", 400.0),
        ("Reckless", 380.0),
        ("PlentyChess", 287.0),
        ("Viridithas", 240.0),
    ];
    for net in engines_of_text {
        let Some(bytes) = engines::file(&net.name.to_lowercase()) else {
            return;
        };
        let found = found("engine.bin", &bytes);
        let guess = &found.guesses[0];
        assert_eq!(guess.doubt, None, "{}: {found}", net.name);
        // Values of Berserk and Caissa are no multiples of the output.
        let scale = scales.iter().find(|(name, _)| *name == net.name);
        assert_eq!(guess.scale, scale.map(|(_, scale)| *scale), "{}", net.name);
        let said = scale.map(|(_, scale)| format!("`value output * {scale}`, the scale of"));
        assert_eq!(guess.unknown.len(), 1 + usize::from(said.is_some()));
        assert!(
            said.is_none_or(|said| guess.unknown[1].starts_with(&said)),
            "{found}"
        );
        let plan = single_plan(&guess.declaration).expect("it compiles");
        let tables = plan.tables();
        let guessed = tables.descriptor();
        let text = |net: &NetDesc<'_>| {
            nnue_tools::declaration::with_format(net, "raw").replacen(net.name, "N", 1)
        };
        assert_eq!(text(&guessed), text(net));
        assert_eq!(guessed.raw, net.raw, "{}", net.name);
        let others = &found.guesses[1..];
        assert!(others.iter().all(|guess| guess.doubt.is_some()), "{found}");
    }
    // zstd begins after its header
    let folder = engines::folder().expect("it was there before");
    let found = search().file(&folder.join("stormphrax.zst.nnue"));
    let found = found.expect("a network of Stormphrax");
    assert_eq!(found.guesses[0].shape, "Stormphrax with 64 neurons");
}

/// The rows are those of a set of the program, which nothing in the file says.
#[test]
fn files_over_sets_of_a_program_have_their_declarations() {
    let engines_of_programs = [
        ("halogen", "Halogen with 64 neurons", "HalogenInputs[86000]"),
        (
            "pikafish",
            "Pikafish with 64 neurons",
            "Xiangqi[62083, active 160]",
        ),
        (
            "yaneuraou-a",
            "YaneuraOuByKings with 64 neurons",
            "HalfKaHm2[73305, active 40]",
        ),
        (
            "yaneuraou-b",
            "YaneuraOuByProgress with 256 neurons",
            "KingAndAll[1791, active 42]",
        ),
        (
            "yaneuraou-c",
            "YaneuraOuByHands with 64 neurons",
            "KingAndAll[1791, active 42]",
        ),
    ];
    for (name, shape, set) in engines_of_programs {
        let Some(bytes) = engines::file(name) else {
            return;
        };
        let found = found("program.bin", &bytes);
        let guess = &found.guesses[0];
        assert_eq!(
            (guess.shape.as_str(), &guess.doubt),
            (shape, &None),
            "{found}"
        );
        assert!(
            guess
                .declaration
                .contains(&format!("accumulate(self::{set}")),
            "{found}"
        );
        let said = guess.unknown.last().expect("the set is a guess");
        assert!(said.contains("a set of your program"), "{said}");
        let text = found.to_string();
        let next = "// Next: evaluate positions by a program that has what `self::` names";
        assert!(
            text.contains(next) && !text.contains("nnue golden"),
            "{text}"
        );
        let others = &found.guesses[1..];
        assert!(others.iter().all(|guess| guess.doubt.is_some()), "{found}");
    }
}

/// A network of Fairy-Stockfish over so many rows, with a small accumulator.
fn variant(rows: usize) -> Vec<u8> {
    let text = format!(
        "pub struct Variant = self::Rows[{rows}] -> 32x2, psqt 8 -> (16 -> 32 -> 1)x8 by self::stack {{
            format stockfish {{ features: 0x5F234CB8 }}
        }};"
    );
    let nets = described_text(&text).expect("a declaration");
    let mut tensors = Tensors::zeroed(nets[0]);
    randomize(nets[0], &mut tensors.muts(), 33);
    to_bytes(nets[0], &Header::new(nets[0], "variant"), &tensors.refs()).expect("it fits")
}

/// No hash has the number of rows, the length of the file does.
#[test]
fn variants_are_told_by_their_rows() {
    let places = "8 x 8 squares with 6 kinds of pieces, pieces in hand, the king on 64 squares";
    let palace = "9 x 10 squares with 7 kinds of pieces, the king on 9 squares";
    for (rows, set, said) in [
        (55_296, "self::HalfKaPockets[55296, active 64]", places),
        (10_530, "self::HalfKaPockets[10530, active 90]", palace),
        (
            1_000_003,
            "self::HalfKaPockets[1000003]",
            "that of the file",
        ),
    ] {
        let found = found("variant.nnue", &variant(rows));
        let guess = &found.guesses[0];
        let chain = format!(
            "pub struct Network = {set} -> 32x2, psqt 8\n    -> (16 -> 32 -> 1)x8 by self::by_pieces {{\n"
        );
        assert!(guess.declaration.starts_with(&chain), "{found}");
        assert_eq!((&guess.doubt, found.guesses.len()), (&None, 1), "{found}");
        assert!(guess.unknown[1].contains(said), "{found}");
    }
    let chess = found("variant.nnue", &variant(45_056));
    let chain = "pub struct Network = HalfKAv2[45056] -> 32x2, psqt 8\n    -> (16 -> 32 -> 1)x8 {\n    format stockfish\n};\n";
    assert_eq!(chess.guesses[0].declaration, chain, "{chess}");
    let whole = variant(55_296);
    for length in [0, 11, 40, 5000, whole.len() - 1] {
        refused("cut.nnue", &whole[..length]);
    }
}

/// A policy of subnets, whose numbers are random.
fn policy(text: &str) -> Vec<u8> {
    let graph = single_subnets(text).expect("a declaration");
    let (groups, mut random) = (graph.groups(), Random::new(4));
    let net = graph.desc(&groups);
    let mut number = || (random.next() % 101) as i16 - 50;
    let numbers = (0..net.numbers()).map(|_| number());
    let terms = (0..net.terms).flat_map(|_| 0.5_f32.to_le_bytes());
    let mut bytes: Vec<u8> = match net.element {
        ElementType::F32 => numbers
            .flat_map(|number| (f32::from(number) / 64.0).to_le_bytes())
            .collect(),
        _ => numbers.flat_map(i16::to_le_bytes).collect(),
    };
    bytes.extend(terms);
    bytes
}

#[test]
fn policies_of_subnets_are_found_at_any_number_of_neurons() {
    let declared = include_str!("../src/search/declared_policies.rs");
    for (engine, neurons) in [("Monty", 4), ("Princhess", 3)] {
        let text = declared.split("nnue!").find(|text| text.contains(engine));
        let (_, text) = text
            .and_then(|text| text.split_once("pub struct "))
            .expect("declared");
        let text = text.replace(" x 8:", &format!(" x {neurons}:"));
        let (text, _) = text.rsplit_once('}').expect("the end of the macro");
        let text = format!("pub struct {}", text.replacen(engine, "Network", 1));
        let found = search().file(&file("policy.bin", &policy(&text)));
        let found = found.unwrap_or_else(|error| panic!("{engine}: {error}"));
        let guess = &found.guesses[0];
        let subnets = (single_subnets(&guess.declaration), single_subnets(&text));
        assert!(subnets.0.is_some() && subnets.0 == subnets.1, "{found}");
        assert_eq!(
            guess.shape,
            format!("{engine} with {neurons} neurons a subnet")
        );
        assert_eq!((&guess.doubt, guess.scale), (&None, None));
        assert!(
            found.to_string().contains("compare their logits"),
            "{found}"
        );
        assert!(!found.to_string().contains("--save-format"), "{found}");
    }
    let noise: Vec<u8> = (0..policy_of_monty(8))
        .map(|place| (place * 7 % 251) as u8)
        .collect();
    let found = search()
        .file(&file("noise.bin", &noise))
        .expect("a size that fits");
    assert!(found.guesses[0].doubt.is_some(), "{found}");
}

/// Bytes of a policy of Monty.
const fn policy_of_monty(neurons: usize) -> usize {
    4 * (128 * 769 * neurons + 6)
}

/// Layers of several types, without the program of the trainer.
#[test]
fn layers_of_several_types_are_found() {
    let Some(bytes) = bullet::network("alexandria-768hm-1536pw-16-32-ob8.bin") else {
        return;
    };
    let found = found("layers.bin", &bytes);
    let chain = "(768 -> 1536)x2 @ 255 pairwise -> (16: i8 @ 64 screlu -> 32: f32 screlu -> 1: f32)x8 by material_count";
    let format = "padding: none, fc0_weight: [input][stack][output], fc1_weight: [input][stack][output], fc2_weight: [input][stack]";
    assert_declares(&found, chain, format);
}
