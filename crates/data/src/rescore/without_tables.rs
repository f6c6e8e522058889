//! Stand-ins without the feature `arrow`: Parquet and Arrow are refused.

use std::convert::Infallible;
use std::fs::File;

use crate::{Record, WriteError};

use crate::rescore::error::Error;
use crate::rescore::format::TableFormat;
use crate::rescore::input::Records;
use crate::rescore::job::{Input, Job};
use crate::rescore::watch::Watch;

pub(crate) fn open<'j>(
    format: TableFormat,
    _: &'j Input,
    _: &'j Job,
    _: &'j dyn Watch,
) -> Result<Records<'j>, Error> {
    Err(Error::NotBuilt(format))
}

pub(crate) struct Table(Infallible);

impl Table {
    pub(crate) fn new(format: TableFormat) -> Result<Self, Error> {
        Err(Error::NotBuilt(format))
    }

    pub(crate) fn push(&mut self, _: &Record) -> Result<(), WriteError> {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> std::io::Result<Vec<u8>> {
        match self.0 {}
    }
}

pub(crate) struct Frame(Infallible);

impl Frame {
    pub(crate) fn new(format: TableFormat) -> Result<Self, Error> {
        Err(Error::NotBuilt(format))
    }

    pub(crate) fn head(&self) -> std::io::Result<Vec<u8>> {
        match self.0 {}
    }

    pub(crate) fn appended(&mut self, _: &[u8]) -> std::io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn resumed(&mut self, _: &mut File, _: u64) -> std::io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn tail(&self) -> std::io::Result<Vec<u8>> {
        match self.0 {}
    }
}
