//! Killed runs, damaged files and foreign states.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use nnue_backend::nnue::NetworkScorer;
use nnue_data::rescore::{Job, Watch, rescore};

use crate::common::{Folder, Small, failure_of, games, output_of, read, scorer};

/// Ends the run in the midst, as a kill would: what is in files then is what there is.
struct Killer {
    after: u64,
    written: AtomicU64,
}

impl Watch for Killer {
    fn written(&self, positions: u64) {
        assert!(
            self.written.fetch_add(positions, Ordering::Relaxed) + positions < self.after,
            "killed"
        );
    }
}

/// Runs a job until so many positions are written.
fn kill(job: &Job, after: u64) {
    let killer = Killer {
        after,
        written: AtomicU64::new(0),
    };
    let run = AssertUnwindSafe(|| rescore(job, &scorer(), &killer));
    assert!(catch_unwind(run).is_err(), "it was killed");
    // a kill may come after bytes that no state knows
    let mut part = job.output.clone().into_os_string();
    part.push(".part");
    let opened = OpenOptions::new().append(true).open(part);
    opened
        .and_then(|mut part| part.write_all(b"half a block"))
        .expect("a part");
}

/// A job that is killed again and again writes the bytes of one that is not.
pub(crate) fn survives(folder: &Folder, mut job: Job) {
    let undisturbed = output_of(&job);
    fs::remove_file(&job.output).expect("an output");
    job.resume = true;
    for after in [1, 150, 320] {
        kill(&job, after);
        assert!(!job.output.exists());
    }
    assert!(output_of(&job) == undisturbed, "{}", job.output.display());
    assert!(
        !folder
            .names()
            .iter()
            .any(|name| name.ends_with(".state") || name.ends_with(".part"))
    );
}

#[test]
fn killed_runs_give_the_bytes_of_undisturbed_ones() {
    let folder = Folder::new("killed");
    let inputs = [
        folder.records("a.binpack", &games(21, 20)),
        folder.records("b.plain", &games(22, 20)),
    ];
    for output in ["out.binpack", "out.txt", "out.vf", "out.pgn"] {
        survives(
            &folder,
            folder.job(
                if output == "out.txt" {
                    &inputs
                } else {
                    &inputs[..1]
                },
                output,
            ),
        );
    }
}

#[test]
fn work_that_was_begun_is_not_overwritten() {
    let folder = Folder::new("begun");
    let mut job = folder.job(&[folder.records("a.binpack", &games(23, 10))], "out.txt");
    kill(&job, 150);
    let said = failure_of(&job);
    assert!(
        said.contains("out.txt.state says that ")
            && said.ends_with("resume it, or remove both files"),
        "{said}"
    );
    job.resume = true;
    let state = folder.path("out.txt.state");
    let kept = fs::read(&state).expect("a state");

    // another network, other rules, another size of an input
    let other = nnue::Network::<Small>::random(2);
    let said = rescore(&job, &NetworkScorer(&other), &())
        .expect_err("another network")
        .to_string();
    assert!(
        said.contains("was begun with another network, other files or other options"),
        "{said}"
    );
    let mut others = job.clone();
    others.rules.limit = 10;
    assert_eq!(failure_of(&others), said);

    // damaged states
    fs::write(&state, &kept[..kept.len() - 5]).expect("a file");
    assert!(failure_of(&job).contains("is no state of `nnue rescore`: "));
    fs::write(&state, b"nonsense").expect("a file");
    assert!(failure_of(&job).ends_with("its first line is not `nnue rescore 1`"));
    fs::write(&state, &kept).expect("a file");

    // the part is not what the state says
    let part = folder.path("out.txt.part");
    let whole = fs::read(&part).expect("a part");
    fs::write(&part, &whole[..20]).expect("a file");
    assert!(failure_of(&job).ends_with("bytes, as its state says, and has 20"));
    fs::write(&part, &whole).expect("a file");
    output_of(&job);
    assert_eq!(read(&job.output).len(), games(23, 10).len());
}

#[test]
fn of_a_damaged_file_there_is_what_is_before_and_the_rest_can_follow() {
    let (folder, games) = (Folder::new("damaged"), games(24, 10));
    let mut lines: Vec<String> = games
        .iter()
        .map(|record| format!("{} | 1 | 0.5", record.fen()))
        .collect();
    lines[333] = "8/8/8/8 w | 1 | 0.5".into();
    let input = folder.input("games.txt", lines.join("\n").as_bytes());
    let mut job = folder.job(&[input], "out.plain");
    let report = rescore(&job, &scorer(), &()).expect("a report");
    let (path, damage) = report.damaged.expect("damage");
    assert!(
        path.ends_with("games.txt") && damage.to_string().starts_with("line 334, byte "),
        "{damage}"
    );
    assert_eq!((read(&job.output).len(), report.counts.written), (333, 333));

    (job.resume, job.keep_going) = (true, true);
    let bytes = output_of(&job);
    assert_eq!(read(&job.output).len(), games.len() - 1);
    job.resume = false;
    assert!(
        output_of(&job) == bytes,
        "an undisturbed run that keeps going writes the same"
    );
    assert_eq!(folder.names(), ["games.txt", "out.plain"]);
}

#[test]
fn inputs_that_shrink_are_noticed() {
    let folder = Folder::new("shrunk");
    let input = folder.records("a.plain", &games(25, 10));
    let mut job = folder.job(std::slice::from_ref(&input), "out.txt");
    job.resume = true;
    kill(&job, 250);
    let text = fs::read_to_string(&input.path).expect("a file");
    // as long as before, with fewer positions
    fs::write(&input.path, "\n".repeat(text.len())).expect("a file");
    assert!(failure_of(&job).starts_with("the inputs end after 0 positions, of which "));
}
