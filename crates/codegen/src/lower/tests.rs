//! A chain is exactly the graph that it abbreviates: the same model except for locations, and the same plan.

use nnue_spec::check::check;
use nnue_spec::diagnostic::Sink;
use nnue_spec::model::NetSpec;
use nnue_spec::plan::{Plan, plan};

use crate::span_table::SpanTable;
use crate::syntax::parse_input;

/// Chains, and the graphs that they abbreviate.
const PAIRS: [(&str, &str); 9] = [
    (
        "pub struct N = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1 >;",
        "pub struct N {
            acc = accumulate(HalfKAv2_hm[..], 1024) x 2;
            let x = crelu(acc);
            let h1 = affine(x, 16);
            let a1 = crelu(h1);
            let h2 = affine(a1, 32);
            let a2 = crelu(h2);
            output affine(a2, 1);
        }",
    ),
    (
        "struct N = HalfKAv2_hm[22528] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8;",
        "struct N {
            inputs = HalfKAv2_hm[22528] as i16;
            acc = accumulate(inputs, 384 @ 127) x 2;
            x = pairwise(acc);
            stacks 4 by (piece_count - 1) / 8 {
                h1 = affine(x, 24);
                a1 = crelu(h1);
                h2 = affine(a1, 40: i8 @ 64);
                a2 = crelu(h2);
                output affine(a2, 1);
            }
        }",
    ),
    (
        "struct N = (Chess768[..] -> 256)x2 -> 32 -> 1;",
        "struct N {
            output affine(a1, 1);
            let x = crelu(acc);
            let h1 = affine(x, 32);
            let a1 = crelu(h1);
            acc = accumulate(Chess768, 256) x 2;
        }",
    ),
    (
        "struct N = 768 -> 64 -> 1;",
        "struct N { acc = accumulate(768, 64); x = crelu(acc); output affine(x, 1); }",
    ),
    (
        "struct N = (768 -> 1536 @ 126)x2 -> 1x8;",
        "struct N {
            acc = accumulate(768, 1536 @ 126) x 2;
            x = crelu(acc);
            stacks 8 { output affine(x, 1); }
        }",
    ),
    (
        "struct N = HalfKP -> 256x2 @ 181 sqr_crelu >> 8, psqt 8 -> (32: i8 @ 128 sqr_crelu >> 20 -> 1 @ 32)x8;",
        "struct N {
            acc = accumulate(HalfKP[..], 256 @ 181) x 2, psqt 8;
            x = sqr_crelu(acc) >> 8;
            stacks 8 {
                h1 = affine(x, 32 @ 128);
                a1 = sqr_crelu(h1) >> 20;
                output affine(a1, 1: i8 @ 32);
            }
        }",
    ),
    (
        "struct N = HalfKP[..] -> 256 x 2 -> 32 -> 32 -> 1 {
            value positional / 16;
            format stockfish { version: 0x7AF32F16 }
        }",
        "struct N {
            format stockfish { version: 0x7AF32F16, encoding: raw };
            acc = accumulate(HalfKP, 256) x 2;
            x = crelu(acc);
            h1 = affine(x, 32);
            a1 = crelu(h1);
            h2 = affine(a1, 32);
            a2 = crelu(h2);
            output affine(a2, 1);
            value positional / 16;
        }",
    ),
    (
        "struct N = 768 -> 64x2 @ 255 self::lifted max 100 -> 16: i8 @ 32 step max 90 -> 8 ::games::step -> 1;",
        "struct N {
            acc = accumulate(768, 64 @ 255) x 2;
            x = self::lifted(acc) max 100;
            h1 = affine(x, 16 @ 32);
            a1 = step(h1) max 90;
            h2 = affine(a1, 8);
            a2 = ::games::step(h2);
            output affine(a2, 1);
        }",
    ),
    (
        "struct N = HalfKAv2 -> 512x2, psqt 8 -> (16 -> 32 -> 1)x8 { weights \"n.nnue\"; };",
        "struct N {
            weights \"n.nnue\";
            acc = accumulate(HalfKAv2, 512) x 2, psqt 8;
            stacks 8 {
                let x = crelu(acc);
                let h1 = affine(x, 16);
                let a1 = crelu(h1);
                let h2 = affine(a1, 32);
                let a2 = crelu(h2);
                output affine(a2, 1);
            }
        }",
    ),
];

fn model(source: &str) -> NetSpec {
    let input = parse_input(source.parse().expect("tokens"));
    let [declaration] = input.declarations.as_slice() else {
        panic!("one declaration in {source}")
    };
    assert!(
        declaration.wrongs.is_empty() && input.wrongs.is_empty(),
        "{source}: {:?}",
        declaration.wrongs
    );
    let mut sink = Sink::new();
    let spec = super::lower(declaration, true, &mut SpanTable::default(), &mut sink);
    assert_eq!(sink.into_diagnostics(), [], "{source}");
    spec.expect("no errors, so a model")
}

fn planned(spec: &NetSpec) -> Plan {
    let mut sink = Sink::new();
    let graph = check(spec, &mut sink);
    assert_eq!(sink.into_diagnostics(), []);
    plan(&graph.expect("no errors, so a graph"))
}

/// The model as text, without locations.
fn without_places(spec: &NetSpec) -> String {
    let text = format!("{spec:#?}");
    let mut lines = text.lines();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        if line.trim_end().ends_with("Loc(") {
            lines.next();
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn a_chain_is_the_graph_that_it_abbreviates() {
    for (chain, graph) in PAIRS {
        let [chain, graph] = [chain, graph].map(model);
        let (mut of_chain, mut of_graph) = (chain.clone(), graph.clone());
        // A default may be written in one form only; the plans below are equal.
        of_chain.format.encoding = None;
        of_graph.format.encoding = None;
        assert_eq!(without_places(&of_chain), without_places(&of_graph));
        assert_eq!(planned(&chain), planned(&graph));
    }
}

#[test]
fn places_are_all_that_is_struck_out() {
    let [one, other] = ["struct N = 768 -> 64 -> 1;", "struct N = 768 -> 32 -> 1;"].map(model);
    assert_ne!(without_places(&one), without_places(&other));
    assert!(!without_places(&one).contains("Loc("));
}
