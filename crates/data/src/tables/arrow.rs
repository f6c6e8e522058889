//! Arrow files and streams.

use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_schema::SchemaRef;

use super::guarded::guarded;
use super::messages::{Failure, Message, Messages};

/// A file or stream whose schema has been read.
pub(crate) struct Arrow<R> {
    messages: Messages<R>,
    schema: SchemaRef,
}

impl<R: Read> Arrow<R> {
    /// Reads the schema.
    pub(crate) fn open(input: R) -> Result<Self, Failure> {
        let mut messages = Messages::new(input);
        let schema = schema(&mut messages)?;
        Ok(Self { messages, schema })
    }

    pub(crate) const fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Decodes some columns of the batches whose offsets are in a range. Also returns how many rows are before
    /// them.
    pub(crate) fn read(
        self,
        columns: Vec<usize>,
        part: Range<u64>,
    ) -> Result<(Batches<R>, u64), Failure> {
        let mut batches = Batches {
            messages: self.messages,
            schema: self.schema,
            read: columns,
            dictionaries: HashMap::new(),
            part,
            next: None,
            ended: false,
        };
        let before = batches.pass_before_part()?;
        Ok((batches, before))
    }
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
pub(crate) struct Batches<R> {
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

impl<R: Read> Batches<R> {
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

impl<R: Read> Iterator for Batches<R> {
    type Item = Result<RecordBatch, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_batch();
        self.ended = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}
