//! `cargo bench --bench peers [-- FILTER]`: published crates beside this project, sampled by criterion.
//!
//! Names are `network (weights)/operation/side`. Before anything is measured, all sides must give the same value for every
//! position. For ratios use `compare`, which interleaves the sides. See `benches/README.md`.

mod peer;
#[path = "support/sampling.rs"]
mod sampling;
mod support;

fn main() {
    let play = support::Play::new();
    let criterion = &mut sampling::settings();
    for duels in peer::GROUPS {
        for mut duel in duels(&play) {
            let mut group = criterion.benchmark_group(format!(
                "{} ({})/{}",
                duel.network, duel.weights, duel.operation
            ));
            for side in &mut duel.sides {
                group.bench_function(&side.name, |bencher| {
                    sampling::sample(bencher, &mut *side.workload)
                });
            }
            group.finish();
        }
    }
    criterion.final_summary();
}
