//! Reads inputs, output buckets and constants from a trainer's program.
//!
//! ```text
//!   const LAYOUT: [usize; 64] = [0, 0, 1, ..];        a table
//!   .inputs(ChessBuckets::new(LAYOUT))                its king buckets; `ChessBucketsMirrored` has one of 32 squares
//!   .output_buckets(MaterialCount::<OB>)              `by material_count`
//! ```

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::tokens::{MAX_DEPTH, is_name, is_punct, tokens};

#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    pub(super) numbers: BTreeMap<String, u64>,
    pub(super) tables: BTreeMap<String, Vec<u64>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inputs {
    /// `ChessBucketsMirrored`, not `ChessBuckets` or `Chess768`
    pub(super) mirrored: bool,
    /// the king bucket of each square, or the name of a table missing from the text
    pub(super) table: Result<Vec<u64>, String>,
}

impl Inputs {
    /// Reads the argument of `.inputs(..)`; `None` for inputs other than bullet's.
    pub(super) fn read(stream: TokenStream, constants: &Constants) -> Option<Self> {
        let mut tokens = tokens(stream);
        let (mirrored, squares) = loop {
            match tokens.next()? {
                TokenTree::Ident(name) if name == "Chess768" => {
                    return Some(Self {
                        mirrored: false,
                        table: Ok(vec![0; 64]),
                    });
                }
                TokenTree::Ident(name) if name == "ChessBuckets" => break (false, 64),
                TokenTree::Ident(name) if name == "ChessBucketsMirrored" => break (true, 32),
                _ => {}
            }
        };
        let arguments = tokens.find_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        })?;
        let table = match table(arguments.clone()) {
            Some(table) => Ok(table),
            None => {
                let name = arguments.into_iter().find_map(|token| match token {
                    TokenTree::Ident(name) => Some(name.to_string()),
                    _ => None,
                })?;
                constants.tables.get(&name).cloned().ok_or(name)
            }
        };
        let fits = |table: &Vec<u64>| table.len() == squares && table.iter().all(|&king| king < 64);
        let is_usable = table.as_ref().map_or(true, fits);
        is_usable.then_some(Self { mirrored, table })
    }

    /// The number of king buckets, if the table is known.
    pub(super) fn kings(&self) -> Option<u64> {
        let greatest = self.table.as_ref().ok()?.iter().max()?;
        Some(greatest + 1)
    }
}

/// The number of output buckets in `MaterialCount::<OB>`; `Some(None)` if `OB` is unknown.
pub(super) fn material_count(stream: TokenStream, constants: &Constants) -> Option<Option<u64>> {
    let mut tokens = tokens(stream);
    tokens.find(|token| is_name(Some(token), "MaterialCount"))?;
    let number = tokens.find_map(|token| match token {
        TokenTree::Literal(literal) => Some(literal.to_string().parse().ok()),
        TokenTree::Ident(name) => Some(constants.numbers.get(&name.to_string()).copied()),
        _ => None,
    });
    Some(number.flatten())
}

/// Reads `[0, 0, 1]` or `[0; 64]`, also in brackets or after `&`.
pub(super) fn table(stream: TokenStream) -> Option<Vec<u64>> {
    table_at(stream, 0)
}

fn table_at(stream: TokenStream, depth: usize) -> Option<Vec<u64>> {
    let group = match tokens(stream).next()? {
        TokenTree::Group(group) if depth < MAX_DEPTH => group,
        _ => return None,
    };
    if group.delimiter() != Delimiter::Bracket {
        return table_at(group.stream(), depth + 1);
    }
    let (mut numbers, mut tokens) = (Vec::new(), tokens(group.stream()));
    while let Some(token) = tokens.next() {
        let text = token.to_string();
        let digits = text.trim_end_matches("usize").trim_end_matches('_');
        numbers.push(digits.parse().ok()?);
        match tokens.next() {
            Some(token) if is_punct(Some(&token), ',') => {}
            Some(token) if is_punct(Some(&token), ';') && numbers.len() == 1 => {
                let count = tokens.next()?.to_string().parse().ok()?;
                let is_small = count <= 64 && tokens.next().is_none();
                return is_small.then(|| vec![numbers[0]; count]);
            }
            None => {}
            Some(_) => return None,
        }
    }
    Some(numbers).filter(|numbers| numbers.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(text: &str) -> TokenStream {
        text.parse().expect("tokens")
    }

    #[test]
    fn tables_and_counts_are_read() {
        let mut constants = Constants::default();
        constants.tables.insert("LAYOUT".into(), vec![1; 64]);
        constants.numbers.insert("OB".into(), 8);
        let read = |text: &str| Inputs::read(stream(text), &constants);
        let plain = read("ChessBuckets::new(LAYOUT)").expect("it is known");
        assert_eq!((plain.mirrored, plain.kings()), (false, Some(2)));
        let mirrored = read("inputs::ChessBucketsMirrored::new([0; 32])").expect("it is known");
        assert_eq!((mirrored.mirrored, mirrored.kings()), (true, Some(1)));
        let elsewhere = read("ChessBucketsMirrored::new(OTHER)").expect("it is known");
        assert_eq!(elsewhere.table, Err("OTHER".into()));
        assert_eq!(read("Chess768").and_then(|inputs| inputs.kings()), Some(1));
        // A mirrored table has 32 squares, and inputs of the program itself are unknown.
        assert_eq!(read("ChessBucketsMirrored::new(LAYOUT)"), None);
        assert_eq!(read("MyInputs::default()"), None);
        let count = |text: &str| material_count(stream(text), &constants);
        assert_eq!(count("MaterialCount::<OB>"), Some(Some(8)));
        assert_eq!(count("MaterialCount::<4>::default()"), Some(Some(4)));
        assert_eq!(count("MaterialCount::<ELSEWHERE>"), Some(None));
        assert_eq!(count("Custom"), None);
    }
}
