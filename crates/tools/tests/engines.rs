//! Files of engines of 2026 as they are shipped: read by their declarations, written back, cut, and brought into other forms and back.
//! They are in the folder `NNUE_ENGINE_NETS`.

use std::fs;

use nnue_codegen::described_text;
use nnue_format::{Header, LoadError, Tensors, write};
use nnue_spec::{NetDesc, TensorDesc, TensorRole};
use nnue_testkit::engines;
use nnue_testkit::random::Random;
use nnue_tools::compression::{Bounds, Decompressed, Method, compress};
use nnue_tools::convert::{Source, convert};
use nnue_tools::declaration::with_format;

/// The declarations of most engines.
const NETWORKS: &str = include_str!("../src/search/declared_engines.rs");

/// One of a set of the program.
const CRAZYHOUSE: &str = include_str!("../src/search/declared_variants.rs");

/// One of a set of the program, with rows of two types.
const HALOGEN: &str = include_str!("../src/search/declared_halogen.rs");

/// Networks of shogi and xiangqi.
const CONTAINERS: &str = include_str!("../src/search/declared_containers.rs");

/// A network as its engine ships it.
struct Shipped {
    net: &'static NetDesc<'static>,
    bytes: Vec<u8>,
}

impl Shipped {
    fn new(name: &str) -> Option<Self> {
        let bytes = engines::file(&name.to_lowercase())?;
        Some(Self {
            net: declared(NETWORKS, name),
            bytes,
        })
    }

    /// A network whose published file is compressed.
    fn compressed(name: &str, file: &str) -> Option<Self> {
        let bytes = fs::read(engines::folder()?.join(file)).expect("the network can be read");
        Some(Self {
            net: declared(NETWORKS, name),
            bytes,
        })
    }
}

/// The network `name` of a text.
fn declared(text: &str, name: &str) -> &'static NetDesc<'static> {
    let nets = described_text(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let found = nets.into_iter().find(|net| net.name == name);
    found.unwrap_or_else(|| panic!("`{name}` is declared"))
}

/// Reads a file as the commands do.
fn read(net: &NetDesc<'_>, bytes: &[u8]) -> Result<(Header, Tensors), LoadError> {
    let file = Decompressed::open(bytes, Bounds::of(net));
    Tensors::read(net, file.map_err(|error| LoadError::io(0, error))?)
}

fn written(net: &NetDesc<'_>, header: &Header, tensors: &Tensors) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(net, header, &tensors.refs(), &mut bytes).expect("a vector takes everything");
    bytes
}

fn assert_equal(found: &[u8], expected: &[u8], what: &str) {
    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
    assert_eq!(differs, None, "{what}: the first byte that differs");
    assert_eq!(found.len(), expected.len(), "{what}");
}

/// Cuts a file at each byte of its first kilobyte and at 200 other places.
fn assert_cuts_are_refused(Shipped { net, bytes }: &Shipped) {
    let mut random = Random::new(33);
    let places = (0..1024).chain((0..200).map(|_| random.next() as usize % bytes.len()));
    for place in places {
        let Err(error) = read(net, &bytes[..place]) else {
            panic!("{}: cut at {place}, it is read", net.name);
        };
        let line = error.to_string();
        let is_clear = line.lines().count() == 1 && (20..500).contains(&line.len());
        assert!(is_clear, "{}: cut at {place}: {line}", net.name);
        let is_said = says_the_length(&line, place);
        assert!(is_said, "{}: cut at {place}: {line}", net.name);
    }
}

/// Whether an error says how much of a file is there: all bytes, those of a part, or that the compression is cut.
fn says_the_length(line: &str, length: usize) -> bool {
    let empty = ["zero length", "the file is empty"];
    let is_empty = length == 0 && empty.iter().any(|words| line.contains(words));
    let is_of_part = line.contains("bytes from offset") && line.contains("of them");
    let is_of_file = line.contains(&length.to_string());
    is_empty || is_of_part || is_of_file || line.contains("compression is damaged")
}

/// The bytes of weights that no output uses, which any header-less form keeps.
fn unused(net: &NetDesc<'_>) -> usize {
    let of_tensor = |desc: &TensorDesc<'_>| {
        let TensorRole::LayerWeight(layer) = desc.role else {
            return 0;
        };
        let layer = net.layers[layer];
        let unread = (0..layer.outputs).map(|output| layer.unread(output).count());
        unread.sum::<usize>() * desc.copies * desc.element.bytes()
    };
    net.tensors.iter().map(of_tensor).sum()
}

/// The forms of any network; `kept` bytes belong to no tensor.
fn forms(kept: usize) -> [String; 4] {
    [
        format!("raw {{ skip: {kept} }}"),
        format!("raw {{ skip: {kept}, padding: any, ft_weight: [output][input] }}"),
        format!("raw {{ skip: {kept}, encoding: leb128, padding: none }}"),
        "stockfish { encoding: leb128 }".to_owned(),
    ]
}

/// The container has no layers that read integers of 32 bits.
const WIDE: &str = "the Stockfish container has no layers that read 32-bit integers";

/// The container has weights of 8 bits of sets of pairs only.
const BYTES: &str = "the Stockfish container has weights of `Xiangqi` of 16 bits, not i8";

/// The networks that the container does not have, and why.
const REFUSED: [(&str, &str); 4] = [
    ("Berserk", WIDE),
    ("Hobbes", WIDE),
    ("Stormphrax", WIDE),
    ("Pikafish", BYTES),
];

/// The network in the form `format`; `None` if the compiler says why it has no such form.
fn in_form(net: &NetDesc<'_>, format: &str) -> Option<&'static NetDesc<'static>> {
    let text = with_format(net, format);
    let refused = REFUSED.iter().find(|(name, _)| *name == net.name);
    let Some((_, reason)) = refused.filter(|_| format.starts_with("stockfish")) else {
        return Some(declared(&text, net.name));
    };
    let errors = described_text(&text).expect_err(reason);
    assert!(errors[0].message.starts_with(reason), "{errors:?}");
    None
}

/// Brings a network into every form and back.
fn assert_forms_come_back(Shipped { net, bytes }: &Shipped) {
    let (original, tensors) = read(net, bytes).expect("it was read before");
    let refs = tensors.refs();
    let source = Source {
        net,
        header: &original,
        tensors: &refs,
    };
    for form in forms(original.description.len() - unused(net)) {
        let what = format!("{} as `{form}`", net.name);
        let Some(to) = in_form(net, &form) else {
            continue;
        };
        let converted = convert(source, to);
        let (header, tensors) = converted.unwrap_or_else(|error| panic!("{what}: {error}"));
        let file = written(to, &header, &tensors);
        let (header, tensors) = read(to, &file).unwrap_or_else(|error| panic!("{what}: {error}"));
        let refs = tensors.refs();
        let other = Source {
            net: to,
            header: &header,
            tensors: &refs,
        };
        let (mut header, tensors) = convert(other, net).expect("it has this form");
        // The padding is a choice of the file that a form may not have.
        header.padding = original.padding;
        assert_equal(&written(net, &header, &tensors), bytes, &what);
    }
    for method in [Method::Gzip, Method::Zstd] {
        let what = format!("{} in {method}", net.name);
        let packed = compress(method, bytes).expect("it is compressed");
        let (header, tensors) =
            read(net, &packed).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_equal(&written(net, &header, &tensors), bytes, &what);
    }
}

/// All that is asked of a file.
fn assert_is_handled(name: &str) {
    let Some(shipped) = Shipped::new(name) else {
        return;
    };
    assert_shipped_is_handled(&shipped);
}

fn assert_shipped_is_handled(shipped: &Shipped) {
    let Shipped { net, bytes } = shipped;
    let (header, tensors) =
        read(net, bytes).unwrap_or_else(|error| panic!("{}: {error}", net.name));
    assert_equal(&written(net, &header, &tensors), bytes, net.name);
    assert_cuts_are_refused(shipped);
    assert_forms_come_back(shipped);
}

#[test]
fn berserk() {
    assert_is_handled("Berserk");
}

#[test]
fn caissa() {
    assert_is_handled("Caissa");
}

#[test]
fn hobbes() {
    assert_is_handled("Hobbes");
}

#[test]
fn obsidian() {
    assert_is_handled("Obsidian");
}

#[test]
fn plentychess() {
    assert_is_handled("PlentyChess");
}

#[test]
fn reckless() {
    assert_is_handled("Reckless");
}

#[test]
fn stormphrax() {
    assert_is_handled("Stormphrax");
}

#[test]
fn viridithas() {
    assert_is_handled("Viridithas");
}

/// All that is asked of the file `name`, whose declaration `network` stands in `text`.
fn assert_own_set_is_handled(text: &str, network: &str, name: &str) {
    let Some(bytes) = engines::file(name) else {
        return;
    };
    let net = declared(text, network);
    assert_shipped_is_handled(&Shipped { net, bytes });
}

#[test]
fn crazyhouse() {
    assert_own_set_is_handled(CRAZYHOUSE, "Crazyhouse", "fairy-crazyhouse");
}

#[test]
fn halogen() {
    assert_own_set_is_handled(HALOGEN, "Halogen", "halogen");
}

#[test]
fn pikafish() {
    assert_own_set_is_handled(CONTAINERS, "Pikafish", "pikafish");
}

#[test]
fn yaneuraou() {
    assert_own_set_is_handled(CONTAINERS, "YaneuraOuByKings", "yaneuraou-a");
    assert_own_set_is_handled(CONTAINERS, "YaneuraOuByProgress", "yaneuraou-b");
    assert_own_set_is_handled(CONTAINERS, "YaneuraOuByHands", "yaneuraou-c");
}

/// The header of Stormphrax says by a flag that zstd follows it; all of Viridithas's file is compressed. They are cut where they are compressed.
#[test]
fn compressed_files() {
    for (name, file) in [
        ("Stormphrax", "stormphrax.zst.nnue"),
        ("Viridithas", "viridithas.bin"),
    ] {
        let Some(shipped) = Shipped::compressed(name, file) else {
            return;
        };
        let (header, tensors) = read(shipped.net, &shipped.bytes).expect("a network");
        let plain = written(shipped.net, &header, &tensors);
        let (_, again) = read(shipped.net, &plain).expect("a network");
        assert_eq!(tensors, again, "{name}");
        assert_cuts_are_refused(&shipped);
    }
}
