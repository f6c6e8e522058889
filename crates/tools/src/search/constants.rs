//! Constants and variables of a trainer's program.
//!
//! ```text
//!   const QA: i16 = 255;                                     a number
//!   static LAYOUT: &[usize; 64] = &[0, 0, 1, ..];            a table
//!   let inputs = ChessBuckets::new(LAYOUT);                  an expression
//! ```

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::tokens::{MAX_DEPTH, Tokens, is_name, is_punct, tokens};

/// Numbers may be defined after their use, in chains of this many.
const PASSES: usize = 8;

/// The values of names. A name with two values has none: which one is in scope is not looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    expressions: BTreeMap<String, Option<TokenStream>>,
    numbers: BTreeMap<String, u64>,
}

impl Constants {
    /// Collects the constants and variables of a text.
    pub(super) fn read(stream: TokenStream) -> Self {
        let mut constants = Self::default();
        constants.find(stream, 0);
        for _ in 0..PASSES {
            constants.numbers = constants.numbers();
        }
        constants
    }

    fn find(&mut self, stream: TokenStream, depth: usize) {
        let mut tokens = tokens(stream);
        while let Some(token) = tokens.next() {
            let binds = ["const", "static", "let"].map(|word| is_name(Some(&token), word));
            let inner = if binds.contains(&true) {
                let Some((name, expression)) = binding(&mut tokens) else {
                    continue;
                };
                self.insert(name, expression.clone());
                expression
            } else if let TokenTree::Group(group) = token {
                group.stream()
            } else {
                continue;
            };
            if depth < MAX_DEPTH {
                self.find(inner, depth + 1);
            }
        }
    }

    fn insert(&mut self, name: String, expression: TokenStream) {
        self.expressions
            .entry(name)
            .and_modify(|known| {
                known.take_if(|known| known.to_string() != expression.to_string());
            })
            .or_insert(Some(expression));
    }

    /// The numbers that follow from the numbers known so far.
    fn numbers(&self) -> BTreeMap<String, u64> {
        let number = |(name, expression): (&String, &Option<TokenStream>)| {
            Some((name.clone(), self.number(expression.clone()?)?))
        };
        self.expressions.iter().filter_map(number).collect()
    }

    /// The expression that is bound to a name.
    pub(super) fn expression(&self, name: &str) -> Option<&TokenStream> {
        self.expressions.get(name)?.as_ref()
    }

    /// Whether the text defines this name as a number.
    pub(super) fn has_number(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// Evaluates a product of numbers without a fraction, constants and brackets; ignores casts.
    pub(super) fn number(&self, expression: TokenStream) -> Option<u64> {
        self.number_at(expression, 0)
    }

    /// Evaluates [a product](Self::number), or one number with a fraction, as a declaration writes it: `362.5`.
    pub(super) fn decimal(&self, expression: TokenStream) -> Option<String> {
        let whole = self.number(expression.clone());
        whole
            .map(|number| number.to_string())
            .or_else(|| self.fraction(expression, 0))
    }

    /// A literal with a fraction, or a name for one.
    fn fraction(&self, expression: TokenStream, depth: usize) -> Option<String> {
        let mut tokens = tokens(expression);
        let (token, None) = (tokens.next()?, tokens.next()) else {
            return None;
        };
        match token {
            TokenTree::Literal(literal) => fraction(&literal.to_string()),
            TokenTree::Ident(ident) if depth < MAX_DEPTH => {
                self.fraction(self.expression(&ident.to_string())?.clone(), depth + 1)
            }
            _ => None,
        }
    }

    fn number_at(&self, expression: TokenStream, depth: usize) -> Option<u64> {
        let mut tokens = tokens(expression);
        let mut product = 1_u64;
        loop {
            let atom = match tokens.next()? {
                TokenTree::Literal(literal) => whole(&literal.to_string())?,
                // `i32::from(QA)`
                TokenTree::Ident(ident)
                    if is_number_type(&ident.to_string()) && is_punct(tokens.peek(), ':') =>
                {
                    tokens.nth(1);
                    match (tokens.next()?, tokens.next()?) {
                        (TokenTree::Ident(function), TokenTree::Group(group))
                            if function == "from" && depth < MAX_DEPTH =>
                        {
                            self.number_at(group.stream(), depth + 1)?
                        }
                        _ => return None,
                    }
                }
                TokenTree::Ident(ident) => *self.numbers.get(&ident.to_string())?,
                TokenTree::Group(group) if depth < MAX_DEPTH => {
                    self.number_at(group.stream(), depth + 1)?
                }
                _ => return None,
            };
            product = product.checked_mul(atom)?;
            if is_name(tokens.peek(), "as") {
                tokens.nth(1);
            }
            match tokens.next() {
                None => return Some(product),
                Some(TokenTree::Punct(punct)) if punct.as_char() == '*' => {}
                Some(_) => return None,
            }
        }
    }

    /// The table that an expression is or names.
    pub(super) fn table(&self, expression: TokenStream) -> Option<Vec<u64>> {
        self.table_at(expression, 0)
    }

    fn table_at(&self, expression: TokenStream, depth: usize) -> Option<Vec<u64>> {
        let group = match tokens(expression).find(|token| !is_reference(token))? {
            TokenTree::Group(group) if depth < MAX_DEPTH => group,
            TokenTree::Ident(name) if depth < MAX_DEPTH => {
                let named = self.expression(&name.to_string())?;
                return self.table_at(named.clone(), depth + 1);
            }
            _ => return None,
        };
        if group.delimiter() == Delimiter::Bracket {
            elements(group.stream())
        } else {
            self.table_at(group.stream(), depth + 1)
        }
    }
}

/// `NAME: T = expression;` after its keyword. Takes nothing of other patterns and of parameters, as in `<const N: usize>`.
fn binding(tokens: &mut Tokens) -> Option<(String, TokenStream)> {
    tokens.next_if(|token| is_name(Some(token), "mut"));
    let is_ident = |token: &TokenTree| matches!(token, TokenTree::Ident(_));
    let name = tokens.next_if(is_ident)?.to_string();
    if is_punct(tokens.peek(), ':') {
        let ends = |token: &TokenTree| {
            ['=', ';', ',']
                .iter()
                .any(|&end| is_punct(Some(token), end))
        };
        let is_body = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        while tokens
            .next_if(|token| !ends(token) && !is_body(token))
            .is_some()
        {}
    }
    tokens.next_if(|token| is_punct(Some(token), '='))?;
    let expression = tokens
        .by_ref()
        .take_while(|token| !is_punct(Some(token), ';'));
    Some((name, expression.collect()))
}

/// `&` and `*`, which a table may have in front
fn is_reference(token: &TokenTree) -> bool {
    is_punct(Some(token), '&') || is_punct(Some(token), '*')
}

/// The elements of `[0, 0, 1]` or `[0; 64]`.
fn elements(stream: TokenStream) -> Option<Vec<u64>> {
    let (mut numbers, mut tokens) = (Vec::new(), tokens(stream));
    while let Some(token) = tokens.next() {
        numbers.push(integer(&token.to_string())?);
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

fn is_number_type(name: &str) -> bool {
    let is_width = |width: &str| matches!(width, "8" | "16" | "32" | "64" | "size");
    match name.split_at_checked(1) {
        Some(("i" | "u", width)) => is_width(width),
        Some(("f", width)) => matches!(width, "32" | "64"),
        _ => false,
    }
}

/// `16_i32`, `0x40`
fn integer(text: &str) -> Option<u64> {
    let text = text.replace('_', "");
    let end = text.find(['i', 'u']).unwrap_or(text.len());
    match text[..end].strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text[..end].parse().ok(),
    }
}

/// An integer, also as a float: `400`, `400.0`, `400_f32`
fn whole(text: &str) -> Option<u64> {
    integer(text).or_else(|| {
        let number = without_type(text);
        let (digits, fraction) = number.split_once('.').unwrap_or((&number, ""));
        let is_zero = fraction.bytes().all(|digit| digit == b'0');
        digits.parse().ok().filter(|_| is_zero)
    })
}

/// A number with a fraction and without its type: `362.5`
fn fraction(text: &str) -> Option<String> {
    let number = without_type(text);
    let (digits, after) = number.split_once('.')?;
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    (are_digits(digits) && are_digits(after)).then_some(number)
}

/// The digits of a float: `1362.5` of `1_362.5_f32`
fn without_type(text: &str) -> String {
    let text = text.replace('_', "");
    let number = text.trim_end_matches("f32").trim_end_matches("f64");
    number.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(text: &str) -> TokenStream {
        text.parse().expect("tokens")
    }

    #[test]
    fn names_have_the_values_of_the_text() {
        let constants = Constants::read(stream(
            "const QA: i16 = 255; static QB: i32 = 0x40; impl<const N: usize> Some for Thing<N> { const DEEP: f32 = 3.0; }
            fn main() { let mut hidden = 16; let inputs = { let inner = 2; Chess768 }; let (a, b) = (1, 2); }
            const TABLE: [usize; 4] = [0, 1_usize, 2, 3]; static SAME: &[usize; 2] = &[7; 2]; const ALIAS: [usize; 2] = *SAME;",
        ));
        let number = |text: &str| constants.number(stream(text));
        assert_eq!(number("QA as i32 * i32::from(QB)"), Some(16320));
        assert_eq!(number("hidden * DEEP as usize * inner"), Some(96));
        assert_eq!(["a", "N", "inputs"].map(number), [None; 3]);
        let table = |text: &str| constants.table(stream(text));
        assert_eq!(table("TABLE"), Some(vec![0, 1, 2, 3]));
        assert_eq!(table("&SAME"), Some(vec![7, 7]));
        assert_eq!(table("ALIAS"), Some(vec![7, 7]));
        assert_eq!(table("QA"), None);
    }

    #[test]
    fn a_name_with_two_values_has_none() {
        let constants = Constants::read(stream(
            "mod a { const QA: i16 = 255; } mod b { const QA: i16 = 181; const QB: i16 = 64; const QB: i16 = 64; }",
        ));
        assert_eq!(constants.number(stream("QA")), None);
        assert_eq!(constants.number(stream("QB")), Some(64));
    }

    #[test]
    fn names_that_mean_themselves_end() {
        let constants = Constants::read(stream("const A: u8 = B * B; const B: u8 = A * A;"));
        assert_eq!(constants.number(stream("A")), None);
        let tables = Constants::read(stream("const A: T = B; const B: T = A;"));
        assert_eq!(tables.table(stream("A")), None);
    }

    #[test]
    fn scales_are_whole_numbers() {
        assert_eq!(
            ["400.0", "400", "340_f32", "1_000.", "0.5", "x"].map(whole),
            [Some(400), Some(400), Some(340), Some(1000), None, None]
        );
    }
}
