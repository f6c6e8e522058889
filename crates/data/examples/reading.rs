//! How fast positions are read and written: `cargo run --release -p nnue-data --example reading -- FILE`.
//!
//! The file is read; then its positions are written as a binpack and as text, and read from there. All is in memory; the best of ten rounds.

use std::time::Instant;

use nnue_data::{Format, Reader, Record, Writer};

const ROUNDS: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::path::PathBuf::from(std::env::args().nth(1).ok_or("name a file of positions")?);
    let format = Format::of_path(&path).ok_or("a name that says the format")?;
    let bytes = std::fs::read(path)?;
    let mut records = Reader::new(format, &bytes[..]).collect::<Result<Vec<Record>, _>>()?;
    // text has no positions without a score
    records
        .iter_mut()
        .for_each(|record| record.score = record.score().unwrap_or_default());
    report("read", format, records.len(), || read(format, &bytes))?;
    for format in [Format::Binpack, Format::Text] {
        let bytes = write(format, &records)?;
        report("write", format, records.len(), || {
            Ok(write(format, &records)?.len() as u64)
        })?;
        report("read", format, records.len(), || read(format, &bytes))?;
    }
    Ok(())
}

type Done = Result<u64, Box<dyn std::error::Error>>;

/// What a trainer needs of each position, so that it is not left out.
fn read(format: Format, bytes: &[u8]) -> Done {
    let mut sum = 0;
    for record in Reader::new(format, bytes) {
        let record = record?;
        sum ^= record.position.occupied().0 ^ record.score as u64;
    }
    Ok(sum)
}

fn write(format: Format, records: &[Record]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut writer = Writer::new(format, Vec::new());
    records.iter().try_for_each(|record| writer.write(record))?;
    Ok(writer.finish()?)
}

fn report(
    what: &str,
    format: Format,
    count: usize,
    work: impl Fn() -> Done,
) -> Result<(), Box<dyn std::error::Error>> {
    let (mut best, mut sum) = (f64::MAX, 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        sum = work()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let count = count as f64;
    println!(
        "{what:<6} {format:<14} {:.0} ns a position, {:.2} million a second ({sum:x})",
        1e9 * best / count,
        count / best / 1e6
    );
    Ok(())
}
