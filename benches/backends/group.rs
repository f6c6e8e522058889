//! Ways to do the same, measured in turn.

use std::time::Instant;

/// What a way is to reach.
#[derive(Clone, Copy)]
pub(crate) enum Aim {
    /// it is only compared with
    None,
    /// so many times faster than the first way of the group
    TimesFirst(f64),
    /// so many operations a second
    PerSecond(f64),
}

/// A way: its name, its aim, and the work, which says how many operations it was.
struct Way {
    name: String,
    aim: Aim,
    work: Box<dyn FnMut() -> usize>,
}

/// Ways that are compared.
pub(crate) struct Group {
    name: &'static str,
    ways: Vec<Way>,
}

impl Group {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self {
            name,
            ways: Vec::new(),
        }
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Adds a way.
    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        aim: Aim,
        work: impl FnMut() -> usize + 'static,
    ) {
        self.ways.push(Way {
            name: name.into(),
            aim,
            work: Box::new(work),
        });
    }

    /// Measures all ways and prints a row for each.
    pub(crate) fn report(mut self, repetitions: usize) {
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); self.ways.len()];
        self.ways.iter_mut().for_each(|way| {
            (way.work)();
        });
        for _ in 0..repetitions {
            for (way, times) in self.ways.iter_mut().zip(&mut times) {
                let start = Instant::now();
                let operations = (way.work)();
                times.push(start.elapsed().as_nanos() as f64 / operations as f64);
            }
        }
        let medians = times.iter_mut().map(|times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        let medians: Vec<f64> = medians.collect();
        for (way, ns) in self.ways.iter().zip(&medians) {
            let (times, per_second) = (medians[0] / ns, 1e9 / ns);
            let verdict = |reached| if reached { "reached" } else { "missed" };
            let aim = match way.aim {
                Aim::None => String::new(),
                Aim::TimesFirst(aim) => format!("{aim:.2} x: {}", verdict(times >= aim)),
                Aim::PerSecond(aim) => {
                    format!("{:.2} M/s: {}", aim / 1e6, verdict(per_second >= aim))
                }
            };
            println!(
                "| {} | {} | {ns:.1} | {per_second:.0} | {times:.2} | {aim} |",
                self.name, way.name
            );
        }
    }
}
