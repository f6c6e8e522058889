//! Plots the distribution of values at each activation, as SVG.

use std::fs;
use std::path::Path;

use crate::system::SystemError;
use nnue_tools::calibrate::{BINS, Histogram};
use nnue_tools::plot::Chart;

use super::Calibration;
use super::report::name;
use crate::error::Error;
use crate::output;

/// Points of a line; histogram bins are merged to this many.
const POINTS: usize = 160;

/// Draws each site into a file named after it.
pub(crate) fn draw(calibration: &Calibration, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|source| SystemError::write(folder, source))?;
    for (index, site) in calibration.sites.iter().enumerate() {
        let title = format!(
            "{}: values, where 1 is the end of the declared range",
            site.name
        );
        let marks = calibration.candidates.iter().map(|candidate| {
            let threshold = candidate.thresholds[index];
            (
                format!("{} {:.3}", name(candidate.method), threshold.value),
                threshold.value,
            )
        });
        let chart = Chart {
            title: &title,
            lines: vec![(
                "share, log10".to_owned(),
                points(&calibration.histograms.sites[index]),
            )],
            marks: marks.collect(),
            counts: false,
        };
        output::write(
            &folder.join(format!("{}.svg", site.name)),
            chart.draw().svg().as_bytes(),
        )?;
    }
    Ok(())
}

/// The logarithm of the share of values, by magnitude.
fn points(histogram: &Histogram) -> Vec<(f64, f64)> {
    let (middle, width) = (BINS / 2, (BINS / 2).div_ceil(POINTS));
    let total = histogram.total() as f64;
    let share = |first: usize| {
        let last = (first + width).min(middle + 1);
        let counts = histogram.counts();
        let of_bin = |distance: usize| match distance {
            0 => counts[middle],
            _ => counts[middle - distance] + counts[middle + distance],
        };
        let count: u64 = (first..last).map(of_bin).sum();
        let place = f64::midpoint(first as f64, last as f64) / middle as f64 * histogram.limit();
        (count > 0).then(|| (place, (count as f64 / total).log10()))
    };
    (0..=middle).step_by(width).filter_map(share).collect()
}
