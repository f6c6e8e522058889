//! The pairs of a set of threats: `(P: NR, N: PNBRQ, pushes)`.

use nnue_spec::diagnostic::Code;
use syn::Token;
use syn::parse::ParseStream;

use super::ast::WrittenPairs;
use super::parse::Parse;
use super::place::{Parsed, Place, Word, Wrong};
use super::token::{
    expected, here, is_word, parse_comma, parse_parentheses, parse_word, peek_word,
};

/// The word for attacks of pawns on the pawn ahead of them.
const PUSHES: &str = "pushes";

impl Parse for WrittenPairs {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let (inside, place) = parse_parentheses(input)?;
        let mut pairs = Self {
            attacks: Vec::new(),
            pushes: None,
            place,
        };
        while !inside.is_empty() {
            pairs.parse_item(&inside)?;
            if !inside.is_empty() {
                parse_comma(&inside, "what a piece attacks")?;
            }
        }
        Ok(pairs)
    }
}

impl WrittenPairs {
    /// `P: NR`, or `pushes`.
    fn parse_item(&mut self, input: ParseStream) -> Parsed<()> {
        if !is_word(input, PUSHES) {
            self.attacks.push(parse_attacks(input)?);
            return Ok(());
        }
        let place = here(input);
        parse_word(input, "`pushes`")?;
        match self.pushes {
            Some(first) => Err(twice("`pushes` stands twice".to_owned(), place, first)),
            None => {
                self.pushes = Some(place);
                Ok(())
            }
        }
    }
}

/// The error for a duplicate.
pub(crate) fn twice(message: String, place: Place, first: Place) -> Wrong {
    Wrong::new(Code::DuplicatePiece, place, message)
        .help("leave one of the two out")
        .related(first, "the first one")
}

/// `P: NR`
fn parse_attacks(input: ParseStream) -> Parsed<(Word, Word)> {
    const HELP: &str = "write for example `P: NR`: pawns attack knights and rooks";
    if peek_word(input).is_none() {
        return Err(expected(Code::BadPairs, input, "a kind of piece or `pushes`").help(HELP));
    }
    let attacker = parse_word(input, "a kind of piece")?;
    if !input.peek(Token![:]) {
        return Err(expected(
            Code::BadPairs,
            input,
            &format!("`:` after `{}`", attacker.value),
        )
        .help(HELP));
    }
    input.parse::<Token![:]>()?;
    if peek_word(input).is_none() {
        let wrong = expected(
            Code::BadPairs,
            input,
            &format!("the pieces that `{}` attacks", attacker.value),
        );
        return Err(wrong.help(format!(
            "write their letters, or leave `{}:` out",
            attacker.value
        )));
    }
    Ok((attacker, parse_word(input, "pieces")?))
}
