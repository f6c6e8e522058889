//! Lines of a text file or of standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::error::Error;

/// The lines of the file at `path` (`-`: standard input) with the place of each, blank lines left out.
pub(crate) fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(String, String), Error>>, Error> {
    let failed = {
        let path = path.to_owned();
        move |source| Error::File { path: path.clone(), source }
    };
    let standard = path.as_os_str() == "-";
    let name = if standard { "standard input".to_owned() } else { path.display().to_string() };
    let reader: Box<dyn BufRead> = if standard {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(&failed)?))
    };
    let numbered = reader.lines().enumerate().map(move |(index, line)| match line {
        Ok(line) => Ok((format!("{name}, line {}", index + 1), line)),
        Err(source) => Err(failed(source)),
    });
    Ok(numbered.filter(|line| !matches!(line, Ok((_, text)) if text.trim().is_empty())))
}
