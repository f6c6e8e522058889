//! Arrow files and streams.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use crate::ReadError;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::{IpcSchemaEncoder, try_fb_to_schema};
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::writer::StreamEncoder;
use arrow_ipc::{Block, FooterBuilder, MetadataVersion};
use arrow_schema::{ArrowError, SchemaRef};
use flatbuffers::FlatBufferBuilder;

use super::columns::Columns;
use super::guarded::guarded;
use super::messages::{Failure, MAGIC, MARKER, Message, Messages, size};
use super::rows::{self, Rows};
use super::schema::SCHEMA;
use crate::rescore::error::Error;
use crate::rescore::input::{Records, bytes, size as size_of};
use crate::rescore::job::{Input, Job};
use crate::rescore::watch::Watch;

/// The end of a stream.
pub(super) const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];

pub(super) fn open<'j>(
    input: &'j Input,
    job: &'j Job,
    watch: &'j dyn Watch,
) -> Result<Records<'j>, Error> {
    let refused = |reason| Error::Input {
        path: input.path.clone(),
        reason,
    };
    let failed = |failure| match failure {
        Failure::Io(source) => Error::read(&input.path, source),
        Failure::Damaged(reason) => {
            refused(format!("neither a file nor a stream of Arrow: {reason}"))
        }
    };
    let part = match job.share {
        Some(share) => share.range(size_of(&input.path)?.unwrap_or(u64::MAX)),
        None => 0..u64::MAX,
    };
    let mut messages = Messages::new(bytes(input, None, watch)?);
    let schema = schema(&mut messages).map_err(failed)?;
    let columns = Columns::of(&schema, &input.path, job.outcome, watch)?;
    let (dictionaries, read) = (HashMap::new(), columns.indices());
    let mut batches = Reading {
        messages,
        schema,
        read,
        dictionaries,
        part,
        next: None,
        ended: false,
    };
    let before = batches.pass_before_part().map_err(failed)?;
    Ok(Box::new(
        Rows::new(batches, columns.alone(), job.outcome).after(before),
    ))
}

fn schema<R: Read>(messages: &mut Messages<R>) -> Result<SchemaRef, Failure> {
    let first = messages.next()?.ok_or("it is empty")?;
    let schema = first
        .header()?
        .header_as_schema()
        .ok_or("it does not begin with a schema")?;
    guarded(|| try_fb_to_schema(schema))
        .map(Arc::new)
        .map_err(Failure::Damaged)
}

/// The batches of a file or stream.
struct Reading<R> {
    messages: Messages<R>,
    schema: SchemaRef,
    /// indices of the columns to read
    read: Vec<usize>,
    dictionaries: HashMap<i64, ArrayRef>,
    /// range of the offsets of batches to read
    part: Range<u64>,
    /// a message that was read ahead
    next: Option<Message>,
    ended: bool,
}

impl<R: Read> Reading<R> {
    /// Skips batches before the part. Returns their number of rows.
    fn pass_before_part(&mut self) -> Result<u64, Failure> {
        let mut rows = 0;
        while let Some(message) = self.messages.next()? {
            match message.header()?.header_as_record_batch() {
                Some(batch) if message.begin < self.part.start => {
                    rows += batch.length().max(0) as u64
                }
                Some(_) => {
                    self.next = Some(message);
                    break;
                }
                None => drop(self.decoded(&message)?),
            }
        }
        Ok(rows)
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>, Failure> {
        loop {
            let next = self
                .next
                .take()
                .map_or_else(|| self.messages.next(), |message| Ok(Some(message)))?;
            let Some(message) = next.filter(|message| message.begin < self.part.end) else {
                return Ok(None);
            };
            if let Some(batch) = self.decoded(&message)? {
                return Ok(Some(batch));
            }
        }
    }

    /// The batch of a message, if it is one. Dictionaries are stored.
    fn decoded(&mut self, message: &Message) -> Result<Option<RecordBatch>, Failure> {
        let (header, body) = (message.header()?, Buffer::from(message.body.as_slice()));
        if let Some(batch) = header.header_as_record_batch() {
            let (schema, version) = (self.schema.clone(), header.version());
            let (dictionaries, read) = (&self.dictionaries, Some(&self.read[..]));
            let read = || read_record_batch(&body, batch, schema, dictionaries, read, &version);
            return guarded(read).map(Some).map_err(Failure::Damaged);
        }
        if let Some(dictionary) = header.header_as_dictionary_batch() {
            let (schema, version) = (&self.schema, header.version());
            let dictionaries = &mut self.dictionaries;
            guarded(|| read_dictionary(&body, dictionary, schema, dictionaries, &version))
                .map_err(Failure::Damaged)?;
            return Ok(None);
        }
        Err("a message that is neither a batch nor a dictionary".into())
    }
}

impl<R: Read> Iterator for Reading<R> {
    type Item = rows::Batches;

    fn next(&mut self) -> Option<rows::Batches> {
        if self.ended {
            return None;
        }
        let next = self.next_batch();
        self.ended = !matches!(next, Ok(Some(_)));
        let failed = |failure| match failure {
            Failure::Io(error) => ReadError::Io(error),
            Failure::Damaged(reason) => rows::unreadable(reason),
        };
        next.map_err(failed).transpose()
    }
}

/// The start of a stream: the schema.
pub(super) fn head() -> io::Result<Vec<u8>> {
    let written = || StreamEncoder::try_new(&SCHEMA)?.finish();
    let mut head = joined(&written().map_err(io::Error::other)?);
    head.truncate(head.len() - END.len());
    Ok(head)
}

/// The start of a file.
pub(super) fn head_of_file() -> io::Result<Vec<u8>> {
    Ok([&MAGIC[..], &head()?].concat())
}

/// Encodes a block as a message.
pub(super) fn encoded(rows: &RecordBatch) -> io::Result<Vec<u8>> {
    if rows.num_rows() == 0 {
        return Ok(Vec::new());
    }
    let written = || StreamEncoder::try_new(&SCHEMA)?.encode(rows);
    let written: Vec<Buffer> = written().map_err(|error: ArrowError| io::Error::other(error))?;
    Ok(joined(&written).split_off(head()?.len()))
}

fn joined(buffers: &[Buffer]) -> Vec<u8> {
    buffers
        .iter()
        .flat_map(|buffer| buffer.iter().copied())
        .collect()
}

/// The written batches, for the footer of a file.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    blocks: Vec<Block>,
    /// bytes from the end of the head to the end of the last batch
    end: u64,
}

impl Batches {
    /// Notes an appended block.
    pub(super) fn appended(&mut self, block: &[u8]) -> io::Result<()> {
        match block.first_chunk::<8>() {
            None => Ok(()),
            Some(begin) => {
                let metadata = metadata_length(begin)?;
                self.push(metadata as u64, (block.len() - metadata) as u64)
            }
        }
    }

    fn push(&mut self, metadata: u64, body: u64) -> io::Result<()> {
        let begin = self.end + head_of_file()?.len() as u64;
        self.blocks
            .push(Block::new(begin as i64, metadata as i32, body as i64));
        self.end += metadata + body;
        Ok(())
    }

    /// Finds the batches in the first `bytes` bytes of a file, which an earlier run wrote, from the first on.
    pub(super) fn resumed(&mut self, file: &mut File, bytes: u64) -> io::Result<()> {
        let head = head_of_file()?.len() as u64;
        while head + self.end < bytes {
            let mut begin = [0; 8];
            file.seek(SeekFrom::Start(head + self.end))
                .and_then(|_| file.read_exact(&mut begin))?;
            let length = metadata_length(&begin)?;
            let mut metadata = vec![0; length - begin.len()];
            file.read_exact(&mut metadata)?;
            let body = size(&metadata).map_err(|_| no_batch())?;
            self.push(length as u64, body)?;
        }
        if head + self.end == bytes {
            Ok(())
        } else {
            Err(no_batch())
        }
    }

    /// The end of a file: the footer.
    pub(super) fn tail(&self) -> io::Result<Vec<u8>> {
        let mut buffers = FlatBufferBuilder::new();
        let batches = buffers.create_vector(&self.blocks);
        let dictionaries = buffers.create_vector::<Block>(&[]);
        let schema = IpcSchemaEncoder::new().schema_to_fb_offset(&mut buffers, &SCHEMA);
        let mut footer = FooterBuilder::new(&mut buffers);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(batches);
        let footer = footer.finish();
        buffers.finish(footer, None);
        let footer = buffers.finished_data();
        let length = (footer.len() as u32).to_le_bytes();
        Ok([&END[..], footer, &length, &MAGIC[..6]].concat())
    }
}

/// The length of the message that begins with these bytes, without its body.
fn metadata_length(begin: &[u8; 8]) -> io::Result<usize> {
    let (marker, length) = begin.split_at(MARKER.len());
    let length = u32::from_le_bytes(length.try_into().map_err(|_| no_batch())?);
    if marker == MARKER && length > 0 && length < 1 << 26 {
        Ok(begin.len() + length as usize)
    } else {
        Err(no_batch())
    }
}

fn no_batch() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it does not consist of batches")
}
