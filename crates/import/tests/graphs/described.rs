//! Descriptors as declarations: those of Stockfish, of the examples and of the reference of the language compile to the same descriptor again.

use std::path::{Path, PathBuf};

use nnue_codegen::plan_text;
use nnue_spec::plan::Plan;
use nnue_tools::declaration::{Defaults, declaration};

/// A file of the repository.
pub(crate) fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// What stands in the braces of each `nnue! { .. }` of a program, without embedded weights.
pub(crate) fn declared(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let mut found = Vec::new();
    for (at, start) in text.match_indices("nnue! {") {
        let is_code = text[..at]
            .rsplit('\n')
            .next()
            .is_some_and(|line| !line.contains("//") && !line.contains('`'));
        let inside = &text[at + start.len()..];
        let mut depth = 1;
        let end = inside.find(|letter| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth == 0
        });
        if is_code {
            let inside = inside[..end.expect("a brace closes")].lines();
            let lines: Vec<&str> = inside
                .filter(|line| !line.trim_start().starts_with("weights "))
                .collect();
            found.push(lines.join("\n"));
        }
    }
    found
}

/// A plan without the names of its values.
fn nameless(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    plan.name.clear();
    plan.notation.clear();
    plan.buffers
        .iter_mut()
        .for_each(|buffer| buffer.name.clear());
    plan
}

/// Asserts that a plan, written as a declaration with defaults and without, is the same plan.
fn comes_back(plan: &Plan) {
    let tables = plan.tables();
    for defaults in [Defaults::Omitted, Defaults::Written] {
        let text = declaration(&tables.descriptor(), defaults);
        let again = plan_text(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        assert_eq!(nameless(&again[0]), nameless(plan), "{text}");
    }
}

#[test]
fn all_generations_of_stockfish_come_back() {
    let plans = plan_text(&declared(&source("src/stockfish.rs")).concat()).expect("they compile");
    assert_eq!(plans.len(), 19);
    plans.iter().for_each(comes_back);
}

/// Without what tells nothing about the network: embedded weights, and golden values that functions of the program give.
#[test]
fn the_examples_of_the_reference_come_back() {
    let text = std::fs::read_to_string(source("docs/language.md")).expect("the reference is there");
    let mut count = 0;
    for block in text
        .split("\n```rust\n")
        .skip(1)
        .filter_map(|block| block.split("\n```").next())
    {
        let own =
            block.contains(" by ") && (block.contains("rules::") || block.contains("stack_by"));
        let Ok(plans) = plan_text(block) else {
            continue;
        };
        for mut plan in plans.into_iter().filter(|_| !own) {
            if plan.tables().descriptor().has_custom_set() {
                plan.goldens.clear();
            }
            comes_back(&plan);
            count += 1;
        }
    }
    assert!(count > 60, "{count} declarations");
}

#[test]
fn engines_with_arithmetic_come_back() {
    let plans =
        plan_text(&declared(&source("crates/tools/src/search/declared_engines.rs")).concat());
    plans.expect("they compile").iter().for_each(comes_back);
}

#[test]
fn the_text_is_the_one_that_people_write() {
    let written = "\
pub struct Sfnnv16 {
    inputs = HalfKAv2_hm[22528] + FullThreats[59808] + PawnPairs[4560];
    acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
    stacks 8 {
        let h1 = affine(pairwise(acc), 32: i8 @ 128);
        let x2 = sqr_crelu(h1);
        let x3 = crelu(h1);
        let h2 = affine(concat(x2, x3), 32);
        output (affine(concat(x2, x3, sqr_crelu(h2), crelu(h2)), 1) + h1[30] - h1[31]) as i64 * 9600 / 16384;
    }
    value psqt / 16 + positional / 16;
    format stockfish { version: 0x6A448AFA, encoding: leb128 }
}
";
    let plans = plan_text(written).expect("it compiles");
    assert_eq!(
        declaration(&plans[0].tables().descriptor(), Defaults::Omitted),
        written
    );
}

/// Declarations whose layers, activations, pools and parts of values are bound to names in any order, read once, often, or by the output alone.
struct Drawn {
    state: u64,
    lines: Vec<String>,
    /// layers of 16 sums, and values with their lengths
    layers: Vec<String>,
    values: Vec<(String, usize)>,
    unused: Vec<String>,
}

impl Drawn {
    fn declaration(seed: u64) -> String {
        let mut drawn = Self {
            state: seed,
            lines: Vec::new(),
            layers: Vec::new(),
            values: Vec::new(),
            unused: Vec::new(),
        };
        drawn.bind_layer("crelu(acc)");
        for _ in 0..2 + drawn.below(7) {
            match drawn.below(3) {
                0 => {
                    let read = drawn.joined();
                    drawn.bind_layer(&read);
                }
                _ => {
                    let (text, len) = drawn.value(2);
                    let name = format!("v{}", drawn.values.len() + 1);
                    drawn.lines.push(format!("let {name} = {text};"));
                    drawn.unused.push(name.clone());
                    drawn.values.push((name, len));
                }
            }
        }
        let read = drawn.joined();
        let rest: Vec<String> = std::mem::take(&mut drawn.unused);
        let rest = rest.iter().map(|name| {
            if name.starts_with('h') {
                format!("crelu({name})")
            } else {
                name.clone()
            }
        });
        let read: Vec<String> = rest.chain([read]).collect();
        let at = drawn.below(drawn.layers.len());
        let skip = drawn.layers[at].clone();
        let output = match drawn.below(2) {
            0 => format!("affine(concat({}), 1) + {skip}[3]", read.join(", ")),
            _ => format!("affine(concat({}), 1)", read.join(", ")),
        };
        format!(
            "pub struct Drawn {{ acc = accumulate(768, 32) x 2; {} output {output}; }}",
            drawn.lines.join(" ")
        )
    }

    fn below(&mut self, most: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % most
    }

    fn read(&mut self, name: &str) -> String {
        self.unused.retain(|unused| unused != name);
        name.to_owned()
    }

    fn bind_layer(&mut self, read: &str) {
        let name = format!("h{}", self.layers.len() + 1);
        self.lines.push(format!("let {name} = affine({read}, 16);"));
        self.unused.push(name.clone());
        self.layers.push(name);
    }

    /// Two values or more that are not the same.
    fn joined(&mut self) -> String {
        let count = 2 + self.below(2);
        format!(
            "concat({})",
            (0..count)
                .map(|_| self.value(2).0)
                .collect::<Vec<_>>()
                .join(", ")
        )
    }

    /// A value, and its length.
    fn value(&mut self, depth: usize) -> (String, usize) {
        let kind = self.below(if depth > 0 { 7 } else { 2 });
        match kind {
            2 if !self.values.is_empty() => {
                let at = self.below(self.values.len());
                let (name, len) = self.values[at].clone();
                (self.read(&name), len)
            }
            3 | 4 => match self.value(depth - 1) {
                (text, len) if len % 2 == 0 => {
                    let word =
                        ["max_halves", "avg_halves", "max_neighbours", "pairwise"][self.below(4)];
                    (format!("{word}({text})"), len / 2)
                }
                other => other,
            },
            5 => match (self.value(depth - 1), self.value(depth - 1)) {
                ((a, len), (b, other)) if len == other => (format!("max({a}, {b})"), len),
                (one, (_, other)) => {
                    let (text, len) = one;
                    if len > 2 {
                        (format!("{text}[1..{len}]"), len - 1)
                    } else {
                        (text, len.max(other.min(1)))
                    }
                }
            },
            _ => {
                let at = self.below(self.layers.len());
                let layer = self.layers[at].clone();
                let word = ["crelu", "sqr_crelu"][self.below(2)];
                (format!("{word}({})", self.read(&layer)), 16)
            }
        }
    }
}

#[test]
fn values_come_back_in_the_order_in_which_they_are_computed() {
    let mut count = 0;
    for seed in 0..600 {
        let text = Drawn::declaration(seed);
        // What is drawn may be none: a value that nothing reads.
        let Ok(plans) = plan_text(&text) else {
            continue;
        };
        let described = declaration(&plans[0].tables().descriptor(), Defaults::Omitted);
        let again = plan_text(&described)
            .unwrap_or_else(|errors| panic!("{text}\n{described}\n{errors:?}"));
        assert_eq!(
            nameless(&again[0]),
            nameless(&plans[0]),
            "{text}\n{described}"
        );
        count += 1;
    }
    assert!(count > 300, "{count} declarations");
}
