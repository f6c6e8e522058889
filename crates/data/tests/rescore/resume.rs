//! Killed runs, damaged files and foreign states.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nnue_backend::nnue::NetworkScorer;
use nnue_data::Outcome;
use nnue_data::rescore::{Error, Job, Watch, rescore};

use crate::common::{BINPACK, Folder, Small, failure_of, games, output_of, read, scorer};

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
    assert!(failure_of(&job).ends_with("its first line is not `nnue rescore 2`"));
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
    let said = failure_of(&job);
    assert!(
        said.contains("a.plain is not the file that the work in ")
            && said.contains("out.txt.state was begun with"),
        "{said}"
    );
    job.changed_data = true;
    assert!(failure_of(&job).starts_with("the inputs end after 0 positions, of which "));
}

/// The contents of all files of a folder.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let names = folder.names().into_iter();
    names
        .map(|name| {
            (
                name.clone(),
                fs::read(folder.path(&name)).unwrap_or_default(),
            )
        })
        .collect()
}

#[test]
fn files_of_others_are_not_touched() {
    let folder = Folder::new("others");
    let input = folder.records("a.binpack", &games(26, 10));
    let mut job = folder.job(std::slice::from_ref(&input), "out.binpack");
    let part = folder.path("out.binpack.part");
    let refused = |job: &Job| {
        let before = contents(&folder);
        let said = failure_of(job);
        assert!(
            said.contains(
                "out.binpack.part is there already, and no unfinished output of this job"
            ),
            "{said}"
        );
        assert!(contents(&folder) == before, "a file was changed");
    };
    for resume in [false, true] {
        job.resume = resume;
        for contents in ["precious", ""] {
            fs::write(&part, contents).expect("a file");
            refused(&job);
            fs::remove_file(&part).expect("a file");
        }
        fs::hard_link(&input.path, &part).expect("a link");
        refused(&job);
        fs::remove_file(&part).expect("a link");
        #[cfg(unix)]
        for target in [input.path.clone(), folder.path("nowhere")] {
            std::os::unix::fs::symlink(target, &part).expect("a link");
            refused(&job);
            fs::remove_file(&part).expect("a link");
        }
    }
}

/// Between a kill and the run that resumes, the part was replaced.
#[test]
fn a_part_that_was_replaced_is_not_touched() {
    let folder = Folder::new("replaced");
    let input = folder.records("a.binpack", &games(27, 10));
    let mut job = folder.job(std::slice::from_ref(&input), "out.txt");
    job.resume = true;
    kill(&job, 150);
    let part = folder.path("out.txt.part");
    let mut whole = fs::read(&part).expect("a part");
    whole[3] ^= 1;
    fs::write(&part, &whole).expect("a file");
    let before = contents(&folder);
    assert!(failure_of(&job).ends_with("its bytes are not those that were written"));
    fs::remove_file(&part).expect("a part");
    fs::hard_link(&input.path, &part).expect("a link");
    assert!(failure_of(&job).contains("no unfinished output of this job"));
    assert!(fs::read(&input.path).expect("a file") == before[0].1);
}

/// What kills a run leaves is not only its part: the state is written as a file of its own first.
#[test]
fn unfinished_states_of_killed_runs_are_removed() {
    let folder = Folder::new("left");
    let mut job = folder.job(&[folder.records("a.binpack", &games(28, 4))], "out.txt");
    let left = folder.path(".out.txt.state.4294967295-0.part");
    let other = folder.path(".out.txt.state.mine.part");
    fs::write(&left, "nnue rescore").expect("a file");
    fs::write(&other, "mine").expect("a file");
    job.resume = true;
    output_of(&job);
    assert!(!left.exists() && other.exists());
}

/// The table of docs/rescoring.md: every option, and whether work that was begun with another one is resumed.
#[test]
fn every_option_belongs_to_the_work_or_not() {
    type Flip = fn(&mut Job);
    let flips: [(&str, bool, Flip); 12] = [
        ("order of inputs", true, |job| job.inputs.reverse()),
        ("share", true, |job| {
            job.inputs.truncate(1);
            job.share = Some("1/2".parse().expect("a part"));
        }),
        ("format", true, |job| job.format = BINPACK),
        ("rules", true, |job| job.rules.limit = 10),
        ("outcome", true, |job| job.outcome = Some(Outcome::Win)),
        ("block", true, |job| job.block = NonZeroUsize::MIN),
        ("keep_going", false, |job| job.keep_going = true),
        ("resume", false, |job| job.resume = true),
        ("changed_data", false, |job| job.changed_data = true),
        ("threads", false, |job| {
            job.threads = NonZeroUsize::new(2).expect("a number")
        }),
        ("checkpoints", false, |job| job.checkpoints = Duration::MAX),
        ("no option", false, |_| {}),
    ];
    for (name, belongs, flip) in flips {
        let folder = Folder::new("options");
        let inputs = ["a.binpack", "b.binpack"].map(|name| folder.records(name, &games(29, 10)));
        let mut job = folder.job(&inputs, "out.txt");
        kill(&job, 150);
        job.resume = true;
        flip(&mut job);
        match rescore(&job, &scorer(), &()) {
            Ok(_) => assert!(!belongs, "{name}"),
            Err(Error::OtherWork { .. }) => assert!(belongs, "{name}"),
            Err(other) => panic!("{name}: {other}"),
        }
    }
}
