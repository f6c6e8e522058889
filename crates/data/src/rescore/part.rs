//! The growing output.
//!
//! ```text
//!   OUT          what was there before, or nothing ─────────────► all of it
//!   OUT.part     blocks ──► blocks ──► blocks ──────────────────────▲ renamed
//!   OUT.state    how much of it is whole, now and then              removed
//! ```
//!
//! If an input is damaged, the output holds everything before the damage, and the state stays: resumed work
//! turns the output back into its part. Tables have a head and a tail around their blocks; the state ends
//! with the last block.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::files::Digest;
use crate::files::output::is_same;
use crate::rescore::error::Error;
use crate::rescore::format::FileFormat;
use crate::rescore::job::{Job, is_standard};
use crate::rescore::state::{Identity, State};
use crate::rescore::tables::Frame;

/// A file or a stream to which blocks are appended.
pub(crate) struct Part {
    path: PathBuf,
    to: To,
    /// for a table: the bytes around its blocks
    frame: Option<Frame>,
    pub(crate) state: State,
}

enum To {
    /// a file that is renamed at the end
    File(Resumable),
    /// standard output, a pipe or a device, which cannot be resumed
    Stream(Box<dyn Write + Send>),
}

/// What a file needs to be resumed.
struct Resumable {
    file: File,
    part: PathBuf,
    state: PathBuf,
    identity: Identity,
    checkpoints: Duration,
    last: Instant,
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl Part {
    /// Begins the output of a job, or resumes it.
    pub(crate) fn open(job: &Job, identity: Identity) -> Result<Self, Error> {
        let path = job.output.clone();
        let failed = |source| Error::write(&job.output, source);
        let frame = match job.format {
            FileFormat::Table(format) => Some(Frame::new(format)?),
            FileFormat::Data(_) | FileFormat::Fens => None,
        };
        let is_file =
            !is_standard(&path) && fs::metadata(&path).map_or(true, |found| found.is_file());
        if is_file {
            return Self::open_file(job, path, frame, identity);
        }
        let to: Box<dyn Write + Send> = if is_standard(&path) {
            standard_output().map_err(failed)?
        } else {
            Box::new(File::create(&path).map_err(failed)?)
        };
        Self {
            path,
            to: To::Stream(to),
            frame,
            state: State::default(),
        }
        .begun()
    }

    fn open_file(
        job: &Job,
        path: PathBuf,
        mut frame: Option<Frame>,
        identity: Identity,
    ) -> Result<Self, Error> {
        let (part, state_path) = (beside(&path, ".part"), beside(&path, ".state"));
        let found = if job.resume {
            State::read(&state_path, &identity, job)?
        } else {
            None
        };
        if !job.resume && is_there(&state_path) {
            return Err(Error::Begun {
                state: state_path,
                output: part,
            });
        }
        if found.is_none() && is_there(&part) {
            return Err(Error::NotOurs { path: part });
        }
        let state = found.unwrap_or_default();
        if state.bytes > 0 && !is_there(&part) && path.exists() {
            check_start(&path, &state)?;
            fs::rename(&path, &part).map_err(|source| Error::write(&part, source))?;
        }
        if is_there(&part) {
            check_ours(job, &part)?;
            check_start(&part, &state)?;
        }
        // Written before the part: from here on, whatever the part holds can be resumed.
        state.write(&state_path, &identity)?;
        let mut file = open_at(&part, state.bytes)?;
        if let Some(frame) = frame.as_mut().filter(|_| state.bytes > 0) {
            let changed = |source| Error::Changed {
                path: part.clone(),
                source,
            };
            frame.resumed(&mut file, state.bytes).map_err(changed)?;
            file.seek(SeekFrom::Start(state.bytes))
                .map_err(|source| Error::write(&part, source))?;
        }
        let (checkpoints, last) = (job.checkpoints, Instant::now());
        let resumable = Resumable {
            file,
            part,
            state: state_path,
            identity,
            checkpoints,
            last,
        };
        Self {
            path,
            to: To::File(resumable),
            frame,
            state,
        }
        .begun()
    }

    /// Writes the bytes before the first block.
    fn begun(mut self) -> Result<Self, Error> {
        if let Some(frame) = self.frame.as_ref().filter(|_| self.state.bytes == 0) {
            let head = frame
                .head()
                .map_err(|source| Error::write(&self.path, source))?;
            self.write(&head)?;
        }
        Ok(self)
    }

    pub(crate) fn append(&mut self, block: &[u8]) -> Result<(), Error> {
        if let Some(frame) = &mut self.frame {
            frame
                .appended(block)
                .map_err(|source| Error::write(&self.path, source))?;
        }
        self.write(block)
    }

    /// Appends bytes. A closed pipe needs no error of its own: it ends the program.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = match &mut self.to {
            To::File(resumable) => resumable
                .file
                .write_all(bytes)
                .map_err(|source| Error::write(&resumable.part, source)),
            To::Stream(to) => to
                .write_all(bytes)
                .and_then(|()| to.flush())
                .map_err(|source| stream(&self.path, source)),
        };
        written?;
        self.state.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes the state, if the last checkpoint is long enough ago.
    pub(crate) fn checkpoint(&mut self) -> Result<(), Error> {
        let is_time = match &self.to {
            To::File(resumable) => resumable.last.elapsed() >= resumable.checkpoints,
            To::Stream(_) => false,
        };
        if is_time {
            self.checkpoint_now()
        } else {
            Ok(())
        }
    }

    /// Writes the state, which covers everything appended so far.
    pub(crate) fn checkpoint_now(&mut self) -> Result<(), Error> {
        let To::File(resumable) = &mut self.to else {
            return Ok(());
        };
        let bytes = self.state.bytes;
        let digest = resumable.file.sync_data().and_then(|()| {
            let digest = Digest::of_start(&mut resumable.file, bytes)?;
            resumable.file.seek(SeekFrom::Start(bytes))?;
            Ok(digest)
        });
        self.state.part = digest
            .map_err(|source| Error::write(&resumable.part, source))?
            .sum;
        self.state.write(&resumable.state, &resumable.identity)?;
        resumable.last = Instant::now();
        Ok(())
    }

    /// Ends the work after a failure. Complete blocks stay, to be resumed; without any, the files are
    /// removed.
    pub(crate) fn give_up(mut self) {
        // Errors are ignored: the user must see the error that ended the work.
        if self.state.items > 0 {
            let _ = self.checkpoint_now();
        } else if let To::File(Resumable { part, state, .. }) = self.to {
            let _ = fs::remove_file(part).and_then(|()| fs::remove_file(state));
        }
    }

    /// Renames the part to the output. The state stays if there is more to do.
    pub(crate) fn finish(mut self, is_done: bool) -> Result<State, Error> {
        if let Some(frame) = &self.frame {
            let tail = frame
                .tail()
                .map_err(|source| Error::write(&self.path, source))?;
            self.write(&tail)?;
        }
        if let To::File(Resumable {
            file, part, state, ..
        }) = self.to
        {
            let written = file.sync_all().and_then(|()| fs::rename(&part, &self.path));
            written.map_err(|source| Error::write(&self.path, source))?;
            if is_done {
                fs::remove_file(&state).map_err(|source| Error::write(&state, source))?;
            }
        }
        Ok(self.state)
    }
}

/// Standard output without its lock, which the thread that began the work may hold: any thread may write.
#[cfg(unix)]
fn standard_output() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;
    Ok(Box::new(File::from(
        io::stdout().as_fd().try_clone_to_owned()?,
    )))
}

/// Standard output without its lock, which the thread that began the work may hold: any thread may write.
#[cfg(windows)]
fn standard_output() -> io::Result<Box<dyn Write + Send>> {
    use std::os::windows::io::AsHandle;
    Ok(Box::new(File::from(
        io::stdout().as_handle().try_clone_to_owned()?,
    )))
}

/// Standard output. Its lock makes threads wait for each other.
#[cfg(not(any(unix, windows)))]
fn standard_output() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}

fn stream(path: &Path, source: io::Error) -> Error {
    if is_standard(path) {
        Error::StandardOutput(source)
    } else {
        Error::write(path, source)
    }
}

/// Whether anything has this name, even a dangling link.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Refuses a part that is a link, the output or an input.
fn check_ours(job: &Job, part: &Path) -> Result<(), Error> {
    let is_file = fs::symlink_metadata(part).is_ok_and(|found| found.is_file());
    let is_input = job.inputs.iter().any(|input| is_same(&input.path, part));
    if is_file && !is_input && !is_same(&job.output, part) {
        Ok(())
    } else {
        Err(Error::NotOurs {
            path: part.to_owned(),
        })
    }
}

/// Refuses a file that does not begin with the bytes that the state covers.
fn check_start(path: &Path, state: &State) -> Result<(), Error> {
    if state.bytes == 0 {
        return Ok(());
    }
    let failed = |source| Error::read(path, source);
    let mut file = File::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?.len();
    if found < state.bytes {
        return Err(Error::Shorter {
            path: path.to_owned(),
            expected: state.bytes,
            found,
        });
    }
    let digest = Digest::of_start(&mut file, state.bytes).map_err(failed)?;
    if digest.sum == state.part {
        return Ok(());
    }
    Err(Error::Changed {
        path: path.to_owned(),
        source: io::Error::other("its bytes are not those that were written"),
    })
}

/// Opens the part after its first `bytes` bytes, which are complete, and cuts off the rest.
fn open_at(path: &Path, bytes: u64) -> Result<File, Error> {
    let failed = |source| Error::write(path, source);
    let opened = OpenOptions::new()
        .create(bytes == 0)
        .read(true)
        .write(true)
        .truncate(false)
        .open(path);
    let mut file = match opened {
        Err(error) if bytes > 0 && error.kind() == io::ErrorKind::NotFound => {
            return Err(Error::Shorter {
                path: path.to_owned(),
                expected: bytes,
                found: 0,
            });
        }
        opened => opened.map_err(failed)?,
    };
    let found = file.metadata().map_err(failed)?.len();
    if found < bytes {
        return Err(Error::Shorter {
            path: path.to_owned(),
            expected: bytes,
            found,
        });
    }
    file.set_len(bytes)
        .and_then(|()| file.seek(SeekFrom::Start(bytes)))
        .map_err(failed)?;
    Ok(file)
}
