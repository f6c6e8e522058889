//! Reads inputs and output buckets from a trainer's program.
//!
//! ```text
//!   .inputs(ChessBuckets::new(LAYOUT))                its king buckets; `ChessBucketsMirrored` has one of 32 squares
//!   .output_buckets(MaterialCount::<OB>)              `by material_count`
//! ```

use proc_macro2::{TokenStream, TokenTree};

use super::constants::Constants;
use super::tokens::{MAX_DEPTH, Tokens, is_name, tokens};

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
        Self::read_at(stream, constants, 0)
    }

    fn read_at(stream: TokenStream, constants: &Constants, depth: usize) -> Option<Self> {
        if depth == MAX_DEPTH {
            return None;
        }
        if let Some(named) = variable(stream.clone(), constants) {
            return Self::read_at(named, constants, depth + 1);
        }
        let mut tokens = tokens(stream);
        let (mirrored, squares) = loop {
            let TokenTree::Ident(name) = tokens.next()? else {
                continue;
            };
            match name.to_string().as_str() {
                "Chess768" => return Some(Self::without_kings()),
                "ChessBuckets" | "ChessBucketsFactorised" => break (false, 64),
                "ChessBucketsMirrored" | "ChessBucketsMirroredFactorised" => break (true, 32),
                // merged with the other rows when the network is saved
                "Factorised" => {
                    return Self::read_at(arguments(&mut tokens)?, constants, depth + 1);
                }
                _ => {}
            }
        };
        let arguments = arguments(&mut tokens)?;
        let table = match constants.table(arguments.clone()) {
            Some(table) => Ok(table),
            None => Err(arguments.into_iter().find_map(|token| match token {
                TokenTree::Ident(name) => Some(name.to_string()),
                _ => None,
            })?),
        };
        let fits = |table: &Vec<u64>| table.len() == squares && table.iter().all(|&king| king < 64);
        let is_usable = table.as_ref().map_or(true, fits);
        is_usable.then_some(Self { mirrored, table })
    }

    fn without_kings() -> Self {
        Self {
            mirrored: false,
            table: Ok(vec![0; 64]),
        }
    }

    /// The number of king buckets, if the table is known.
    pub(super) fn kings(&self) -> Option<u64> {
        let greatest = self.table.as_ref().ok()?.iter().max()?;
        Some(greatest + 1)
    }
}

/// The number of output buckets in `MaterialCount::<OB>`; `Some(None)` if `OB` is unknown.
pub(super) fn material_count(stream: TokenStream, constants: &Constants) -> Option<Option<u64>> {
    let stream = variable(stream.clone(), constants).unwrap_or(stream);
    let mut tokens = tokens(stream);
    tokens.find(|token| is_name(Some(token), "MaterialCount"))?;
    let number = tokens.find_map(|token| match &token {
        TokenTree::Punct(_) => None,
        _ => Some(constants.number(token.into())),
    });
    Some(number.flatten())
}

/// The expression that is bound to a variable, if `stream` is a variable and nothing else.
fn variable(stream: TokenStream, constants: &Constants) -> Option<TokenStream> {
    let mut tokens = tokens(stream);
    let name = tokens.next()?.to_string();
    let is_alone = tokens.next().is_none();
    constants.expression(&name).filter(|_| is_alone).cloned()
}

fn arguments(tokens: &mut Tokens) -> Option<TokenStream> {
    tokens.find_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(text: &str) -> TokenStream {
        text.parse().expect("tokens")
    }

    #[test]
    fn tables_and_counts_are_read() {
        let constants = Constants::read(stream(
            "const LAYOUT: [usize; 64] = [1; 64]; const OB: usize = 8; static HALF: &[usize; 32] = &[2; 32];
            let buckets = MaterialCount::<OB>; let inputs = ChessBucketsMirrored::new(*HALF);",
        ));
        let read = |text: &str| Inputs::read(stream(text), &constants);
        let plain = read("ChessBuckets::new(LAYOUT)").expect("it is known");
        assert_eq!((plain.mirrored, plain.kings()), (false, Some(2)));
        let mirrored = read("inputs::ChessBucketsMirrored::new([0; 32])").expect("it is known");
        assert_eq!((mirrored.mirrored, mirrored.kings()), (true, Some(1)));
        let elsewhere = read("ChessBucketsMirrored::new(OTHER)").expect("it is known");
        assert_eq!(elsewhere.table, Err("OTHER".into()));
        for merged in [
            "inputs",
            "Factorised::from_parts(ChessBucketsMirrored::new(*HALF), Chess768)",
            "inputs::ChessBucketsMirroredFactorised::new(*HALF)",
        ] {
            let inputs = read(merged).expect("it is known");
            assert_eq!((inputs.mirrored, inputs.kings()), (true, Some(3)));
        }
        assert_eq!(read("Chess768").and_then(|inputs| inputs.kings()), Some(1));
        // A mirrored table has 32 squares, and inputs of the program itself are unknown.
        assert_eq!(read("ChessBucketsMirrored::new(LAYOUT)"), None);
        assert_eq!(read("MyInputs::default()"), None);
        let count = |text: &str| material_count(stream(text), &constants);
        assert_eq!(count("MaterialCount::<OB>"), Some(Some(8)));
        assert_eq!(count("MaterialCount::<4>::default()"), Some(Some(4)));
        assert_eq!(count("MaterialCount::<{ OB }>"), Some(Some(8)));
        assert_eq!(count("buckets"), Some(Some(8)));
        assert_eq!(count("MaterialCount::<ELSEWHERE>"), Some(None));
        assert_eq!(count("Custom"), None);
    }
}
