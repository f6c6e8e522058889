//! Networks of engines, at any width: a file may have the layers, feature sets and order of one of them, and its own number of neurons.
//!
//! ```text
//!   length of the file = a + b * width              of LEB128 numbers, their count is; of blocks, that of the first
//! ```

use std::borrow::Cow;
use std::io::Read;

use nnue_format::{Padding, Tensors, raw_size};
use nnue_spec::plan::Plan;
use nnue_spec::{BLOCK_MAGIC, NetDesc, TensorDesc};

use super::doubt;
use super::found::Guess;
use super::request::{MOST_BYTES, Search};
use crate::compression::{Bounds, Decompressed, Method};

/// Files of numbers.
const NUMBERS: [&str; 2] = [
    include_str!("declared_engines.rs"),
    include_str!("declared_halogen.rs"),
];

/// Files that begin as Stockfish's container does.
const CONTAINERS: [&str; 1] = [include_str!("declared_containers.rs")];

/// Bytes before the first block of a container: its header has a text.
const MOST_BEFORE: usize = 1 << 20;

/// Widths of accumulators that are tried.
const WIDTHS: std::ops::RangeInclusive<u64> = 16..=8192;

/// Widths for which lengths are computed; the others lie on the line through them. They leave no gaps before aligned tensors, and shards of a layer have
/// inputs enough.
const KNOWN: [u64; 2] = [128, 256];

/// The declaration of an engine.
struct Engine<'t> {
    name: &'t str,
    text: &'t str,
    /// the width in `text`
    width: u64,
    /// what an output of 1.0 is worth, if the value is a multiple of the output
    scale: Option<&'t str>,
}

/// The declarations of a text.
fn engines(text: &'static str) -> impl Iterator<Item = Engine<'static>> {
    let engine = |part: &'static str| {
        let text = &part[..part.find("\n}\n")?];
        let name = &text[..text.find(' ')?];
        let (_, accumulator) = text.split_once("accumulate(")?;
        let (inputs, _) = accumulator.split_once(" @ ")?;
        let width = inputs.rsplit(", ").next()?.parse().ok()?;
        let value = text.split_once("value output * ");
        let scale = value.and_then(|(_, scale)| scale.split([' ', ';']).next());
        Some(Engine {
            name,
            text,
            width,
            scale,
        })
    };
    text.split("pub struct ").skip(1).filter_map(engine)
}

impl Engine<'_> {
    /// The declaration for another width, which a header may have too.
    fn of_width(&self, name: &str, width: u64) -> String {
        let Self {
            text, width: own, ..
        } = self;
        let (_, body) = text.split_once(' ').unwrap_or_default();
        let body = body
            .replacen(&format!(", {own} @ "), &format!(", {width} @ "), 1)
            .replace(&format!(" {own}u16,"), &format!(" {width}u16,"))
            .replace("\n    ", "\n");
        format!("pub struct {name} {body}\n")
    }

    /// The guess that a file is of this engine, if it has its structure.
    fn guess(&self, file: &[u8], search: &Search<'_>) -> Option<Guess> {
        let compile = |width| (search.compile)(&self.of_width(search.name, width));
        let first = compile(KNOWN[0])?;
        let file = decompressed(file, &first.tables().descriptor())?;
        let measure = Measure::of(&file, &first.tables().descriptor());
        let line = [&first, &compile(KNOWN[1])?].map(|plan| measure.expected(plan));
        let width = width(line, measure.found())?;
        let plan = compile(width)?;
        let tables = plan.tables();
        let net = tables.descriptor();
        let (_, tensors) = Tensors::read(&net, &*file).ok()?;
        let name = self.name;
        Some(Guess {
            declaration: self.of_width(search.name, width),
            shape: format!("{name} with {width} neurons"),
            doubt: doubt::unusual(&net, &tensors),
            scale: self.scale.and_then(|scale| scale.parse().ok()),
            unknown: self.unknown(),
        })
    }

    /// What the structure of a file does not tell.
    fn unknown(&self) -> Vec<String> {
        let name = self.name;
        let engine = format!(
            "that it is a network of {name}, whose layers, feature sets and order it has: king buckets, scales and the value are those of that \
             engine, and golden values of yours tell whether they are the same"
        );
        let scale = self.scale.map(|scale| {
            format!(
                "`value output * {scale}`, the scale of {name}: if values of your engine are the same multiple of these in all positions, its \
                 scale is that multiple of {scale}"
            )
        });
        let set = self.text.split("accumulate(self::").nth(1);
        let set = set.and_then(|set| set.split('[').next()).map(|set| {
            format!(
                "`self::{set}`, the rows of {name}: a set of your program, which says which of them are active"
            )
        });
        [Some(engine), scale, set].into_iter().flatten().collect()
    }
}

/// The guesses that a file of numbers is of an engine.
pub(super) fn of_numbers(file: &[u8], search: &Search<'_>) -> Vec<Guess> {
    guesses(&NUMBERS, file, search)
}

/// The guesses that a container is of an engine.
pub(super) fn of_container(file: &[u8], search: &Search<'_>) -> Vec<Guess> {
    guesses(&CONTAINERS, file, search)
}

fn guesses(texts: &[&'static str], file: &[u8], search: &Search<'_>) -> Vec<Guess> {
    let engines = texts.iter().flat_map(|text| engines(text));
    engines
        .filter_map(|engine| engine.guess(file, search))
        .collect()
}

/// The file, whose compression may begin after its header; `None` if that is damaged.
fn decompressed<'f>(file: &'f [u8], net: &NetDesc<'_>) -> Option<Cow<'f, [u8]>> {
    let Bounds { lead, .. } = Bounds::of(net);
    if lead == 0 || file.get(lead..).and_then(Method::of_head).is_none() {
        return Some(file.into());
    }
    let mut bytes = Vec::new();
    let mut opened = Decompressed::open(
        file,
        Bounds {
            lead,
            most: MOST_BYTES,
        },
    )
    .ok()?;
    opened.read_to_end(&mut bytes).ok()?;
    Some(bytes.into())
}

/// What depends on the width of a network only.
enum Measure {
    /// the length of the file
    Bytes(u64),
    /// the numbers of a file of LEB128
    Numbers(u64),
    /// the numbers of the first block of LEB128
    OfBlock(u64),
}

/// LEB128 numbers: their last bytes are below 0x80.
fn numbers(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte < 0x80).count() as u64
}

/// The numbers of the first block of a file; 0 if there is none.
fn numbers_of_block(file: &[u8]) -> u64 {
    let mut places = file.windows(BLOCK_MAGIC.len()).take(MOST_BEFORE);
    let start = places.position(|bytes| bytes == BLOCK_MAGIC);
    let block = start.map_or(&[][..], |start| &file[start + BLOCK_MAGIC.len()..]);
    let Some((length, rest)) = block.split_first_chunk() else {
        return 0;
    };
    let length = u32::from_le_bytes(*length) as usize;
    numbers(&rest[..length.min(rest.len())])
}

/// The first tensors in a block.
fn first_block(net: &NetDesc<'_>) -> u64 {
    let Some(raw) = &net.raw else { return 0 };
    let placed = raw.placed(net);
    let mut in_block = placed.iter().skip_while(|placed| !placed.in_block);
    let block = in_block.by_ref().take_while(|placed| placed.in_block);
    block.map(|placed| raw.numbers(net, placed).0 as u64).sum()
}

impl Measure {
    fn of(file: &[u8], net: &NetDesc<'_>) -> Self {
        match &net.raw {
            Some(raw) if raw.leb128 => Self::Numbers(numbers(file)),
            Some(raw) if !raw.has_fixed_size() => Self::OfBlock(numbers_of_block(file)),
            _ => Self::Bytes(file.len() as u64),
        }
    }

    fn found(&self) -> u64 {
        match self {
            Self::Bytes(found) | Self::Numbers(found) | Self::OfBlock(found) => *found,
        }
    }

    fn expected(&self, plan: &Plan) -> u64 {
        let tables = plan.tables();
        let net = tables.descriptor();
        match self {
            Self::Bytes(_) => raw_size(&net, Padding::None).unwrap_or_default(),
            Self::OfBlock(_) => first_block(&net),
            Self::Numbers(_) => net.tensors.iter().map(TensorDesc::len).sum::<usize>() as u64,
        }
    }
}

/// The width whose measure is `found`, or less by a padding.
fn width([first, second]: [u64; 2], found: u64) -> Option<u64> {
    let steps = KNOWN[1] - KNOWN[0];
    let slope = second.checked_sub(first)? / steps;
    let fixed = first.checked_sub(slope.checked_mul(KNOWN[0])?)?;
    let width = found.checked_sub(fixed)?.checked_div(slope)?;
    let left = found - fixed - width * slope;
    let fits = left < Padding::ALIGNMENT as u64 && WIDTHS.contains(&width);
    fits.then_some(width)
}
