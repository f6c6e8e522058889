//! Splits Arrow files and streams into messages, before anything decodes them.
//!
//! ```text
//!   stream   schema │ batch │ batch │ .. │ end
//!   file     ARROW1 00 00 │ stream │ footer, which is not needed
//!   message  FFFFFFFF, length of the metadata (4 bytes), metadata, body; without FFFFFFFF before Arrow 0.15; at the end the length is 0
//! ```
//!
//! A message is read whole, as far as its bytes exist, and refused if its sizes are implausible: the code
//! that decodes it trusts them.

use std::io::{self, Read};

use arrow_ipc::{Message as Header, MessageHeader, RecordBatch, root_as_message};

/// The start of a file; streams do not have it.
pub(crate) const MAGIC: [u8; 8] = *b"ARROW1\0\0";

/// Zeros that may follow [`MAGIC`].
const MOST_PADDING: u64 = 64;

const MAGIC_WORDS: [[u8; 4]; 2] = [*b"ARRO", *b"W1\0\0"];

/// The start of a message.
pub(crate) const MARKER: [u8; 4] = [0xFF; 4];

/// The largest accepted message, and its largest decompressed size: 2 GiB.
const MOST: u64 = 1 << 31;

/// The decompressed size that a message of any size may have. Larger sizes are limited by [`GROWTH`].
const MOST_OF_SMALL: u64 = 256 << 20;

/// The most decompressed bytes for each byte of a larger message.
const GROWTH: u64 = 32;

/// The largest metadata of a message, in bytes.
const MOST_METADATA: u32 = 1 << 26;

/// Why the next message cannot be read.
#[derive(Debug)]
pub(crate) enum Failure {
    Io(io::Error),
    Damaged(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<&str> for Failure {
    fn from(reason: &str) -> Self {
        Self::Damaged(reason.into())
    }
}

pub(crate) struct Message {
    metadata: Vec<u8>,
    pub(crate) body: Vec<u8>,
    /// its offset in the file or stream
    pub(crate) begin: u64,
}

impl Message {
    /// The header, which describes the body.
    pub(crate) fn header(&self) -> Result<Header<'_>, Failure> {
        read(&self.metadata)
    }
}

pub(crate) struct Messages<R> {
    input: R,
    /// bytes read so far
    at: u64,
    ended: bool,
}

impl<R: Read> Messages<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            at: 0,
            ended: false,
        }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Message>, Failure> {
        if self.ended {
            return Ok(None);
        }
        let next = self.read_next();
        self.ended = !matches!(next, Ok(Some(_)));
        next
    }

    fn read_next(&mut self) -> Result<Option<Message>, Failure> {
        let mut begin = self.at;
        let mut word = self.word()?;
        if begin == 0 && word == Some(MAGIC_WORDS[0]) {
            if self.word()? != Some(MAGIC_WORDS[1]) {
                return Err("it begins neither as a file nor as a stream".into());
            }
            // writers leave different amounts of room before the first message
            word = Some([0; 4]);
            while word == Some([0; 4]) && self.at <= MOST_PADDING {
                begin = self.at;
                word = self.word()?;
            }
        }
        if word == Some(MARKER) {
            word = Some(self.word()?.ok_or(CUT)?);
        }
        match word.map(u32::from_le_bytes) {
            None | Some(0) => Ok(None),
            Some(length) if length > MOST_METADATA => Err(Failure::Damaged(format!(
                "a message with {length} bytes of metadata"
            ))),
            Some(length) => self.rest(begin, length).map(Some),
        }
    }

    fn rest(&mut self, begin: u64, length: u32) -> Result<Message, Failure> {
        let metadata = self.bytes(length.into())?;
        let body = self.bytes(size(&metadata)?)?;
        check_compressed(&metadata, &body)?;
        Ok(Message {
            metadata,
            body,
            begin,
        })
    }

    /// Reads four bytes; `None` at the end.
    fn word(&mut self) -> Result<Option<[u8; 4]>, Failure> {
        let mut word = Vec::with_capacity(4);
        self.at += self.input.by_ref().take(4).read_to_end(&mut word)? as u64;
        match word.first_chunk() {
            None if word.is_empty() => Ok(None),
            word => Ok(Some(*word.ok_or(CUT)?)),
        }
    }

    /// Reads `count` bytes. Memory grows with the bytes that exist, not with `count`.
    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(count).read_to_end(&mut bytes)? as u64;
        self.at += read;
        if read == count {
            Ok(bytes)
        } else {
            Err(CUT.into())
        }
    }
}

const CUT: &str = "the file ends in the midst of a message";

fn read(metadata: &[u8]) -> Result<Header<'_>, Failure> {
    root_as_message(metadata)
        .map_err(|error| Failure::Damaged(format!("the metadata of a message are wrong: {error}")))
}

/// The length of the body of a message.
pub(crate) fn size(metadata: &[u8]) -> Result<u64, Failure> {
    let length = read(metadata)?.bodyLength();
    let size = u64::try_from(length).ok().filter(|&size| size <= MOST);
    size.ok_or_else(|| {
        Failure::Damaged(format!(
            "a message with a body of {length} bytes, at most {MOST} are read"
        ))
    })
}

/// Refuses compressed data that become implausibly large. Each buffer begins with its decompressed length.
fn check_compressed(metadata: &[u8], body: &[u8]) -> Result<(), Failure> {
    let message = read(metadata)?;
    let batch = match message.header_type() {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => message
            .header_as_dictionary_batch()
            .and_then(|batch| batch.data()),
        _ => None,
    };
    let Some(batch) = batch.filter(|batch: &RecordBatch<'_>| batch.compression().is_some()) else {
        return Ok(());
    };
    let mut all = 0_u64;
    for buffer in batch.buffers().iter().flatten() {
        let begin = usize::try_from(buffer.offset()).ok();
        let first = begin
            .and_then(|begin| body.get(begin..))
            .and_then(|bytes| bytes.first_chunk::<8>());
        // -1: not compressed; the decoder refuses what lies outside of the body
        let length = first.map_or(0, |bytes| i64::from_le_bytes(*bytes)).max(0);
        all = all.saturating_add(length as u64);
    }
    let most = GROWTH
        .saturating_mul(body.len() as u64)
        .clamp(MOST_OF_SMALL, MOST);
    if all > most {
        return Err(Failure::Damaged(format!(
            "a batch of {all} bytes when it is decompressed, of {} bytes at most {most} are read",
            body.len()
        )));
    }
    Ok(())
}
