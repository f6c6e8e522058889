//! Parser of options.

use winnow::ModalResult;
use winnow::Parser;
use winnow::ascii::multispace0;
use winnow::combinator::{alt, cut_err, delimited, eof, fail, opt, peek};
use winnow::error::{ContextError, StrContext, StrContextValue};
use winnow::stream::{LocatingSlice, Location};
use winnow::token::take_while;

use super::section::{Section, Setting};
use crate::error::Error;

/// Maximum nesting depth of parentheses, because the parser is recursive.
const DEEPEST: usize = 50;

type Input<'i> = LocatingSlice<&'i str>;

/// Parses options.
///
/// # Errors
///
/// For a syntax error, with its position and what was expected.
pub fn parse(text: &str) -> Result<Section, Error> {
    let mut whole = delimited(multispace0, |input: &mut Input<'_>| list(input, 0), end);
    let section = whole.parse(LocatingSlice::new(text)).map_err(|error| {
        let at = error.offset();
        let found = match text[at..].chars().next() {
            Some(letter) => format!("`{letter}`"),
            None => "the end".into(),
        };
        Error::Text {
            at,
            expected: expectation(error.inner()),
            found,
        }
    })?;
    require_once(&section)?;
    Ok(section)
}

/// What the parser expected.
fn expectation(error: &ContextError) -> String {
    let described = error.context().find_map(|context| match context {
        StrContext::Expected(expected) => Some(expected.to_string()),
        _ => None,
    });
    described.unwrap_or_else(|| "something else".into())
}

fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

/// Refuses repeated options in a list.
fn require_once(section: &Section) -> Result<(), Error> {
    for (index, setting) in section.settings.iter().enumerate() {
        if section.settings[..index]
            .iter()
            .any(|earlier| earlier.name == setting.name)
        {
            return Err(Error::Twice {
                option: setting.name.clone(),
                at: setting.at,
            });
        }
    }
    section.sections.iter().try_for_each(require_once)
}

fn end(input: &mut Input<'_>) -> ModalResult<()> {
    cut_err(eof)
        .context(expected("a comma or the end"))
        .void()
        .parse_next(input)
}

/// A list, up to the first character that cannot belong to it.
fn list(input: &mut Input<'_>, depth: usize) -> ModalResult<Section> {
    let mut section = Section::default();
    if depth > DEEPEST {
        return cut_err(fail)
            .context(expected("at most 50 parentheses inside each other"))
            .parse_next(input);
    }
    let is_empty: ModalResult<()> = peek(alt((eof.void(), ')'.void()))).parse_next(input);
    if is_empty.is_ok() {
        return Ok(section);
    }
    loop {
        entry(input, depth, &mut section)?;
        if opt((',', multispace0)).parse_next(input)?.is_none() {
            return Ok(section);
        }
    }
}

/// An entry and trailing blanks.
fn entry(input: &mut Input<'_>, depth: usize, into: &mut Section) -> ModalResult<()> {
    let at = input.current_token_start();
    let name = if peek(opt('(')).parse_next(input)?.is_some() {
        None
    } else {
        Some(
            cut_err(word(is_of_name))
                .context(expected("a name or `(`"))
                .parse_next(input)?,
        )
    };
    multispace0.parse_next(input)?;
    if let Some(name) = &name
        && opt(('=', multispace0)).parse_next(input)?.is_some()
    {
        let value_at = input.current_token_start();
        let value = cut_err(word(is_of_value))
            .context(expected("a value"))
            .parse_next(input)?;
        multispace0.parse_next(input)?;
        into.settings.push(Setting {
            name: name.clone(),
            at,
            value,
            value_at,
            is_read: false.into(),
        });
        return Ok(());
    }
    let mut inner = Section::default();
    if opt(('(', multispace0)).parse_next(input)?.is_some() {
        inner = list(input, depth + 1)?;
        cut_err((')', multispace0))
            .context(expected("a comma or `)`"))
            .parse_next(input)?;
    }
    (inner.name, inner.at) = (name, at);
    into.sections.push(inner);
    Ok(())
}

/// Characters of a kind, or quoted text.
fn word<'i>(
    is_part: impl Fn(char) -> bool + Copy,
) -> impl Parser<Input<'i>, String, winnow::error::ErrMode<ContextError>> {
    let quoted = |quote: char| {
        let close = cut_err(quote).context(expected("a closing quote"));
        delimited(quote, take_while(0.., move |letter| letter != quote), close)
    };
    alt((quoted('\''), quoted('"'), take_while(1.., is_part))).map(str::to_owned)
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-./".contains(letter)
}

fn is_of_value(letter: char) -> bool {
    !letter.is_whitespace() && !",()='\"".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A complete text form of the section.
    fn shown(section: &Section) -> String {
        let settings = section
            .settings
            .iter()
            .map(|setting| format!("{}={:?}", setting.name, setting.value));
        let sections = section.sections.iter().map(|inner| {
            let name = inner
                .name
                .as_ref()
                .map_or(String::new(), |name| format!("{name:?}"));
            format!("{name}({})", shown(inner))
        });
        settings.chain(sections).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_are_read_as_written() {
        for (text, expected) in [
            ("", ""),
            ("  ", ""),
            ("nnue", "\"nnue\"()"),
            ("nnue()", "\"nnue\"()"),
            (
                "check(b, a, freq=0.1)",
                "\"check\"(freq=\"0.1\" \"b\"() \"a\"())",
            ),
            (
                "backend=cuda,(gpu=0),(gpu=1)",
                "backend=\"cuda\" (gpu=\"0\") (gpu=\"1\")",
            ),
            (
                "lc0 ( net = /a/b-c.pb.gz , x='a, (b)' )",
                "\"lc0\"(net=\"/a/b-c.pb.gz\" x=\"a, (b)\")",
            ),
            (
                "a(b(c(d=-1e5))), e=\"\", 'my net'(net=./n.bin)",
                "e=\"\" \"a\"(\"b\"(\"c\"(d=\"-1e5\"))) \"my net\"(net=\"./n.bin\")",
            ),
        ] {
            let section = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(shown(&section), expected, "{text}");
        }
    }

    #[test]
    fn faults_have_a_place() {
        let deep = "(".repeat(60);
        for (text, message) in [
            ("check(a,,b)", "byte 8: expected a name or `(`, found `,`"),
            ("check(a b)", "byte 8: expected a comma or `)`, found `b`"),
            ("check(a", "byte 7: expected a comma or `)`, found the end"),
            ("check)", "byte 5: expected a comma or the end, found `)`"),
            ("a,", "byte 2: expected a name or `(`, found the end"),
            ("a(b=)", "byte 4: expected a value, found `)`"),
            ("a(b='c)", "byte 7: expected a closing quote, found the end"),
            ("=3", "byte 0: expected a name or `(`, found `=`"),
            ("a=1, a=2", "byte 5: `a` is given twice"),
            ("ü", "byte 0: expected a name or `(`, found `ü`"),
            (
                &deep,
                "byte 51: expected at most 50 parentheses inside each other, found `(`",
            ),
        ] {
            assert_eq!(parse(text).expect_err(text).to_string(), message, "{text}");
        }
    }
}
