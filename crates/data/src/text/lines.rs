//! Lines of untrusted text.

use std::io::{BufRead, BufReader, Read};

use crate::{Fault, Place, ReadError, Unit};

/// The longest line of a text of positions, in bytes.
pub(super) const LONGEST: usize = 4096;

/// The lines of a text, with their places.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    /// the longest line, in bytes
    longest: usize,
    line: Vec<u8>,
    place: Place,
    /// offset of the next line
    next: u64,
    /// whether [`record`](Self::record) has reached the end
    ended: bool,
}

impl<R: Read> Lines<R> {
    /// Lines of at most `longest` bytes.
    pub(crate) fn new(input: R, longest: usize) -> Self {
        let place = Place {
            unit: Unit::Line,
            number: 0,
            offset: 0,
        };
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            longest,
            line: Vec::new(),
            place,
            next: 0,
            ended: false,
        }
    }

    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// The next line, trimmed, without a byte order mark. `None` at the end. The rest of a line that is too long is skipped.
    pub(super) fn next(&mut self) -> Result<Option<&str>, ReadError> {
        self.place.number += 1;
        self.place.offset = self.next;
        self.line.clear();
        let read = self
            .input
            .by_ref()
            .take(self.longest as u64)
            .read_until(b'\n', &mut self.line)?;
        self.next += read as u64;
        let place = self.place;
        let damaged = |fault| ReadError::Damaged { place, fault };
        if read == self.longest && self.line.last() != Some(&b'\n') {
            self.next += self.input.skip_until(b'\n')? as u64;
            return Err(damaged(Fault::LongLine(self.longest)));
        }
        let line = std::str::from_utf8(&self.line).map_err(|_| damaged(Fault::NotText))?;
        Ok((read > 0).then(|| line.trim_start_matches('\u{feff}').trim()))
    }

    /// The result of `parse` for the next line that it does not skip by returning `None`. It continues after
    /// a wrong line. `None` after the last line, and after an I/O error.
    pub(crate) fn record<T>(
        &mut self,
        parse: impl FnMut(&str) -> Option<Result<T, Fault>>,
    ) -> Option<Result<T, ReadError>> {
        if self.ended {
            return None;
        }
        let next = self.parse_next(parse);
        self.ended = matches!(next, Ok(None) | Err(ReadError::Io(_)));
        next.transpose()
    }

    fn parse_next<T>(
        &mut self,
        mut parse: impl FnMut(&str) -> Option<Result<T, Fault>>,
    ) -> Result<Option<T>, ReadError> {
        while let Some(line) = self.next()? {
            if let Some(parsed) = parse(line) {
                let place = self.place;
                return parsed
                    .map(Some)
                    .map_err(|fault| ReadError::Damaged { place, fault });
            }
        }
        Ok(None)
    }
}
