//! A network, games, folders, and jobs over them.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use fastrand::Rng;
use nnue::{Network, nnue};
use nnue_backend::nnue::{Board, NetworkScorer};
use nnue_data::rescore::{FileFormat, Input, Job, rescore};
use nnue_data::{Format, Outcome, Reader, Record, Writer};

nnue! {
    /// Small, and with king buckets, so that the order of evaluation matters to its accumulators.
    pub struct Small = HalfKAv2_hm[..] -> 32x2 -> 1;
}

pub(crate) static NETWORK: LazyLock<Network<Small>> = LazyLock::new(|| Network::random(1));

/// The network as what gives scores.
pub(crate) fn scorer() -> NetworkScorer<&'static Network<Small>> {
    NetworkScorer(&NETWORK)
}

pub(crate) const BINPACK: FileFormat = FileFormat::Data(Format::Binpack);

/// What the network says about a record, from the position alone.
pub(crate) fn value(record: &Record) -> i32 {
    NETWORK.evaluate_fresh(&Board(record.position)).value
}

/// Random games of up to 60 plies.
pub(crate) fn games(seed: u64, count: usize) -> Vec<Record> {
    const STARTS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pppq1ppp/8/4p3/3pP3/8/PPPPQPPP/R3K2R w KQkq - 4 9",
        "4k3/1P4P1/8/2p5/5P2/8/1p2P1p1/4K3 b - - 0 30",
    ];
    let random = &mut Rng::with_seed(seed);
    let mut records = Vec::new();
    for index in 0..count {
        let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][random.usize(..3)];
        let mut record = Record::of_fen(STARTS[index % 3], outcome).expect("a FEN");
        for _ in 0..60 {
            let moves = record.position.legal_moves().unwrap_or_default();
            let Some(&mv) = random.choice(&moves) else {
                break;
            };
            record.score = random.i16(-300..300);
            record.mv = Some(mv);
            records.push(record);
            let position = record.position.play(mv).expect("a legal move");
            record = Record {
                position,
                outcome: record.outcome.flipped(),
                ply: record.ply + 1,
                ..record
            };
        }
    }
    records
}

/// A folder of a test, which it has for itself.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rescore-{name}"));
        let _ = fs::remove_dir_all(&path); // of an earlier run
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file with these contents, as an input.
    pub(crate) fn input(&self, name: &str, contents: &[u8]) -> Input {
        let path = self.path(name);
        fs::write(&path, contents).expect("a file");
        let format = FileFormat::of_path(&path).expect("a format");
        Input { path, format }
    }

    /// Records as an input in the format of its name.
    pub(crate) fn records(&self, name: &str, records: &[Record]) -> Input {
        let Some(FileFormat::Data(format)) = FileFormat::of_path(Path::new(name)) else {
            panic!("{name}")
        };
        self.input(name, &written(format, records))
    }

    /// A job of small blocks on one thread, which writes its state after each of them.
    pub(crate) fn job(&self, inputs: &[Input], output: &str) -> Job {
        let output = self.path(output);
        let format = FileFormat::of_path(&output).expect("a format");
        let mut job = Job::new(inputs.to_vec(), output, format);
        (job.block, job.threads) = (NonZeroUsize::new(100).expect("a number"), NonZeroUsize::MIN);
        job.checkpoints = Duration::ZERO;
        job
    }

    /// The names of what is in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = entries
            .map(|name| name.into_string().expect("a name"))
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Records as the bytes of a file.
pub(crate) fn written(format: Format, records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new(format, Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).expect("every format has room for it"));
    writer.finish().expect("memory")
}

/// The records of a file of training data.
pub(crate) fn read(path: &Path) -> Vec<Record> {
    let format = Format::of_path(path).expect("a format");
    Reader::new(format, &fs::read(path).expect("a file")[..])
        .map(|record| record.expect("it is whole"))
        .collect()
}

/// The bytes that a job writes.
pub(crate) fn output_of(job: &Job) -> Vec<u8> {
    rescore(job, &scorer(), &()).unwrap_or_else(|error| panic!("{error}"));
    fs::read(&job.output).expect("a file")
}

/// Why a job fails.
pub(crate) fn failure_of(job: &Job) -> String {
    rescore(job, &scorer(), &())
        .expect_err("it cannot be done")
        .to_string()
}
