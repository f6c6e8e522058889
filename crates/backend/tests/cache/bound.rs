//! The least that codes can take: `constriction`'s range coder, which knows how often each symbol follows each context in the very lists that it codes. No
//! table of code lengths for the same symbols and contexts takes less.

use constriction::stream::Encode;
use constriction::stream::model::DefaultContiguousCategoricalEntropyModel as Model;
use constriction::stream::queue::DefaultRangeEncoder;
use nnue_backend::cache::Coding;

/// A symbol after its context, and how many bits follow it as they are.
struct Symbol {
    context: usize,
    symbol: usize,
    rest: u32,
}

/// A number as `Coding::Contexts` has it: those below 8 are symbols, of larger ones two for each power of two.
fn symbol(context: usize, number: usize) -> Symbol {
    let bits = number.checked_ilog2().map_or(0, |log| log + 1);
    if bits < 4 {
        return Symbol {
            context,
            symbol: number,
            rest: 0,
        };
    }
    let halves = 8 + 2 * (bits as usize - 4);
    Symbol {
        context,
        symbol: halves + (number >> (bits - 2) & 1),
        rest: bits - 2,
    }
}

/// A list as `Coding::Contexts` has it: how many zeros, then values, ended by a zero that belongs to the next run. A context is the kind, and the bits of
/// the value before.
fn symbols(numbers: &[u16]) -> Vec<Symbol> {
    let (mut all, mut rest, mut before) = (Vec::new(), numbers, 0);
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|&&number| number == 0).count();
        all.push(symbol(before.min(3), zeros));
        let values = rest[zeros..]
            .iter()
            .take_while(|&&number| number != 0)
            .count();
        for &value in &rest[zeros..][..values] {
            all.push(symbol(4 + before, value.into()));
            before = (u16::BITS - value.leading_zeros()).min(4) as usize;
        }
        rest = &rest[zeros + values..];
        if !rest.is_empty() {
            all.push(symbol(4 + before, 0));
        }
    }
    all
}

/// Bytes of all symbols by a coder that knows how often each is there.
fn coded(symbols: &[Symbol]) -> f64 {
    let contexts = 1 + symbols
        .iter()
        .map(|symbol| symbol.context)
        .max()
        .unwrap_or(0);
    let count = 2 + symbols
        .iter()
        .map(|symbol| symbol.symbol)
        .max()
        .unwrap_or(0); // a model has at least two symbols
    let mut counts = vec![vec![0.0_f64; count]; contexts];
    symbols
        .iter()
        .for_each(|symbol| counts[symbol.context][symbol.symbol] += 1.0);
    let model = |counts: &Vec<f64>| Model::from_floating_point_probabilities_fast(counts, None);
    let models: Vec<_> = counts.iter().map(model).collect();
    let (mut coder, mut rest) = (DefaultRangeEncoder::new(), 0.0);
    for symbol in symbols {
        let model = models[symbol.context]
            .as_ref()
            .expect("it has been counted");
        coder
            .encode_symbol(symbol.symbol, model)
            .expect("the model has it");
        rest += f64::from(symbol.rest);
    }
    (coder.num_bits() as f64 + rest) / 8.0
}

/// Bytes a list with the contexts of `Coding::Contexts`.
pub(crate) fn with_contexts(lists: &[Vec<u16>]) -> f64 {
    let all: Vec<Symbol> = lists.iter().flat_map(|numbers| symbols(numbers)).collect();
    coded(&all) / lists.len() as f64
}

/// Bytes a list if the bytes of `Coding::RunLength` are coded without contexts.
pub(crate) fn of_runs(lists: &[Vec<u16>]) -> f64 {
    let mut bytes = Vec::new();
    lists
        .iter()
        .for_each(|numbers| Coding::RunLength.encode(numbers, &mut bytes));
    let all: Vec<Symbol> = bytes
        .into_iter()
        .map(|byte| Symbol {
            context: 0,
            symbol: byte.into(),
            rest: 0,
        })
        .collect();
    coded(&all) / lists.len() as f64
}
