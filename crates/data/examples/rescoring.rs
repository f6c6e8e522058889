//! What rescoring costs beside the kernels: `cargo run --release -p nnue-data --features rescore --example rescoring -- NET v5|v9 FILE`.
//!
//! On one thread, in turns: the network over all positions of the file, which are in memory, 256 at a time, in their order and sorted; and the
//! file rescored, from the file to a file, in each format, several times in one job, so that what a job costs once counts as little as in long ones.
//! Seconds are those of the processor, so that other programs disturb less.

use std::error::Error;
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use nnue::stockfish::{Sfnnv5, Sfnnv9};
use nnue::{Architecture, Batch, Evaluation, Network};
use nnue_backend::nnue::{Board, NetworkScorer};
use nnue_data::rescore::{FileFormat, Input, Job, Scorer, Sorted, rescore};
use nnue_data::{Format, Reader, Record, Writer};

/// What is measured.
type Work<'w> = Box<dyn FnMut() -> Result<(), Box<dyn Error>> + 'w>;

/// Rounds, of which the median counts.
const ROUNDS: usize = 5;

/// How often a job reads the file.
const TIMES: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "arguments: NET v5|v9 FILE [FOLDER]";
    let mut arguments = std::env::args().skip(1);
    let (net, kind) = (
        arguments.next().ok_or(usage)?,
        arguments.next().ok_or(usage)?,
    );
    let file = PathBuf::from(arguments.next().ok_or(usage)?);
    let folder = arguments
        .next()
        .map_or_else(std::env::temp_dir, PathBuf::from);
    match kind.as_str() {
        "v5" => measure::<Sfnnv5>(&net, &file, &folder),
        "v9" => measure::<Sfnnv9>(&net, &file, &folder),
        _ => Err(usage.into()),
    }
}

fn measure<A: Architecture>(net: &str, file: &Path, folder: &Path) -> Result<(), Box<dyn Error>>
where
    A::Game: nnue_runtime::game::Reads<A, Board>,
{
    let network = Network::<A>::open(net)?;
    let format = Format::of_path(file).ok_or("a name that says the format")?;
    let records = Reader::new(format, File::open(file)?).collect::<Result<Vec<Record>, _>>()?;
    let boards: Vec<Board> = records
        .iter()
        .map(|record| Board(record.position))
        .collect();
    let mut likeness: Vec<Board> = boards.clone();
    likeness.sort_by_key(Board::likeness);
    println!(
        "{} positions, {}, on {:?}",
        boards.len(),
        A::SPEC.name,
        network.level()
    );
    let scorer = NetworkScorer(&network);
    let mut ways: Vec<(String, Vec<f64>, usize, Work<'_>)> = Vec::new();
    for (name, boards) in [
        ("kernels alone, in order", &boards),
        ("kernels alone, all sorted", &likeness),
    ] {
        let (mut batch, mut values, network) = (
            Batch::new(),
            vec![Evaluation::default(); boards.len()],
            &network,
        );
        let work = move || {
            network.evaluate_batch(boards, &mut values, &mut batch);
            Ok(())
        };
        ways.push((name.into(), Vec::new(), 1, Box::new(work)));
    }
    let (positions, scorer) = (
        records
            .iter()
            .map(|record| &record.position)
            .collect::<Vec<_>>(),
        &scorer,
    );
    let (mut sorted, mut worker, mut sum) = (Sorted::default(), scorer.worker(), 0_i64);
    let work = move || {
        positions
            .chunks(nnue_data::rescore::BLOCK)
            .for_each(|positions| {
                sorted.evaluate(&mut *worker, positions, |_, value| {
                    sum = sum.wrapping_add(value.into())
                });
            });
        std::hint::black_box(sum);
        Ok(())
    };
    ways.push(("kernels with sorting".into(), Vec::new(), 1, Box::new(work)));
    for format in [Format::Binpack, Format::Text] {
        let input = converted(&records, format, folder)?;
        let output = folder.join(format!("rescored.{}", format.extensions()[0]));
        let input = Input {
            path: input,
            format: FileFormat::Data(format),
        };
        let mut job = Job::new(vec![input; TIMES], output, FileFormat::Data(format));
        job.threads = NonZeroUsize::MIN;
        let work = move || Ok(rescore(&job, scorer, &()).map(|_| ())?);
        ways.push((
            format!("{format} to {format}"),
            Vec::new(),
            TIMES,
            Box::new(work),
        ));
    }
    for _ in 0..ROUNDS {
        for (_, times, count, work) in &mut ways {
            let begin = seconds()?;
            work()?;
            times.push((seconds()? - begin) / *count as f64);
        }
    }
    report(
        &mut ways
            .into_iter()
            .map(|(name, times, ..)| (name, times))
            .collect::<Vec<_>>(),
        boards.len(),
    );
    Ok(())
}

/// The records that have a score, as a file.
fn converted(records: &[Record], format: Format, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut writer = Writer::new(format, Vec::new());
    for record in records {
        writer.write(&Record {
            score: record.score().unwrap_or_default(),
            ..*record
        })?;
    }
    let path = folder.join(format!("positions.{}", format.extensions()[0]));
    fs::write(&path, writer.finish()?)?;
    Ok(path)
}

/// Seconds of the processor that this process has used.
fn seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = stat.split(' ').next().ok_or("a number")?.parse()?;
    Ok(nanoseconds / 1e9)
}

fn report(ways: &mut [(String, Vec<f64>)], positions: usize) {
    for (_, times) in ways.iter_mut() {
        times.sort_by(f64::total_cmp);
    }
    let median = |times: &[f64]| times[times.len() / 2];
    let alone = ways[..2]
        .iter()
        .map(|(_, times)| median(times))
        .fold(f64::MAX, f64::min);
    for (name, times) in ways {
        let time = median(times);
        let (ns, rate) = (1e9 * time / positions as f64, positions as f64 / time / 1e6);
        println!(
            "{name:<28} {ns:>7.0} ns a position, {rate:.3} million a second, {:.1} % of the kernels alone",
            100.0 * alone / time
        );
    }
}
