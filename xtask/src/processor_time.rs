//! Processor time of the programs that this one has run.

use std::path::Path;

use crate::repo::{self, Failure, Outcome};

/// Processor time in seconds of all finished child processes and their children.
pub(crate) fn of_children() -> Outcome<f64> {
    let stat = repo::read(Path::new("/proc/self/stat"))?;
    seconds_of_children(&stat).ok_or_else(|| Failure::new("/proc/self/stat has no times"))
}

/// Linux counts in hundredths of a second.
fn seconds_of_children(stat: &str) -> Option<f64> {
    // The program's name, in parentheses, may contain any characters.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(13).map(str::parse::<f64>);
    Some((times.next()?.ok()? + times.next()?.ok()?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_children_are_the_sixteenth_and_seventeenth_fields() {
        let stat = "4 (a ) b) S 1 4 4 0 -1 4 9 99 0 0 3 4 1250 250 20 0 1 0 7 8 9";
        assert_eq!(seconds_of_children(stat), Some(15.0));
        assert_eq!(seconds_of_children("4 (a"), None);
    }

    #[test]
    fn the_time_of_a_child_is_counted() {
        let before = of_children().expect("Linux");
        let mut busy = std::process::Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]);
        repo::succeed(&mut busy).expect("a shell");
        assert!(of_children().expect("Linux") > before);
    }
}
