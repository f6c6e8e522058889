//! The declared generations: their hashes are the published ones, and they are listed by their names.

use nnue::stockfish::{ALL, visit};
use nnue::{Architecture, Encoding, stockfish};

#[test]
fn hashes_are_the_published_ones() {
    let published = [
        ("sfnnv1", 0x7AF3_2F16, 0x3E5A_A6EE),
        ("sfnnv2", 0x7AF3_2F20, 0x3C10_3E72),
        ("sfnnv3", 0x7AF3_2F20, 0x1C10_2EEC),
        ("sfnnv4", 0x7AF3_2F20, 0x1C10_2EF2),
        ("sfnnv5", 0x7AF3_2F20, 0x1C10_2EF2),
        ("sfnnv6", 0x7AF3_2F20, 0x1C10_2B72),
        ("sfnnv7", 0x7AF3_2F20, 0x1C10_37F2),
        ("sfnnv8", 0x7AF3_2F20, 0x1C10_3072),
        ("sfnnv9", 0x7AF3_2F20, 0x1C10_20F2),
        ("sfnnv10", 0x7AF3_2F20, 0xEC10_2EF2),
        ("sfnnv11", 0x7AF3_2F20, 0xEC10_2EF2),
        ("sfnnv12", 0x7AF3_2F20, 0xEC10_2EF2),
        ("sfnnv13", 0x7AF3_2F20, 0x0256_ACDF),
        ("sfnnv14", 0x7AF3_2F20, 0x0256_ACDF),
        ("sfnnv14_1", 0x6A44_8AFA, 0x0256_ACDF),
        ("sfnnv15", 0x6A44_8AFA, 0x0256_ACDF),
        ("sfnnv16", 0x6A44_8AFA, 0xA85B_2205),
        ("sfnn_small", 0x7AF3_2F20, 0x1C10_3C92),
        ("sfnn_small_255", 0x7AF3_2F20, 0x1C10_3C92),
    ];
    assert_eq!(published.len(), ALL.len());
    for (name, version, hash) in published {
        let net = ALL
            .iter()
            .find(|(declared, _)| *declared == name)
            .expect(name)
            .1;
        assert_eq!(
            (net.container.version, net.container.network_hash()),
            (version, hash),
            "{name}"
        );
    }
}

#[test]
fn declarations_are_short() {
    let source = include_str!("../../src/stockfish.rs");
    let declarations: Vec<&str> = source.split("    pub struct ").skip(1).collect();
    assert_eq!(declarations.len(), ALL.len());
    for declaration in declarations {
        let end = declaration.find("\n\n").unwrap_or(declaration.len());
        assert!(declaration[..end].lines().count() <= 15, "{declaration}");
    }
}

#[test]
fn encodings_are_those_of_the_time() {
    let raw = ALL
        .iter()
        .filter(|(_, net)| net.container.encoding == Encoding::Raw);
    assert!(
        raw.map(|(name, _)| *name)
            .eq(["sfnnv1", "sfnnv2", "sfnnv3", "sfnnv4", "sfnnv5"])
    );
}

#[test]
fn every_listed_name_can_be_visited() {
    struct Name;
    impl stockfish::Visitor for Name {
        type Output = &'static str;
        fn visit<A: Architecture>(self) -> &'static str {
            A::SPEC.name
        }
    }
    for (name, net) in ALL {
        assert_eq!(visit(name, Name), Some(net.name));
    }
    assert_eq!(visit("sfnnv99", Name), None);
}
