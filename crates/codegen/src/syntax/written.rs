//! Tokens as written, for help texts that repeat them.

use proc_macro2::TokenTree;
use syn::buffer::Cursor;
use syn::parse::ParseStream;

use super::place::Place;

/// The tokens between two positions in one stream.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    from: Cursor<'a>,
    to: Cursor<'a>,
}

impl<'a> Written<'a> {
    /// The tokens from `from` up to the next one in `input`.
    pub(crate) fn up_to(from: Cursor<'a>, input: ParseStream<'a>) -> Self {
        Self {
            from,
            to: input.cursor(),
        }
    }

    /// The tokens from the next one up to the first that satisfies `is_end`, or to the end.
    pub(crate) fn until(input: ParseStream<'a>, is_end: impl Fn(&TokenTree) -> bool) -> Self {
        let from = input.cursor();
        let mut to = from;
        while let Some((_, next)) = to.token_tree().filter(|(token, _)| !is_end(token)) {
            to = next;
        }
        Self { from, to }
    }

    fn tokens(self) -> impl Iterator<Item = TokenTree> {
        let Self { mut from, to } = self;
        std::iter::from_fn(move || {
            let (token, next) = from.token_tree().filter(|_| from != to)?;
            from = next;
            Some(token)
        })
    }

    /// The text, with spaces as in the source.
    pub(crate) fn text(self) -> String {
        let (mut text, mut last) = (String::new(), None);
        for token in self.tokens() {
            let span = token.span();
            if last.is_some_and(|end| end != span.start()) {
                text.push(' ');
            }
            text += &token_text(&token);
            last = Some(span.end());
        }
        text
    }

    /// The location from the first to the last token; `None` if there are none.
    pub(crate) fn place(self) -> Option<Place> {
        let places = self.tokens().map(|token| Place::of(token.span()));
        places.reduce(Place::to)
    }
}

fn token_text(token: &TokenTree) -> String {
    match token {
        TokenTree::Group(group) => {
            let text = group
                .span()
                .source_text()
                .unwrap_or_else(|| group.to_string());
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        token => token.to_string(),
    }
}

/// The next group, with its delimiters.
pub(crate) fn group_text(input: ParseStream) -> String {
    input
        .cursor()
        .token_tree()
        .map(|(token, _)| token_text(&token))
        .unwrap_or_default()
}
