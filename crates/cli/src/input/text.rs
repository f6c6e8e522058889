//! Reads lines of a text file, which gzip or zstd may have compressed, or of standard input, one at a time.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use nnue_data::files::regular;
use nnue_tools::compression::{Bounds, Decompressed};

use crate::error::Error;
use crate::system::SystemError;

/// Longest line in bytes; valid lines are shorter.
const MOST_OF_LINE: u64 = 1 << 20;

/// The Unicode byte order mark that some editors write.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The lines of the file at `path` (`-`: standard input), each with its place; blank lines are skipped.
pub(crate) fn lines(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(String, String), Error>>, Error> {
    let (reader, name) = open(path)?;
    Ok(lines_of(reader, name))
}

/// The lines of an open file; `name` is for messages.
pub(crate) fn lines_of(
    reader: Box<dyn BufRead>,
    name: PathBuf,
) -> impl Iterator<Item = Result<(String, String), Error>> {
    let lines = Lines {
        reader,
        name,
        number: 0,
        ended: false,
    };
    lines.filter(|line| !matches!(line, Ok((_, text)) if text.trim().is_empty()))
}

/// Opens the file at `path` (`-`: standard input), decompressed; also returns its name for messages.
pub(crate) fn open(path: &Path) -> Result<(Box<dyn BufRead>, PathBuf), Error> {
    if is_standard(path) {
        return Ok((Box::new(io::stdin().lock()), "standard input".into()));
    }
    let failed = |source| Error::from(SystemError::read(path, source));
    let file = regular::read_or_pipe(path).map_err(failed)?;
    let text = Decompressed::open(file, Bounds::OF_TEXT).map_err(failed)?;
    Ok((Box::new(BufReader::new(text)), path.to_owned()))
}

pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

struct Lines {
    reader: Box<dyn BufRead>,
    name: PathBuf,
    number: usize,
    ended: bool,
}

impl Lines {
    /// The next line, or `None` at the end.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        self.reader
            .by_ref()
            .take(MOST_OF_LINE)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.len() as u64 == MOST_OF_LINE && !line.ends_with(b"\n") {
            return Err(io::Error::other(format!(
                "line {} has more than {MOST_OF_LINE} bytes",
                self.number + 1
            )));
        }
        let text = String::from_utf8(line).map_err(|_| io::ErrorKind::InvalidData)?;
        let text = if self.number == 0 {
            without_mark(&text)
        } else {
            &text
        };
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
    }
}

impl Iterator for Lines {
    type Item = Result<(String, String), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let line = self.line();
        self.number += 1;
        self.ended = !matches!(line, Ok(Some(_)));
        match line {
            Ok(text) => text.map(|text| {
                Ok((
                    format!("{}, line {}", self.name.display(), self.number),
                    text,
                ))
            }),
            Err(source) => Some(Err(SystemError::read(&self.name, source).into())),
        }
    }
}
