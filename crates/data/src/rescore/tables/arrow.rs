//! Arrow files and streams.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::ReadError;
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::IpcSchemaEncoder;
use arrow_ipc::writer::StreamEncoder;
use arrow_ipc::{Block, FooterBuilder, MetadataVersion};
use arrow_schema::ArrowError;
use flatbuffers::FlatBufferBuilder;

use super::columns::Columns;
use super::rows::{self, Rows};
use super::schema::SCHEMA;
use crate::rescore::error::Error;
use crate::rescore::input::{Records, bytes, size as size_of};
use crate::rescore::job::{Input, Job};
use crate::rescore::watch::Watch;
use crate::tables::arrow::Arrow;
use crate::tables::messages::{Failure, MAGIC, MARKER, size};

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
    let table = Arrow::open(bytes(input, None, watch)?).map_err(failed)?;
    let columns = Columns::of(table.schema(), &input.path, job.outcome, watch)?;
    let (batches, before) = table.read(columns.indices(), part).map_err(failed)?;
    let batches = batches.map(|next| {
        next.map_err(|failure| match failure {
            Failure::Io(error) => ReadError::Io(error),
            Failure::Damaged(reason) => rows::unreadable(reason),
        })
    });
    Ok(Box::new(
        Rows::new(batches, columns.alone(), job.outcome).after(before),
    ))
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
