//! How fast binpacks are read: `cargo run --release -p nnue-data --example speed -- FILE`.

use std::time::Instant;

use nnue_data::binpack::Reader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a binpack")?;
    let bytes = std::fs::read(path)?;
    let mut best = f64::MAX;
    for _ in 0..10 {
        let (start, mut count, mut sum) = (Instant::now(), 0u64, 0u64);
        for record in Reader::new(&bytes[..]) {
            let record = record?;
            count += 1;
            // what a trainer needs of it
            sum = sum.wrapping_add(record.position.occupied().0 ^ record.score as u64);
        }
        best = best.min(start.elapsed().as_secs_f64());
        println!("{count} positions, {:.2} million a second ({sum:x})", count as f64 / best / 1e6);
    }
    Ok(())
}
