//! Declarations: attributes, visibility, name, and one of the two forms.

use nnue_spec::diagnostic::Code;
use proc_macro2::Delimiter;
use syn::parse::ParseStream;
use syn::token::Brace;
use syn::{Attribute, Ident, Token, Visibility};

use super::arrow::{LAYER, expected_arrow};
use super::ast::{Body, Chain, Declaration, Input};
use super::attribute::{conditions, take_crate_path};
use super::clause::{Scope, parse_clauses};
use super::dense::{begins_chain, parse_chain};
use super::keyword::CLAUSES;
use super::limits::{MAX_DECLARATIONS, too_many};
use super::parse::Parse;
use super::place::{Parsed, Place, Wrong};
use super::token::{begins_declaration, expected, found, here, parse_braces, peek_word, skip};
use super::written::{Written, group_text};

impl Parse for Input {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let mut all = Self::default();
        while !input.is_empty() {
            if all.declarations.len() + all.wrongs.len() == MAX_DECLARATIONS {
                let wrong = too_many(MAX_DECLARATIONS, "declarations", here(input));
                all.wrongs
                    .push(wrong.help("write several calls of `nnue!`, with fewer networks each"));
                break;
            }
            match Declaration::parse(input) {
                Ok(declaration) => all.declarations.push(declaration),
                Err(wrong) => {
                    all.wrongs.push(wrong);
                    recover(input);
                }
            }
        }
        all.refuse_twice();
        if all.declarations.is_empty() && all.wrongs.is_empty() {
            let wrong = Wrong::new(Code::EmptyInput, here(input), "`nnue!` declares no network");
            all.wrongs.push(wrong.help(EXAMPLE));
        }
        Ok(all)
    }
}

impl Input {
    /// Removes declarations with the name of an earlier one. With `#[cfg(..)]`, several may share a name,
    /// because only one of them exists.
    fn refuse_twice(&mut self) {
        let mut kept: Vec<Declaration> = Vec::new();
        for declaration in self.declarations.drain(..) {
            let is_same = |first: &&Declaration| {
                first.name == declaration.name
                    && conditions(&first.attributes).is_empty()
                    && conditions(&declaration.attributes).is_empty()
            };
            let Some(first) = kept.iter().find(is_same) else {
                kept.push(declaration);
                continue;
            };
            let (name, first) = (&declaration.name, Place::of(first.name.span()));
            let message = format!("the network `{name}` is declared twice");
            self.wrongs.push(
                Wrong::new(Code::DuplicateDeclaration, Place::of(name.span()), message)
                    .help("choose another name for one of the two")
                    .related(first, "first declared"),
            );
        }
        self.declarations = kept;
    }
}

const EXAMPLE: &str = "write for example `pub struct Mine = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1;`";

/// Skips up to and including the next `;`, or up to the next declaration.
fn recover(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![;]) {
        skip(input);
        if begins_declaration(input) {
            return;
        }
    }
    skip_semicolons(input);
}

impl Parse for Declaration {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let mut attributes = input.call(Attribute::parse_outer)?;
        let mut wrongs = Vec::new();
        let crate_path = take_crate_path(&mut attributes, &mut wrongs);
        let visibility: Visibility = input.parse()?;
        let name = parse_name(input)?;
        let mut declaration = Self {
            attributes,
            crate_path,
            visibility,
            name,
            body: None,
            wrongs,
        };
        declaration.parse_body(input);
        Ok(declaration)
    }
}

/// `struct Name`
fn parse_name(input: ParseStream) -> Parsed<Ident> {
    if !input.peek(Token![struct]) {
        let wrong = expected(Code::ExpectedDeclaration, input, "`struct`");
        let named = |word: &str| {
            matches!(
                word,
                "enum" | "type" | "let" | "fn" | "const" | "static" | "union"
            )
        };
        return Err(match peek_word(input) {
            Some(word) if named(&word) => wrong.help("write `struct`"),
            Some(word) if input.peek2(Token![=]) => wrong.help(format!("write `struct {word}`")),
            _ => wrong.help(EXAMPLE),
        });
    }
    input.parse::<Token![struct]>()?;
    if !input.peek(Ident) {
        return Err(expected(Code::ExpectedName, input, "the name of the network").help(EXAMPLE));
    }
    Ok(input.parse()?)
}

impl Declaration {
    /// Reads the part after the name. Errors are recorded here, so that the name stays known.
    fn parse_body(&mut self, input: ParseStream) {
        let begin = input.cursor();
        match self.parse_form(input) {
            Ok(body) => self.body = Some(body),
            Err(mut wrong) => {
                // At the end of the input, the location would be the whole macro call; the last token is
                // better.
                if input.is_empty() {
                    let last = Written::up_to(begin, input)
                        .place()
                        .map(|place| Place::of(place.end));
                    wrong.place = last.unwrap_or(Place::of(self.name.span()));
                }
                self.wrongs.push(wrong);
                recover(input);
            }
        }
    }

    fn parse_form(&mut self, input: ParseStream) -> Parsed<Body> {
        if input.peek(Token![<]) {
            let message = "a network has no generic parameters";
            return Err(Wrong::new(Code::Generics, here(input), message)
                .help("remove them, and declare each network under a name of its own"));
        }
        if input.peek(Brace) {
            let clauses = self.parse_braced(input, Scope::Graph)?;
            skip_semicolons(input);
            return Ok(Body::Graph(clauses));
        }
        if !input.peek(Token![=]) {
            return Err(self.expected_body(input));
        }
        input.parse::<Token![=]>()?;
        if begins_chain(input) {
            let mut clauses = parse_chain(input)?;
            if input.peek(Brace) {
                clauses.extend(self.parse_braced(input, Scope::Chain)?);
                skip_semicolons(input);
            } else {
                self.parse_chain_end(input)?;
            }
            return Ok(Body::Graph(clauses));
        }
        let chain = Box::new(Chain::parse(input)?);
        if input.peek(Brace) {
            let clauses = self.parse_braced(input, Scope::Chain)?;
            skip_semicolons(input);
            return Ok(Body::Chain(chain, clauses));
        }
        self.parse_chain_end(input)?;
        Ok(Body::Chain(chain, Vec::new()))
    }

    /// Reads `;`. If it is missing before the next declaration, that declaration is still read.
    fn parse_chain_end(&mut self, input: ParseStream) -> Parsed<()> {
        if input.peek(Token![;]) {
            skip_semicolons(input);
            return Ok(());
        }
        if begins_declaration(input) {
            self.wrongs.push(missing_semicolon(input));
            return Ok(());
        }
        Err(wrong_end(input))
    }

    fn expected_body(&self, input: ParseStream) -> Wrong {
        let wrong = expected(
            Code::ExpectedBody,
            input,
            &format!("`=` or `{{` after `{}`", self.name),
        );
        let inside = || group_text(input).trim_matches(['(', ')']).to_owned();
        match input.cursor().group(Delimiter::Parenthesis) {
            _ if input.peek(Token![:]) => wrong.help("write `=`"),
            Some((_, span, _)) => Wrong {
                place: Place::of(span.join()),
                ..wrong
            }
            .help(format!("write `= {}`", inside())),
            None => wrong.help(EXAMPLE),
        }
    }

    fn parse_braced(
        &mut self,
        input: ParseStream,
        scope: Scope,
    ) -> Parsed<Vec<super::ast::Clause>> {
        let (inside, _) = parse_braces(input)?;
        Ok(parse_clauses(&inside, scope, &mut self.wrongs))
    }
}

fn skip_semicolons(input: ParseStream) {
    while input.peek(Token![;]) {
        skip(input);
    }
}

fn missing_semicolon(input: ParseStream) -> Wrong {
    let message = format!(
        "expected `;` at the end of the chain, found {}",
        found(input)
    );
    Wrong::new(Code::MissingSemicolon, here(input), message).help("end the chain with `;`")
}

/// The error for a token that neither continues nor ends a chain.
fn wrong_end(input: ParseStream) -> Wrong {
    if input.is_empty() {
        return missing_semicolon(input);
    }
    if input.peek(Token![>]) {
        return Wrong::new(Code::UnexpectedToken, here(input), "`>` closes nothing")
            .help("begin the chain with `<`, or leave out both angle brackets");
    }
    match peek_word(input).filter(|word| CLAUSES.contains(&word.as_str())) {
        Some(word) => {
            let clause = Written::until(input, |token| token.to_string() == ";");
            let place = clause.place().unwrap_or_else(|| here(input));
            let message = format!("the clause `{word}` stands in braces after the chain");
            let wrong = Wrong::new(Code::MisplacedClause, place, message);
            wrong.help(format!("write `{{ {}; }}`", clause.text()))
        }
        None if input.peek(Token![,])
            && (input.peek2(Token![pub]) || input.peek2(Token![struct])) =>
        {
            missing_semicolon(input).help("write `;`")
        }
        None => expected_arrow(input, LAYER),
    }
}
