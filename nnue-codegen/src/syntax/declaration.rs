//! Declarations: attributes, visibility, name, and one of the two forms.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::Brace;
use syn::{Attribute, Ident, Token, Visibility};

use super::ast::{Body, Chain, Declaration, Input};
use super::clause::{Scope, parse_clauses};
use super::parse::Parse;
use super::place::{Parsed, Place, Wrong};
use super::token::{expected, found, here, parse_braces, skip};

impl Parse for Input {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let mut all = Self::default();
        while !input.is_empty() {
            match Declaration::parse(input) {
                Ok(declaration) => all.declarations.push(declaration),
                Err(wrong) => {
                    all.wrongs.push(wrong);
                    recover(input);
                }
            }
        }
        if all.declarations.is_empty() && all.wrongs.is_empty() {
            let wrong = Wrong::new(Code::EmptyInput, here(input), "`nnue!` declares no network");
            all.wrongs.push(wrong.help(EXAMPLE));
        }
        Ok(all)
    }
}

const EXAMPLE: &str = "write for example `pub struct Mine = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1;`";

/// Goes on behind the next `;` or braces.
fn recover(input: ParseStream) {
    while !input.is_empty() {
        let last = input.peek(Token![;]) || input.peek(Brace);
        skip(input);
        if last {
            break;
        }
    }
    while input.peek(Token![;]) {
        skip(input);
    }
}

impl Parse for Declaration {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let mut wrongs = Vec::new();
        let crate_path = take_crate_path(&mut attributes, &mut wrongs);
        let visibility: Visibility = input.parse()?;
        let name = parse_name(input)?;
        let mut declaration = Self { attributes, crate_path, visibility, name, body: None, wrongs };
        declaration.parse_body(input);
        Ok(declaration)
    }
}

/// `struct Name`
fn parse_name(input: ParseStream) -> Parsed<Ident> {
    if !input.peek(Token![struct]) {
        return Err(expected(Code::ExpectedDeclaration, input, "`struct`").help(EXAMPLE));
    }
    input.parse::<Token![struct]>()?;
    if !input.peek(Ident) {
        return Err(expected(Code::ExpectedName, input, "the name of the network").help(EXAMPLE));
    }
    Ok(input.parse()?)
}

impl Declaration {
    /// Reads what follows the name; errors are recorded here, so that the name stays known.
    fn parse_body(&mut self, input: ParseStream) {
        let begin = input.cursor();
        match self.parse_form(input) {
            Ok(body) => self.body = Some(body),
            Err(wrong) => {
                let at_end = input.is_empty();
                self.wrongs.push(if at_end { on_last_token(wrong, begin) } else { wrong });
                recover(input);
            }
        }
    }

    fn parse_form(&mut self, input: ParseStream) -> Parsed<Body> {
        if input.peek(Token![<]) {
            let message = "a network has no generic parameters";
            return Err(Wrong::new(Code::Generics, here(input), message)
                .help(format!("write `struct {} = < .. >;` or `struct {} {{ .. }}`", self.name, self.name)));
        }
        if input.peek(Brace) {
            let clauses = self.parse_braced(input, Scope::Graph)?;
            skip_semicolon(input);
            return Ok(Body::Graph(clauses));
        }
        if !input.peek(Token![=]) {
            let what = format!("`=` or `{{` after `{}`", self.name);
            return Err(expected(Code::ExpectedBody, input, &what).help(EXAMPLE));
        }
        input.parse::<Token![=]>()?;
        let chain = Box::new(Chain::parse(input)?);
        if input.peek(Brace) {
            let clauses = self.parse_braced(input, Scope::Chain)?;
            skip_semicolon(input);
            return Ok(Body::Chain(chain, clauses));
        }
        parse_chain_end(input)?;
        Ok(Body::Chain(chain, Vec::new()))
    }

    fn parse_braced(&mut self, input: ParseStream, scope: Scope) -> Parsed<Vec<super::ast::Clause>> {
        let (inside, _) = parse_braces(input)?;
        Ok(parse_clauses(&inside, scope, &mut self.wrongs))
    }
}

fn skip_semicolon(input: ParseStream) {
    while input.peek(Token![;]) {
        skip(input);
    }
}

fn parse_chain_end(input: ParseStream) -> Parsed<()> {
    if input.peek(Token![;]) {
        skip_semicolon(input);
        return Ok(());
    }
    if input.is_empty() || input.peek(Token![pub]) || input.peek(Token![struct]) || input.peek(Token![#]) {
        let message = format!("expected `;` at the end of the chain, found {}", found(input));
        return Err(Wrong::new(Code::MissingSemicolon, here(input), message).help("end the chain with `;`"));
    }
    if input.peek(Token![>]) {
        let message = "`>` closes nothing";
        return Err(Wrong::new(Code::UnexpectedToken, here(input), message)
            .help("begin the chain with `<`, or leave out both angle brackets"));
    }
    Err(expected(Code::ExpectedArrow, input, "`->` or `;`"))
}

/// An error at the very end of the input would underline the whole macro call; the last token is a better place.
fn on_last_token(mut wrong: Wrong, begin: syn::buffer::Cursor) -> Wrong {
    let mut rest = begin;
    while let Some((token, next)) = rest.token_tree() {
        wrong.place = Place::of(token.span());
        rest = next;
    }
    wrong
}

/// Removes `#[nnue(crate = path)]` from the attributes.
fn take_crate_path(attributes: &mut Vec<Attribute>, wrongs: &mut Vec<Wrong>) -> Option<syn::Path> {
    let mut path = None;
    attributes.retain(|attribute| {
        if !attribute.path().is_ident("nnue") {
            return true;
        }
        match attribute.parse_args_with(parse_crate_path) {
            Ok(found) => path = Some(found),
            Err(error) => {
                let message = format!("malformed attribute: {error}");
                let wrong = Wrong::new(Code::CrateAttribute, Place::of(error.span()), message);
                wrongs.push(wrong.help("write `#[nnue(crate = path::to::nnue)]`"));
            }
        }
        false
    });
    path
}

fn parse_crate_path(input: ParseStream) -> syn::Result<syn::Path> {
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    syn::Path::parse_mod_style(input)
}
