//! The small parts of clauses: words, punctuation, delimiters and their locations.

use nnue_spec::diagnostic::Code;
use proc_macro2::{Delimiter, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Ident, Token};

use super::place::{At, Parsed, Place, Word, Wrong};

/// The location of the next token (both halves of `->`), or of the closing delimiter.
pub(crate) fn here(input: ParseStream) -> Place {
    let place = Place::of(input.span());
    let double = input.peek(Token![->])
        || input.peek(Token![=>])
        || input.peek(Token![..])
        || input.peek(Token![<<])
        || input.peek(Token![>>]);
    match input.cursor().punct().and_then(|(_, rest)| rest.punct()) {
        Some((second, _)) if double => place.to(Place::of(second.span())),
        _ => place,
    }
}

/// Description of the next token for messages.
pub(crate) fn found(input: ParseStream) -> String {
    match input.cursor().token_tree() {
        None => "the end".to_owned(),
        Some((TokenTree::Group(group), _)) => match group.delimiter() {
            Delimiter::Parenthesis => "`(`".to_owned(),
            Delimiter::Brace => "`{`".to_owned(),
            Delimiter::Bracket => "`[`".to_owned(),
            Delimiter::None => format!("`{}`", group.stream()),
        },
        Some((TokenTree::Punct(_), _)) if input.peek(Token![->]) => "`->`".to_owned(),
        Some((TokenTree::Punct(_), _)) if input.peek(Token![=>]) => "`=>`".to_owned(),
        Some((TokenTree::Punct(_), _)) if input.peek(Token![..]) => "`..`".to_owned(),
        Some((token, _)) => format!("`{token}`"),
    }
}

/// The error for a token where something else was expected.
pub(crate) fn expected(code: Code, input: ParseStream, what: &str) -> Wrong {
    Wrong::new(
        code,
        here(input),
        format!("expected {what}, found {}", found(input)),
    )
}

/// Takes any identifier, keywords of Rust included.
pub(crate) fn parse_word(input: ParseStream, what: &str) -> Parsed<Word> {
    if !input.peek(Ident::peek_any) {
        return Err(expected(Code::ExpectedName, input, what));
    }
    let ident = input.call(Ident::parse_any)?;
    Ok(At::new(ident.unraw().to_string(), Place::of(ident.span())))
}

/// The next identifier, without taking it.
pub(crate) fn peek_word(input: ParseStream) -> Option<String> {
    let (ident, _) = input.cursor().ident()?;
    Some(ident.unraw().to_string())
}

/// Whether this word is next.
pub(crate) fn is_word(input: ParseStream, word: &str) -> bool {
    peek_word(input).is_some_and(|found| found == word)
}

/// Punctuation `comma` between arguments.
pub(crate) fn parse_comma(input: ParseStream, after: &str) -> Parsed<()> {
    if !input.peek(Token![,]) {
        return Err(
            expected(Code::UnexpectedToken, input, &format!("`,` after {after}")).help("write `,`"),
        );
    }
    input.parse::<Token![,]>()?;
    Ok(())
}

/// Refuses anything that follows.
pub(crate) fn parse_end(input: ParseStream, after: &str) -> Parsed<()> {
    if input.is_empty() {
        return Ok(());
    }
    Err(Wrong::new(
        Code::UnexpectedToken,
        here(input),
        format!("unexpected {} after {after}", found(input)),
    ))
}

/// The inside of parentheses, and their location.
pub(crate) fn parse_parentheses<'a>(
    input: &ParseBuffer<'a>,
) -> syn::Result<(ParseBuffer<'a>, Place)> {
    let inside;
    let token = syn::parenthesized!(inside in input);
    Ok((inside, Place::of(token.span.join())))
}

/// The inside of brackets, and their location.
pub(crate) fn parse_brackets<'a>(input: &ParseBuffer<'a>) -> syn::Result<(ParseBuffer<'a>, Place)> {
    let inside;
    let token = syn::bracketed!(inside in input);
    Ok((inside, Place::of(token.span.join())))
}

/// The inside of braces, and their location.
pub(crate) fn parse_braces<'a>(input: &ParseBuffer<'a>) -> syn::Result<(ParseBuffer<'a>, Place)> {
    let inside;
    let token = syn::braced!(inside in input);
    Ok((inside, Place::of(token.span.join())))
}

/// Whether a declaration is next, rather than more of this one.
pub(crate) fn begins_declaration(input: ParseStream) -> bool {
    input.peek(Token![pub]) || input.peek(Token![struct]) || input.peek(Token![#])
}

/// Takes the next token.
pub(crate) fn skip(input: ParseStream) {
    // Fails only at the end of the input, and callers check `is_empty` first.
    let _ = input.parse::<TokenTree>();
}
