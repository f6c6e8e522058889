//! The tokens of a PGN file.

use std::io::{BufRead, BufReader, Read};

use crate::ReadError;

/// The most bytes kept of a word, a tag or a comment; the rest is read and dropped.
const KEPT: usize = 4096;

/// With it some programs begin a file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// `{ .. }` or from `;` to the end of the line
    Comment(String),
    /// `(` or `)`
    Variation(bool),
    /// a move, a move number, a result or a glyph
    Word(String),
}

#[derive(Debug)]
pub(super) struct Tokens<R> {
    input: BufReader<R>,
    offset: u64,
    /// offset of the last token
    begin: u64,
    /// whether the next byte begins a line
    at_line: bool,
}

impl<R: Read> Tokens<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            offset: 0,
            begin: 0,
            at_line: true,
        }
    }

    /// The offset of the last token in the file.
    pub(super) const fn begin(&self) -> u64 {
        self.begin
    }

    /// The next token. `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Token>, ReadError> {
        while let Some(byte) = self.peek()? {
            self.begin = self.offset;
            let token = match byte {
                b'%' => {
                    self.skip_line()?;
                    continue;
                }
                b'[' => tag(&self.between(b']')?),
                b'{' => Token::Comment(self.between(b'}')?),
                b';' => Token::Comment(self.between(b'\n')?),
                b'(' | b')' => {
                    self.skip(byte);
                    Token::Variation(byte == b'(')
                }
                _ if byte.is_ascii_whitespace() || b"]}.".contains(&byte) => {
                    self.skip(byte);
                    continue;
                }
                _ => match self.word()? {
                    word if word == BYTE_ORDER_MARK => continue,
                    word => Token::Word(word),
                },
            };
            return Ok(Some(token));
        }
        Ok(None)
    }

    fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn skip(&mut self, byte: u8) {
        self.input.consume(1);
        self.offset += 1;
        self.at_line = byte == b'\n';
    }

    /// Skips a line that begins with `%`. Readers must ignore it (PGN standard, section 6), also inside
    /// comments.
    fn skip_line(&mut self) -> Result<(), ReadError> {
        while let Some(byte) = self.peek()? {
            self.skip(byte);
            if byte == b'\n' {
                break;
            }
        }
        Ok(())
    }

    /// Reads the text between the next byte and `end`, and skips both. The value of a tag may contain the
    /// bracket.
    fn between(&mut self, end: u8) -> Result<String, ReadError> {
        let mut kept = Vec::new();
        let mut in_quotes = false;
        self.skip(b' '); // the opening bracket
        while let Some(byte) = self.peek()? {
            if self.at_line && byte == b'%' && end == b'}' {
                self.skip_line()?;
                continue;
            }
            self.skip(byte);
            in_quotes ^= end == b']' && byte == b'"';
            // a tag ends with its line, even inside quotes
            let is_end = byte == end && !in_quotes || end == b']' && byte == b'\n';
            if is_end {
                break;
            }
            if kept.len() < KEPT {
                kept.push(byte);
            }
        }
        Ok(String::from_utf8_lossy(&kept).into_owned())
    }

    fn word(&mut self) -> Result<String, ReadError> {
        let mut kept = Vec::new();
        while let Some(byte) = self.peek()? {
            let is_end = byte.is_ascii_whitespace() || b"[]{}();.".contains(&byte);
            if is_end || kept == BYTE_ORDER_MARK.as_bytes() {
                break;
            }
            self.skip(byte);
            if kept.len() < KEPT {
                kept.push(byte);
            }
        }
        Ok(String::from_utf8_lossy(&kept).into_owned())
    }
}

fn tag(text: &str) -> Token {
    let (name, value) = text
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((text.trim(), ""));
    Token::Tag(name.to_owned(), value.trim().trim_matches('"').to_owned())
}
