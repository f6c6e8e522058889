//! `cached`: stores answers for reuse.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::common::passed_on;
use crate::answers::{Answer, Answers};
use crate::backend::{Added, Backend, Computation};
use crate::cache::{self, Coding, Entry as Kept, Kind, PolicyCodec, Steps, Store, Table, covers};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};
use crate::identity::Identity;
use crate::options::{Flag, Integer, Opt, Text, Word};
use crate::registry::{Entry, Shared};

const MEMORY: Integer = Integer {
    name: "memory",
    default: 64,
    range: 0..=1 << 20,
    about: "most MiB of answers in memory",
};
const FILE: Text = Text {
    name: "file",
    about: "the name of files that keep answers, to which a number is added",
};
const DISK: Integer = Integer {
    name: "disk",
    default: 4096,
    range: 1..=1 << 30,
    about: "most MiB of the files; the oldest are dropped",
};
const SYNC: Flag = Flag {
    name: "sync",
    default: false,
    about: "answers in files survive the end of the power, too; slow",
};
const HISTORY: Integer = Integer {
    name: "history",
    default: 0,
    range: 0..=1000,
    about: "positions that must be the same for an answer to be: 0 for all that are read, 1 for the last alone",
};
const STEPS: Word<Steps> = Word {
    name: "steps",
    words: &[
        (Steps::Root.name(), Steps::Root),
        (Steps::Rounded.name(), Steps::Rounded),
        (Steps::Truncated.name(), Steps::Truncated),
    ],
    about: "how probabilities are rounded in files",
};
const CODING: Word<Coding> = Word {
    name: "coding",
    words: &[
        (Coding::Contexts.name(), Coding::Contexts),
        (Coding::Prefix.name(), Coding::Prefix),
        (Coding::RunLength.name(), Coding::RunLength),
        (Coding::VariableLength.name(), Coding::VariableLength),
    ],
    about: "how they are written there",
};

/// Interval after which a new batch looks for answers of other processes.
const FRESH: Duration = Duration::from_secs(1);

/// Options of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheOptions {
    /// memory limit in bytes
    pub memory: usize,
    /// number of last positions that must match; `None`: all that the backend reads
    pub history: Option<usize>,
    /// encoding of policies in files, and with files also in memory
    pub codec: PolicyCodec,
    /// size limit of the files in bytes
    pub disk: u64,
    /// sync files to disk before an answer is returned
    pub sync: bool,
}

impl Default for CacheOptions {
    fn default() -> Self {
        Self {
            memory: 64 << 20,
            history: None,
            codec: PolicyCodec::default(),
            disk: 4 << 30,
            sync: false,
        }
    }
}

/// Caches the answers of the backend inside, in memory and, if a file is named, in files that later runs and
/// other processes share.
///
/// Answers in files are rounded. So that an answer does not depend on its origin, with a file all answers are
/// rounded, also new ones.
pub struct Cached<G: Game> {
    name: String,
    parent: Shared<G>,
    memory: Arc<Memory>,
}

/// State shared by batches.
struct Memory {
    name: String,
    /// number of last positions that count, if fewer than the backend reads
    history: Option<usize>,
    codec: PolicyCodec,
    table: Table,
    files: Option<Mutex<Files>>,
    counts: Counts,
}

struct Files {
    store: Store,
    /// digest of the backend whose answers it stores
    digest: u128,
    refreshed: Instant,
}

#[derive(Default)]
struct Counts {
    in_memory: AtomicU64,
    in_files: AtomicU64,
    computed: AtomicU64,
}

impl<G: Game> Cached<G> {
    /// Caches the answers of `parent`; with a `file` also in files with this name and a number.
    ///
    /// # Errors
    ///
    /// If files with this name are not cache files, have answers of another backend, or cannot be used.
    pub fn new(
        name: &str,
        parent: Arc<dyn Backend<G>>,
        file: Option<&Path>,
        options: &CacheOptions,
    ) -> Result<Self, Error> {
        let CacheOptions {
            memory,
            history,
            codec,
            disk,
            sync,
        } = *options;
        let digest = parent.digest();
        let reads = parent.attributes().history;
        let history = history
            .map(|count| count.max(1))
            .filter(|&count| count < reads);
        let kind = Kind {
            codec,
            digest,
            history: history.unwrap_or(0) as u64,
        };
        let open = |path| Store::open(path, kind, disk, sync);
        let store = file
            .map(open)
            .transpose()
            .map_err(|error| Error::failed(name, error))?;
        let files = store.map(|store| {
            Mutex::new(Files {
                store,
                digest,
                refreshed: Instant::now(),
            })
        });
        let memory = Memory {
            name: name.to_owned(),
            history,
            codec,
            table: Table::new(memory),
            files,
            counts: Counts::default(),
        };
        Ok(Self {
            name: name.to_owned(),
            parent,
            memory: Arc::new(memory),
        })
    }

    fn key_of(&self, sample: &Sample<'_, G>) -> u128 {
        self.parent.key(&self.memory.read(sample))
    }
}

/// Key of a sample in the table, which keeps answers for all values of the backend's options.
const fn with_digest(key: u128, digest: u128) -> u128 {
    key ^ digest
}

impl Memory {
    /// The part of a sample that counts.
    fn read<'s, G: Game>(&self, sample: &Sample<'s, G>) -> Sample<'s, G> {
        self.history.map_or(*sample, |count| sample.last(count))
    }

    /// Identity of the answers, if `parent` is the digest of the backend inside.
    fn identity(&self, parent: u128) -> u128 {
        let steps = Steps::ALL
            .iter()
            .position(|&steps| steps == self.codec.steps)
            .filter(|_| self.files.is_some());
        if self.history.is_none() && steps.is_none() {
            return parent;
        }
        Identity::of("cached")
            .contents(parent)
            .option(HISTORY.name, self.history.unwrap_or(0) as u64)
            .option(STEPS.name, steps.map_or(0, |steps| steps as u64 + 1))
            .finish()
    }

    fn files(&self) -> Option<MutexGuard<'_, Files>> {
        self.files
            .as_ref()
            .map(|files| files.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn failed(&self, error: cache::CacheError) -> Error {
        Error::failed(&self.name, error)
    }

    /// Looks up an answer in memory, then in the files.
    fn find(&self, key: u128, digest: u128, wanted: Wanted) -> Result<Option<Arc<Kept>>, Error> {
        let whole = with_digest(key, digest);
        if let Some(kept) = self.table.get(whole, wanted) {
            self.counts.in_memory.fetch_add(1, Ordering::Relaxed);
            return Ok(Some(kept));
        }
        let Some(mut files) = self.files().filter(|files| files.digest == digest) else {
            return Ok(None);
        };
        let Some(bytes) = files.store.get(key).map_err(|error| self.failed(error))? else {
            return Ok(None);
        };
        drop(files);
        let (answer, has) =
            cache::decode(&bytes, self.codec).map_err(|error| Error::failed(&self.name, error))?;
        if !covers(has, wanted) {
            return Ok(None);
        }
        self.counts.in_files.fetch_add(1, Ordering::Relaxed);
        Ok(Some(self.entry(Some(whole), has, answer)))
    }

    /// Makes an entry, and keeps it in memory if it has a key.
    fn entry(&self, key: Option<u128>, wanted: Wanted, answer: Answer) -> Arc<Kept> {
        let Answer {
            q,
            d,
            m,
            score,
            policy,
        } = answer;
        let kept = Arc::new(Kept {
            key: key.unwrap_or_default(),
            wanted,
            answer: Answer {
                q,
                d,
                m,
                score,
                policy: policy.into(),
            },
        });
        if key.is_some() {
            self.table.put(Arc::clone(&kept));
        }
        kept
    }

    /// Looks for answers of other processes, at most once per [`FRESH`].
    fn refresh(&self) -> Result<(), Error> {
        let Some(mut files) = self
            .files()
            .filter(|files| files.refreshed.elapsed() > FRESH)
        else {
            return Ok(());
        };
        files.refreshed = Instant::now();
        files.store.refresh().map_err(|error| self.failed(error))
    }

    /// Stores computed answers, and returns them as later lookups will.
    fn keep(&self, computed: Vec<(Queued, Answer)>, digest: u128) -> Result<Vec<Arc<Kept>>, Error> {
        self.counts
            .computed
            .fetch_add(computed.len() as u64, Ordering::Relaxed);
        let mut files = self.files().filter(|files| files.digest == digest);
        let (mut records, mut kept) = (Vec::new(), Vec::with_capacity(computed.len()));
        for (Queued { key, wanted, .. }, answer) in computed {
            let answer = if files.is_some() {
                let mut bytes = Vec::new();
                cache::encode(&answer.as_view(), wanted, self.codec, &mut bytes);
                let decoded = cache::decode(&bytes, self.codec);
                let (rounded, _) = decoded.map_err(|error| Error::failed(&self.name, error))?;
                // a policy that is too long for a file is not rounded
                if rounded.policy.len() == answer.policy.len()
                    && bytes.len() <= usize::from(u16::MAX)
                {
                    records.extend(key.map(|key| (key, bytes)));
                    rounded
                } else {
                    answer
                }
            } else {
                answer
            };
            kept.push(self.entry(key.map(|key| with_digest(key, digest)), wanted, answer));
        }
        if let Some(files) = &mut files {
            files
                .store
                .put(&records)
                .map_err(|error| self.failed(error))?;
        }
        Ok(kept)
    }
}

impl<G: Game> Backend<G> for Cached<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn computation(&self) -> Box<dyn Computation<G>> {
        let parent = self.parent.computation();
        Box::new(Partly {
            backend: Arc::clone(&self.parent),
            digest: self.parent.digest(),
            memory: Arc::clone(&self.memory),
            refreshed: self.memory.refresh(),
            parent,
            slots: Mutex::default(),
        })
    }

    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        self.key_of(sample)
    }

    fn cached(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Option<Answer> {
        let kept = self
            .memory
            .find(self.key_of(sample), self.parent.digest(), wanted)
            .ok()??;
        Some(kept.answer.to_owned())
    }

    fn digest(&self) -> u128 {
        self.memory.identity(self.parent.digest())
    }

    passed_on!(parent: attributes, set);

    fn report(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let Counts {
            in_memory,
            in_files,
            computed,
        } = &self.memory.counts;
        let [in_memory, in_files, computed] =
            [in_memory, in_files, computed].map(|count| count.load(Ordering::Relaxed));
        let (name, (count, bytes)) = (&self.name, self.memory.table.size());
        writeln!(
            out,
            "{name}: {in_memory} found in memory, {in_files} in files, {computed} computed"
        )?;
        writeln!(out, "{name}: {count} answers in memory, {bytes} bytes")?;
        if let Some(files) = self.memory.files() {
            let cache::Contents {
                segments,
                answers,
                bytes,
            } = files.store.contents();
            writeln!(
                out,
                "{name}: {answers} answers in {segments} files, {bytes} bytes"
            )?;
        }
        self.parent.report(out)
    }
}

enum Slot {
    /// already answered
    Found(Arc<Kept>),
    /// to be computed
    Queued(Queued),
}

/// A sample to be computed.
#[derive(Clone, Copy)]
struct Queued {
    /// its slot in the batch of the backend inside
    slot: usize,
    /// key for the answer; `None` if it must not be stored
    key: Option<u128>,
    wanted: Wanted,
}

/// A batch with some answers known.
struct Partly<G: Game> {
    backend: Shared<G>,
    digest: u128,
    memory: Arc<Memory>,
    /// result of the last refresh from files
    refreshed: Result<(), Error>,
    parent: Box<dyn Computation<G>>,
    slots: Mutex<Vec<Slot>>,
}

impl<G: Game> Computation<G> for Partly<G> {
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error> {
        self.refreshed.clone()?;
        let key = self.backend.key(&self.memory.read(sample));
        // if an option has changed since the batch began, keys may differ: neither look up nor store
        let is_current = self.backend.digest() == self.digest;
        let found = match is_current {
            true => self.memory.find(key, self.digest, wanted)?,
            false => None,
        };
        let answer = found.as_ref().map(|kept| kept.answer.to_owned());
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = match found {
            Some(kept) => Slot::Found(kept),
            None => Slot::Queued(Queued {
                slot: self.parent.add(sample, wanted)?.slot,
                key: is_current.then_some(key),
                wanted,
            }),
        };
        slots.push(slot);
        Ok(Added {
            slot: slots.len() - 1,
            answer,
        })
    }

    fn used_batch_size(&self) -> usize {
        self.parent.used_batch_size()
    }

    fn compute(self: Box<Self>) -> Result<Answers, Error> {
        let Self {
            digest,
            memory,
            parent,
            slots,
            ..
        } = *self;
        let slots = slots.into_inner().unwrap_or_else(PoisonError::into_inner);
        let queued = |slot: &Slot| match *slot {
            Slot::Queued(queued) => Some(queued),
            Slot::Found(_) => None,
        };
        let (mut kept, mut by) = (Vec::new(), digest);
        if slots.iter().any(|slot| queued(slot).is_some()) {
            let answers = parent.compute()?;
            by = answers.digest();
            let computed = slots.iter().filter_map(queued);
            let computed = computed.map(|queued| (queued, answers.get(queued.slot).to_owned()));
            kept = memory.keep(computed.collect(), by)?;
        }
        let (mut all, mut kept) = (Answers::new(memory.identity(by)), kept.into_iter());
        for slot in slots {
            match slot {
                Slot::Found(found) => all.push(&found.answer),
                Slot::Queued(_) => all.push(
                    &kept
                        .next()
                        .expect("an answer for each that was computed")
                        .answer,
                ),
            }
        }
        Ok(all)
    }
}

pub(super) fn entry<G: Game>() -> Entry<G> {
    let options = vec![
        MEMORY.help(),
        FILE.help(),
        DISK.help(),
        SYNC.help(),
        HISTORY.help(),
        STEPS.help(),
        CODING.help(),
    ];
    Entry::new(
        "cached",
        -900,
        "what was computed once is not computed again",
        options,
        |builder| {
            let options = CacheOptions {
                memory: (builder.get(&MEMORY)? as usize) << 20,
                history: Some(builder.get(&HISTORY)? as usize).filter(|&count| count > 0),
                codec: PolicyCodec {
                    steps: builder.get(&STEPS)?,
                    coding: builder.get(&CODING)?,
                },
                disk: builder.get(&DISK)? << 20,
                sync: builder.get(&SYNC)?,
            };
            let file = builder.get(&FILE)?;
            let parent = builder.parent()?;
            Ok(Arc::new(Cached::new(
                builder.path(),
                parent,
                file.as_deref().map(Path::new),
                &options,
            )?))
        },
    )
}
