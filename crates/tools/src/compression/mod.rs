//! Compression around a network file: gzip and zstd, known by the first bytes, whatever the name of the file.
//!
//! ```text
//!   zstd( file )               all of the file
//!   header, zstd( tensors )    all that follows the bytes before the first tensor
//! ```
//!
//! [`Decompressed`] streams: it holds one buffer and the window of the method, at most 128 MiB. It gives at most one byte more
//! than the network can have, and then an error, so a file that decompresses to endless zeros is refused.

#[cfg_attr(feature = "zstd", path = "zstd_of_c.rs")]
mod zstd;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use nnue_format::leb128::Number;
use nnue_format::{BLOCK_HEAD, MAX_DESCRIPTION, Padding, raw_size};
use nnue_spec::{ElementType, NetDesc, Placed, RawDesc, Section, Span, TensorDesc};

use self::zstd::Frames;

/// Compressed bytes that are read at a time.
const BUFFER: usize = 1 << 16;

/// The longest magic number.
const MAGIC: usize = 4;

/// A method of compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// RFC 1952
    Gzip,
    /// RFC 8878
    Zstd,
}

impl Method {
    /// The method whose magic number begins `head`.
    pub fn of_head(head: &[u8]) -> Option<Self> {
        match head {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The method of a file name, by its end: `.gz` or `.zst`.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let is = |name| extension.eq_ignore_ascii_case(name);
        match () {
            () if is("gz") => Some(Self::Gzip),
            () if is("zst") => Some(Self::Zstd),
            () => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

/// Compresses a file: gzip at level 9; zstd at level 19 with the feature `zstd`, otherwise at its fastest level.
///
/// # Errors
///
/// If the library of the method fails.
pub fn compress(method: Method, file: &[u8]) -> io::Result<Vec<u8>> {
    match method {
        Method::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(file)?;
            encoder.finish()
        }
        Method::Zstd => zstd::compress(file),
    }
}

/// What a declaration says about the length of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// bytes before the first tensor, after which a compression may begin; 0 in the Stockfish container
    pub lead: usize,
    /// the most bytes of a file in any encoding
    pub most: u64,
}

impl Bounds {
    /// Those of a text, which is read line by line.
    pub const OF_TEXT: Self = Self {
        lead: 0,
        most: u64::MAX,
    };

    /// Bounds of the files of `net`. They are exact where the length of a file does not depend on its numbers.
    pub fn of(net: &NetDesc<'_>) -> Self {
        Self {
            lead: lead(net),
            most: most(net),
        }
    }

    /// Bounds of a file that may have any of `nets`.
    pub fn of_any(nets: &[&NetDesc<'_>]) -> Self {
        let most = nets.iter().map(|net| most(net)).max();
        Self {
            lead: 0,
            most: most.unwrap_or(0),
        }
    }
}

/// The most bytes of a file of `net`, with the longest padding.
fn most(net: &NetDesc<'_>) -> u64 {
    match &net.raw {
        None => most_of_container(net),
        Some(raw) => raw_size(net, Padding::Any).unwrap_or_else(|| most_by_contents(net, raw)),
    }
}

/// The most bytes of a container, whose description has any length and whose transformer may be LEB128.
fn most_of_container(net: &NetDesc<'_>) -> u64 {
    let tensor = |desc: &TensorDesc<'_>| {
        let raw = (desc.len() * desc.element.bytes()) as u64;
        match desc.role.is_of_layer() {
            true => raw,
            false => raw.max(BLOCK_HEAD as u64 + longest(desc.element, desc.len())),
        }
    };
    let words = 4 * (4 + net.stacks.count as u64);
    words + MAX_DESCRIPTION as u64 + net.tensors.iter().map(tensor).sum::<u64>()
}

/// The most bytes of a header-less file whose size depends on its contents.
fn most_by_contents(net: &NetDesc<'_>, raw: &RawDesc<'_>) -> u64 {
    let mut most = |placed: &Placed<'_>| {
        let (count, element) = raw.numbers(net, placed);
        match raw.leb128 || placed.in_block {
            true => longest(element, count),
            false => (count * element.bytes()) as u64,
        }
    };
    let spans = raw.spans_of(net.stacks.count, &mut most);
    let texts = raw
        .sections
        .iter()
        .filter(|section| **section == Section::Text);
    let size = spans.last().map_or(0, Span::end) + (texts.count() * MAX_DESCRIPTION) as u64;
    size.next_multiple_of(Padding::ALIGNMENT as u64)
}

/// The most bytes of `count` LEB128 numbers; floats are written as their 32 bits.
fn longest(element: ElementType, count: usize) -> u64 {
    let bytes = match element {
        ElementType::I8 => i8::MAX_BYTES,
        ElementType::I16 => i16::MAX_BYTES,
        ElementType::I32 | ElementType::F32 => i32::MAX_BYTES,
    };
    (count * bytes) as u64
}

/// The bytes before the first tensor.
fn lead(net: &NetDesc<'_>) -> usize {
    let Some(raw) = &net.raw else { return 0 };
    let mut lead = 0_usize;
    for placed in raw.placed(net) {
        lead = match placed.section {
            Section::Skip(bytes) => lead.saturating_add(bytes),
            Section::Constant(bytes) => lead.saturating_add(bytes.len()),
            Section::Align(to) => lead.next_multiple_of(to),
            Section::Stacks(_) => lead,
            _ => break,
        };
    }
    lead
}

/// A file, decompressed if it is compressed. It can be seeked if the source can; a compressed one is then decompressed again.
pub struct Decompressed<R> {
    /// bytes that come before those of `state`
    head: Cursor<Vec<u8>>,
    state: State<R>,
    method: Option<Method>,
    position: u64,
    /// the length, once the end was reached
    length: Option<u64>,
    bounds: Bounds,
}

/// Input whose first bytes were looked at.
type Peeked<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

enum State<R> {
    Plain(R),
    Gzip(Box<MultiGzDecoder<Peeked<R>>>),
    Zstd(Box<Frames<Peeked<R>>>),
    /// the source was lost to an error
    Ended,
}

impl<R> fmt::Debug for Decompressed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decompressed")
            .field("method", &self.method)
            .field("position", &self.position)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

impl Decompressed<File> {
    /// Opens a regular file.
    ///
    /// # Errors
    ///
    /// As [`nnue_format::open`] and [`open`](Self::open).
    pub fn open_path(path: &Path, bounds: Bounds) -> io::Result<Self> {
        Self::open(nnue_format::open(path)?, bounds)
    }
}

impl<R: Read> Decompressed<R> {
    /// Looks at the start of a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, the compression is damaged, or the file in it is compressed again.
    pub fn open(mut source: R, bounds: Bounds) -> io::Result<Self> {
        let mut head = Vec::new();
        fill(&mut source, &mut head, MAGIC)?;
        let mut method = Method::of_head(&head);
        let mut lead = 0;
        if method.is_none() && bounds.lead > 0 {
            fill(&mut source, &mut head, bounds.lead.saturating_add(MAGIC))?;
            method = head.get(bounds.lead..).and_then(Method::of_head);
            lead = bounds.lead;
        }
        let Some(found) = method else {
            return Ok(Self {
                head: Cursor::new(head),
                state: State::Plain(source),
                method,
                position: 0,
                length: None,
                bounds,
            });
        };
        let magic = head.split_off(lead);
        let peeked = BufReader::with_capacity(BUFFER, Cursor::new(magic).chain(source));
        let mut state = match found {
            Method::Gzip => State::Gzip(Box::new(MultiGzDecoder::new(peeked))),
            Method::Zstd => State::Zstd(Box::new(Frames::new(peeked)?)),
        };
        let mut inner = Vec::new();
        fill(&mut state, &mut inner, MAGIC).map_err(|error| damaged(found, error))?;
        if let Some(other) = Method::of_head(&inner).filter(|_| lead == 0) {
            let message = format!(
                "it is compressed twice, by {other} inside {found}: decompress it once (`{}`)",
                match found {
                    Method::Gzip => "gunzip",
                    Method::Zstd => "unzstd",
                }
            );
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        head.extend(inner);
        Ok(Self {
            head: Cursor::new(head),
            state,
            method,
            position: 0,
            length: None,
            bounds,
        })
    }

    /// The method of the compression, if there is one.
    pub fn method(&self) -> Option<Method> {
        self.method
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let buffer = self.allowed(buffer)?;
        let mut bytes = self.head.read(buffer)?;
        if bytes == 0 {
            bytes = self.state.read(buffer).map_err(|error| match self.method {
                Some(method) => damaged(method, error),
                None => error,
            })?;
        }
        self.position += bytes as u64;
        if bytes == 0 && !buffer.is_empty() {
            self.length = Some(self.position);
        }
        Ok(bytes)
    }
}

impl<R> Decompressed<R> {
    /// The part of `buffer` that may be filled: up to one byte more than the file can have.
    fn allowed<'b>(&self, buffer: &'b mut [u8]) -> io::Result<&'b mut [u8]> {
        let most = self.bounds.most;
        if self.method.is_none() {
            return Ok(buffer);
        }
        let left = most.saturating_add(1).saturating_sub(self.position);
        if left == 0 {
            return Err(too_long(most));
        }
        let length = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        Ok(&mut buffer[..length])
    }
}

impl<R: Read> Read for State<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(source) => source.read(buffer),
            Self::Gzip(decoder) => decoder.read(buffer),
            Self::Zstd(decoder) => decoder.read(buffer),
            Self::Ended => Ok(0),
        }
    }
}

impl<R: Read + Seek> Seek for Decompressed<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let State::Plain(source) = &mut self.state {
            let to = match to {
                // The source is ahead of what was given.
                SeekFrom::Current(by) => SeekFrom::Start(offset(self.position, by)?),
                other => other,
            };
            self.position = source.seek(to)?;
            self.head = Cursor::default();
            return Ok(self.position);
        }
        let target = match to {
            SeekFrom::Start(target) => target,
            SeekFrom::Current(by) => offset(self.position, by)?,
            SeekFrom::End(by) => {
                let end = match self.length {
                    Some(length) => length,
                    None => {
                        io::copy(self, &mut io::sink())?;
                        self.position
                    }
                };
                offset(end, by)?
            }
        };
        if target < self.position {
            self.rewind_source()?;
        }
        let ahead = target - self.position;
        io::copy(&mut self.by_ref().take(ahead), &mut io::sink())?;
        Ok(self.position)
    }
}

impl<R: Read + Seek> Decompressed<R> {
    /// Begins again.
    fn rewind_source(&mut self) -> io::Result<()> {
        let mut source = match std::mem::replace(&mut self.state, State::Ended) {
            State::Plain(source) => source,
            State::Gzip(decoder) => decoder.into_inner().into_inner().into_inner().1,
            State::Zstd(decoder) => decoder.into_inner().into_inner().into_inner().1,
            State::Ended => return Err(io::ErrorKind::UnexpectedEof.into()),
        };
        source.rewind()?;
        let length = self.length;
        *self = Self::open(source, self.bounds)?;
        self.length = length;
        Ok(())
    }
}

/// Reads until `head` has `bytes` bytes, or the source ends.
fn fill(source: &mut impl Read, head: &mut Vec<u8>, bytes: usize) -> io::Result<()> {
    let missing = bytes.saturating_sub(head.len());
    source.by_ref().take(missing as u64).read_to_end(head)?;
    Ok(())
}

fn offset(from: u64, by: i64) -> io::Result<u64> {
    from.checked_add_signed(by)
        .ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// The error for a stream that is not as its method has it. Errors of the system stay as they are.
fn damaged(method: Method, error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    let why = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
        _ => error.to_string(),
    };
    io::Error::other(format!("the {method} compression is damaged: {why}"))
}

fn too_long(most: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!("decompressed, it has more than the {most} bytes that are expected at most"),
    )
}
