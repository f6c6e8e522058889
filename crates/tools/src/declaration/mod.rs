//! Writes a descriptor as a declaration, in the graph form, which covers every network.
//!
//! ```text
//!   pub struct Name {
//!       inputs, acc = accumulate(..);                source
//!       stacks 8 { let h1 = ..; output ..; }         body
//!       value ..; floats ..; format ..; golden ..;   clauses
//!   }
//! ```
//!
//! Not written, because descriptors do not have them: names of values, comments, the path of embedded
//! weights, and all but the last name of the paths of custom code.

mod body;
mod clauses;
mod source;

use nnue_spec::{NetDesc, Selector, quant, text};

/// Whether a declaration says what it may leave to defaults: scales, shifts, the stack, the value, the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defaults {
    /// only what is not the default is written
    Omitted,
    /// defaults are written too
    Written,
}

impl Defaults {
    fn omit<T: PartialEq>(self, found: T, default: T) -> bool {
        self == Self::Omitted && found == default
    }
}

/// A declaration that compiles to `net`, except for the names of values.
pub fn declaration(net: &NetDesc<'_>, defaults: Defaults) -> String {
    with_clauses(net, defaults, clauses::lines(net, defaults))
}

/// The declaration of `net` with another file format: `raw { padding: none }`, `stockfish`.
pub fn with_format(net: &NetDesc<'_>, format: &str) -> String {
    let lines = clauses::with_format(net, Defaults::Omitted, Some(format!("format {format};")));
    with_clauses(net, Defaults::Omitted, lines)
}

fn with_clauses(net: &NetDesc<'_>, defaults: Defaults, clauses: Vec<String>) -> String {
    let mut text = format!("pub struct {} {{\n", net.name);
    for line in source::lines(net, defaults) {
        text += &format!("    {line}\n");
    }
    let body = body::lines(net, defaults);
    match net.stacks.count {
        1 => body
            .iter()
            .for_each(|line| text += &format!("    {line}\n")),
        count => {
            text += &format!(
                "    stacks {count}{} {{\n",
                selector(net, count as u64, defaults)
            );
            body.iter()
                .for_each(|line| text += &format!("        {line}\n"));
            text += "    }\n";
        }
    }
    for line in clauses {
        text += &format!("    {line}\n");
    }
    text + "}\n"
}

/// ` by (piece_count - 1) / 4`
fn selector(net: &NetDesc<'_>, count: u64, defaults: Defaults) -> String {
    match net.stacks.selector {
        Selector::Single => String::new(),
        Selector::PieceCount { minus, divide } => match (minus as u64, divide as u64) {
            rule if defaults.omit(rule, quant::default_selector(count)) => String::new(),
            rule if rule == quant::material_count(count) => " by material_count".into(),
            (minus, divide) => format!(" by {}", text::selector(minus, divide)),
        },
        Selector::Table(table) => format!(" by [{}]", runs(&table)),
        Selector::Rows(rule) => format!(" by {}", rule.text(net.custom.groups)),
        Selector::Custom => " by self::stack".into(),
    }
}

/// `0 x 12, 1, 2 x 20`
fn runs(table: &[u8]) -> String {
    let runs = table
        .chunk_by(|one, other| one == other)
        .map(|run| match run.len() {
            1 => run[0].to_string(),
            length => format!("{} x {length}", run[0]),
        });
    runs.collect::<Vec<_>>().join(", ")
}
