//! Reads the trainer's `save_format` list, alone or within a program. The format is described in
//! `docs/bullet.md`.
//!
//! ```text
//!   SavedFormat::id("l1w").round().quantise::<i8>(QB).transpose()      constants may be in the same text
//!   SavedFormat::new("l1w", QuantTarget::I16(QB), Layout::Normal)      of older trainers
//!   SavedFormat::custom(vec![0u8; 64])
//! ```

use nnue_spec::ElementType;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::constants::Constants;
use super::error::SearchError;
use super::head::Head;
use super::program::{Program, stem};
use super::request::Source;
use super::tokens::{MAX_DEPTH, Tokens, is_name, is_punct, tokens};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Saved {
    /// the trainer's tensor name; empty for bytes
    pub(super) id: String,
    pub(super) kind: Kind,
}

impl Saved {
    /// Whether this is a bias: `l0b`, `l1.bias`.
    pub(super) fn is_bias(&self) -> bool {
        let id = self.id.to_ascii_lowercase();
        id.contains("bias") || id.ends_with('b')
    }

    /// Whether it belongs to a separate first layer of the perspective not to move: `l0nw` beside `l0w`,
    /// `nstm_bias` beside `stm_bias`.
    pub(super) fn is_second(&self, all: &[Self]) -> bool {
        let id = self.id.to_ascii_lowercase();
        let own = stem(&id);
        let first = own.strip_suffix('n').or_else(|| {
            own.strip_prefix('n')
                .filter(|first| first.starts_with("stm"))
        });
        first.is_some_and(|first| {
            !first.is_empty()
                && all
                    .iter()
                    .any(|other| stem(&other.id.to_ascii_lowercase()) == first)
        })
    }

    pub(super) fn is_of(&self, head: &Head) -> bool {
        matches!(self.kind, Kind::Tensor { .. }) && stem(&self.id) == head.layer
    }

    pub(super) fn element(&self) -> Option<ElementType> {
        match self.kind {
            Kind::Bytes(_) => None,
            Kind::Tensor { element, .. } => Some(element),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// this many literal bytes
    Bytes(u64),
    Tensor {
        /// element type in the file
        element: ElementType,
        /// the scale; 1 for floats
        factor: u64,
        /// the inputs of each output are contiguous
        transposed: bool,
        transformed: bool,
    },
}

/// Reads all save formats of a text, at least one, and the facts of the program around them.
///
/// A list ends where a tensor is saved again.
pub(super) fn read(source: Source<'_>) -> Result<(Vec<Vec<Saved>>, Program), SearchError> {
    let tokens: TokenStream = source
        .text
        .parse()
        .map_err(|error: proc_macro2::LexError| {
            let start = error.span().start();
            let (line, column) = (start.line.max(1), start.column + 1);
            SearchError::Program(format!("{}:{line}:{column}: this is not Rust", source.name))
        })?;
    let mut reader = Reader {
        name: source.name,
        constants: Constants::read(tokens.clone()),
        segments: vec![Vec::new()],
    };
    reader.find_entries(tokens.clone(), 0)?;
    let lists = lists(reader.segments);
    let judged: Result<Vec<()>, SearchError> =
        lists.iter().map(|list| judge(source, list)).collect();
    let usable: Vec<_> = lists
        .into_iter()
        .filter(|list| judge(source, list).is_ok())
        .collect();
    match judged {
        Err(error) if usable.is_empty() => Err(error),
        _ => Ok((usable, Program::read(tokens, &reader.constants))),
    }
}

/// Joins the segments of each list.
fn lists(segments: Vec<Vec<Saved>>) -> Vec<Vec<Saved>> {
    let mut lists: Vec<Vec<Saved>> = vec![Vec::new()];
    for segment in segments {
        let list = lists.last_mut().expect("there is one");
        let repeats =
            |saved: &Saved| !saved.id.is_empty() && list.iter().any(|of| of.id == saved.id);
        if segment.iter().any(repeats) {
            lists.push(segment);
        } else {
            list.extend(segment);
        }
    }
    lists
}

/// Refuses lists that no declaration can describe.
fn judge(source: Source<'_>, list: &[Saved]) -> Result<(), SearchError> {
    let wrong = |message: &str| SearchError::Program(format!("{}: {message}", source.name));
    let is_tensor = |saved: &Saved| saved.element().is_some();
    let (Some(first), Some(last)) = (
        list.iter().position(is_tensor),
        list.iter().rposition(is_tensor),
    ) else {
        return Err(wrong(if source.text.contains("quantisations") {
            "it has `quantisations`, as programs of older trainers, and no `SavedFormat::id(\"..\")`: leave --save-format out, and choose with --width, --king-buckets and --output-buckets"
        } else {
            "there is no `SavedFormat::id(\"..\")` in it: paste the trainer's `save_format` list"
        }));
    };
    let tensors = &list[first..=last];
    if !tensors.iter().all(is_tensor) {
        return Err(wrong(
            "there are bytes between two tensors: `format raw` has bytes before all tensors and after them",
        ));
    }
    let biases = tensors.iter().filter(|saved| saved.is_bias()).count();
    if 2 * biases != tensors.len() || biases < 2 {
        return Err(wrong(&format!(
            "{} weights and {biases} biases (ids that end in `b`) are saved: every layer has one of each, and there are two layers or more",
            tensors.len() - biases
        )));
    }
    let second = tensors.iter().filter(|saved| saved.is_second(tensors));
    let first = [true, false].map(|bias| tensors.iter().find(|saved| saved.is_bias() == bias));
    for saved in first.into_iter().flatten().chain(second) {
        let types: &[ElementType] = match saved.is_bias() {
            true => &[ElementType::I16],
            false => &[ElementType::I16, ElementType::I8],
        };
        if !saved.element().is_some_and(|found| types.contains(&found)) {
            let names: Vec<&str> = types.iter().map(|element| element.name()).collect();
            return Err(wrong(&format!(
                "`{}` belongs to the accumulator, which is read as {}: quantise it so",
                saved.id,
                names.join(" or ")
            )));
        }
    }
    Ok(())
}

struct Reader<'a> {
    name: &'a str,
    constants: Constants,
    /// the entries of each pair of brackets, and those between them
    segments: Vec<Vec<Saved>>,
}

impl Reader<'_> {
    fn wrong(&self, message: impl std::fmt::Display) -> SearchError {
        SearchError::Program(format!("{}: {message}", self.name))
    }

    /// Reads every `SavedFormat::..` in the text.
    fn find_entries(&mut self, stream: TokenStream, depth: usize) -> Result<(), SearchError> {
        let mut tokens = tokens(stream);
        while let Some(token) = tokens.next() {
            if is_name(Some(&token), "SavedFormat") && is_punct(tokens.peek(), ':') {
                tokens.nth(1);
                self.entry(&mut tokens)?;
            } else if let (TokenTree::Group(group), true) = (token, depth < MAX_DEPTH) {
                let is_list = group.delimiter() == Delimiter::Bracket;
                if is_list {
                    self.segments.push(Vec::new());
                }
                self.find_entries(group.stream(), depth + 1)?;
                if is_list {
                    self.segments.push(Vec::new());
                }
            }
        }
        Ok(())
    }

    /// Adds an entry. A tensor that is saved again begins another list.
    fn push(&mut self, saved: Saved) {
        let segment = self.segments.last_mut().expect("there is one");
        if !saved.id.is_empty() && segment.iter().any(|other| other.id == saved.id) {
            self.segments.push(vec![saved]);
        } else {
            segment.push(saved);
        }
    }

    /// Reads `id("l0w")` and the calls on it.
    fn entry(&mut self, tokens: &mut Tokens) -> Result<(), SearchError> {
        let (Some(TokenTree::Ident(function)), Some(TokenTree::Group(arguments))) =
            (tokens.next(), tokens.next())
        else {
            return Ok(());
        };
        match function.to_string().as_str() {
            "id" => {
                let id = arguments.stream().to_string().trim_matches('"').to_owned();
                self.tensor(id, tokens)
            }
            "new" => self.positional(arguments.stream()),
            "custom" => {
                let bytes = self.bytes(arguments.stream()).ok_or_else(|| {
                    self.wrong(format!(
                        "`SavedFormat::custom({})` has an unknown length",
                        arguments.stream()
                    ))
                })?;
                self.push(Saved {
                    id: String::new(),
                    kind: Kind::Bytes(bytes),
                });
                Ok(())
            }
            "empty" => {
                Err(self
                    .wrong("`SavedFormat::empty()` is filled by a closure: its length is unknown"))
            }
            _ => Ok(()),
        }
    }

    fn tensor(&mut self, id: String, tokens: &mut Tokens) -> Result<(), SearchError> {
        let (mut element, mut factor, mut transposed, mut transformed) =
            (ElementType::F32, 1, false, false);
        while is_punct(tokens.peek(), '.') {
            tokens.next();
            let Some(TokenTree::Ident(method)) = tokens.next() else {
                break;
            };
            let mut generic = None;
            while let Some(token) = tokens.next_if(|token| !matches!(token, TokenTree::Group(_))) {
                if let TokenTree::Ident(ident) = token {
                    generic = Some(ident.to_string());
                }
            }
            let Some(TokenTree::Group(arguments)) = tokens.next() else {
                break;
            };
            match method.to_string().as_str() {
                "quantise" => {
                    element = self.element(&id, generic.as_deref())?;
                    factor = self.factor(&id, &arguments)?;
                }
                "transpose" => transposed = !transposed,
                "transform" | "add_transform" => transformed = true,
                _ => {}
            }
        }
        self.push(Saved {
            id,
            kind: Kind::Tensor {
                element,
                factor,
                transposed,
                transformed,
            },
        });
        Ok(())
    }

    /// Reads `"l0w", QuantTarget::I16(QA), Layout::Transposed(..)`, the arguments of `SavedFormat::new` in older trainers.
    fn positional(&mut self, arguments: TokenStream) -> Result<(), SearchError> {
        let arguments: Vec<TokenTree> = arguments.into_iter().collect();
        let [id, target, layout, ..] = arguments
            .split(|token| is_punct(Some(token), ','))
            .collect::<Vec<_>>()[..]
        else {
            return Ok(());
        };
        let id: TokenStream = id.iter().cloned().collect();
        let id = id.to_string().trim_matches('"').to_owned();
        let has = |tokens: &[TokenTree], name: &str| {
            tokens.iter().any(|token| is_name(Some(token), name))
        };
        let (element, factor) = match target.last() {
            Some(TokenTree::Group(factor)) => {
                let types = ["i8", "i16", "i32"];
                let name = types
                    .into_iter()
                    .find(|name| has(target, &name.to_uppercase()));
                (self.element(&id, name)?, self.factor(&id, factor)?)
            }
            _ => (ElementType::F32, 1),
        };
        self.push(Saved {
            id,
            kind: Kind::Tensor {
                element,
                factor,
                transposed: has(layout, "Transposed"),
                transformed: false,
            },
        });
        Ok(())
    }

    fn factor(&self, id: &str, arguments: &Group) -> Result<u64, SearchError> {
        let factor = self.constants.number(arguments.stream());
        factor
            .filter(|&factor| factor > 0)
            .ok_or_else(|| self.no_number(id, arguments))
    }

    /// The error for a factor that is not a product of numbers.
    fn no_number(&self, id: &str, arguments: &Group) -> SearchError {
        let text = arguments
            .span()
            .source_text()
            .unwrap_or_else(|| arguments.to_string());
        let text = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'))
            .unwrap_or(&text)
            .trim();
        let missing = self.missing_constant(arguments.stream(), 0);
        let advice = match missing {
            Some(name) => format!("paste `const {name}: .. = ..;` as well"),
            None => "write a product of numbers and constants".to_owned(),
        };
        self.wrong(format!(
            "`{id}` is quantised by `{text}`, which is not a number: {advice}"
        ))
    }

    fn missing_constant(&self, expression: TokenStream, depth: usize) -> Option<String> {
        let is_constant = |name: &str| {
            name.chars()
                .all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit())
        };
        expression.into_iter().find_map(|token| match token {
            TokenTree::Ident(ident) => Some(ident.to_string())
                .filter(|name| is_constant(name) && !self.constants.has_number(name)),
            TokenTree::Group(group) if depth < MAX_DEPTH => {
                self.missing_constant(group.stream(), depth + 1)
            }
            _ => None,
        })
    }

    fn element(&self, id: &str, name: Option<&str>) -> Result<ElementType, SearchError> {
        let all = [ElementType::I8, ElementType::I16, ElementType::I32];
        let found = all.into_iter().find(|element| Some(element.name()) == name);
        found.ok_or_else(|| {
            self.wrong(format!(
                "`{id}` is quantised to no type: write `.quantise::<i16>(..)`, or i8 or i32"
            ))
        })
    }

    /// The length of `vec![0u8; 64]`, `[1, 2, 3]` or `b"text"`; the result of a function call is unknown.
    fn bytes(&self, stream: TokenStream) -> Option<u64> {
        let group = stream.into_iter().find_map(|token| match token {
            TokenTree::Literal(literal) => Some(Err(literal)),
            TokenTree::Group(group) => Some(Ok(group)),
            _ => None,
        });
        match group? {
            Err(literal) => {
                let text = literal.to_string();
                let inner = text
                    .strip_prefix("b\"")
                    .and_then(|text| text.strip_suffix('"'))?;
                (!inner.contains('\\')).then_some(inner.len() as u64)
            }
            Ok(group) if group.delimiter() == Delimiter::Bracket => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let is = |punct| move |token: &TokenTree| is_punct(Some(token), punct);
                match inner.iter().position(is(';')) {
                    Some(at) => self
                        .constants
                        .number(inner[at + 1..].iter().cloned().collect()),
                    None => Some(
                        inner
                            .split(is(','))
                            .filter(|element| !element.is_empty())
                            .count() as u64,
                    ),
                }
            }
            Ok(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Result<Vec<Saved>, SearchError> {
        read(Source { name: "list", text }).map(|(lists, _)| lists.concat())
    }

    #[test]
    fn lists_that_no_file_can_have_are_refused() {
        let list = |l0w: &str, between: &str| {
            format!(
                "SavedFormat::id(\"l0w\"){l0w}, {between} SavedFormat::id(\"l0b\").quantise::<i16>(255), SavedFormat::id(\"l1w\"),
                 SavedFormat::id(\"l1b\")"
            )
        };
        let error = |text: &str| entries(text).expect_err(text).to_string();
        assert!(entries(&list(".quantise::<i16>(255)", "")).is_ok());
        assert!(error(&list("", "")).contains("`l0w` belongs to the accumulator"));
        assert!(
            error(&list(
                ".quantise::<i16>(255)",
                "SavedFormat::custom([0; 2]),"
            ))
            .contains("there are bytes between two tensors")
        );
        assert!(
            error(&list(".quantise::<i16>(255)", "SavedFormat::id(\"l2w\"),"))
                .contains("3 weights and 2 biases")
        );
    }

    fn tensor(
        id: &str,
        element: ElementType,
        factor: u64,
        transposed: bool,
        transformed: bool,
    ) -> Saved {
        Saved {
            id: id.into(),
            kind: Kind::Tensor {
                element,
                factor,
                transposed,
                transformed,
            },
        }
    }

    #[test]
    fn a_program_with_constants_is_read() {
        let text = r#"
            const QA: i16 = 255;
            const QB: i16 = 64;
            fn main() {
                let trainer = Builder::default().save_format(&[
                    SavedFormat::custom(vec![0u8; 32 * 2]),
                    SavedFormat::id("l0w").transform(|store, weights| { weights }).round().quantise::<i16>(QA),
                    SavedFormat::id("l0b").quantise::<i16>(QA),
                    SavedFormat::id("l1w").round().transpose().quantise::<i8>(QB), // comments are skipped
                    SavedFormat::id("l1b").quantise::<i32>(QA as i32 * i32::from(QB)),
                    SavedFormat::id("l2w").transpose(),
                    SavedFormat::id("l2b"),
                    SavedFormat::custom([1, 2, 3,]), SavedFormat::custom(b"end"),
                ]);
            }"#;
        let bytes = |count| Saved {
            id: String::new(),
            kind: Kind::Bytes(count),
        };
        let expected = [
            bytes(64),
            tensor("l0w", ElementType::I16, 255, false, true),
            tensor("l0b", ElementType::I16, 255, false, false),
            tensor("l1w", ElementType::I8, 64, true, false),
            tensor("l1b", ElementType::I32, 16320, false, false),
            tensor("l2w", ElementType::F32, 1, true, false),
            tensor("l2b", ElementType::F32, 1, false, false),
            bytes(3),
            bytes(3),
        ];
        assert_eq!(entries(text).ok().as_deref(), Some(&expected[..]));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let error = |text: &str| entries(text).expect_err(text).to_string();
        assert!(error("hello").contains("there is no `SavedFormat::id"));
        assert!(error("x.quantisations(&[255, 64])").contains("leave --save-format out"));
        assert!(error("SavedFormat::id(").starts_with("list:1:"));
        assert!(
            error(r#"SavedFormat::id("l0w").quantise::<i16>(QA)"#)
                .contains("`l0w` is quantised by `QA`, which is not a number: paste `const QA: .. = ..;` as well")
        );
        assert!(
            error(r#"SavedFormat::id("l0w").quantise::<i64>(2)"#)
                .contains("`l0w` is quantised to no type")
        );
        for length in ["header()", "header(&[0; 5])", "BYTES", "b\"\\n\""] {
            assert!(
                error(&format!("SavedFormat::custom({length})")).contains("has an unknown length"),
                "{length}"
            );
        }
        assert!(error("SavedFormat::empty()").contains("filled by a closure"));
    }
}
