//! Processes that are killed while they write, and disks that are full.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Folder, Game, answers, counts, in_files};

/// The variable that says to the child which files it writes.
const FILE: &str = "NNUE_TEST_CACHE";
const PLIES: usize = 9;

/// What is run as a process of its own: game after game, each told when it is in the file.
#[test]
#[ignore = "the other tests here start it"]
fn child() {
    let Some(file) = std::env::var_os(FILE) else {
        return;
    };
    let cached = in_files(Path::new(&file), "");
    for seed in u64::from(std::process::id()).. {
        let game = Game::new(seed, PLIES);
        match cached.evaluate(&game.samples(), nnue_backend::Wanted::ALL) {
            Ok(_) => println!("has {seed}"),
            Err(error) => println!("error {error}"),
        }
        std::io::stdout().flush().expect("somebody reads");
    }
}

fn command(file: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command
        .args(["--ignored", "--exact", "crash::child", "--nocapture"])
        .env(FILE, file);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// Starts processes and kills each at a random moment; then everything that they had told of is there, and nothing is wrong.
fn killed(times: u64) {
    let folder = Folder::new(&format!("kill{times}"));
    let file = folder.file("book");
    let mut random = fastrand::Rng::with_seed(times);
    let mut told: Vec<u64> = Vec::new();
    for _ in 0..times {
        let mut child = command(&file).spawn().expect("a process");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let wait = random.usize(0..30);
        let mut seen = || lines.next()?.ok();
        let mut games = 0;
        while games < wait {
            let Some(line) = seen() else { break };
            // the harness writes on the same line
            if let Some(seed) = line.split("has ").nth(1) {
                told.push(seed.parse().expect("a seed"));
                games += 1;
            }
        }
        std::thread::sleep(std::time::Duration::from_micros(random.u64(0..3000)));
        child.kill().expect("it runs");
        child.wait().expect("it has ended");
        // what it told before it ended counts as well
        while let Some(line) = seen() {
            told.extend(
                line.strip_prefix("has ")
                    .and_then(|seed| seed.parse::<u64>().ok()),
            );
        }
    }
    assert!(told.len() as u64 > times, "{} games", told.len());
    let (cached, other) = (
        in_files(&file, ""),
        Folder::new(&format!("kill{times}-other")),
    );
    let fresh = in_files(&other.file("book"), ", memory=0");
    for &seed in &told {
        let game = Game::new(seed, PLIES);
        assert_eq!(
            answers(&*cached, &game),
            answers(&*fresh, &game),
            "game {seed}"
        );
    }
    assert_eq!(counts(&*cached)[2], 0, "nothing that was told is lost");
    println!(
        "{times} processes killed, {} games that they told of are there",
        told.len()
    );
}

#[test]
fn killed_processes_lose_nothing_that_they_told() {
    killed(40);
}

#[test]
#[ignore = "takes ten seconds"]
fn killed_a_thousand_times() {
    killed(1000);
}

/// Where files cannot grow, answers are errors, and what was told before is there.
#[test]
#[cfg(unix)]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("full");
    let file = folder.file("book");
    let child = command(&file);
    // ignored signals stay ignored: a write beyond the limit is an error instead of the end
    let script =
        "trap '' XFSZ; ulimit -f 40; exec \"$0\" --ignored --exact crash::child --nocapture";
    let mut limited = Command::new("sh");
    limited
        .args(["-c", script])
        .arg(child.get_program())
        .env(FILE, &file);
    limited
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = limited.spawn().expect("a shell");
    let (mut told, mut error) = (Vec::new(), None);
    for line in BufReader::new(child.stdout.take().expect("its output"))
        .lines()
        .map_while(Result::ok)
    {
        if let Some(seed) = line.split("has ").nth(1) {
            told.push(seed.parse::<u64>().expect("a seed"));
        }
        error = line.strip_prefix("error ").map(str::to_owned);
        if error.is_some() {
            break;
        }
    }
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    let error = error.expect("the disk becomes full");
    assert!(
        error.contains("book.1") && error.starts_with("`cached` failed"),
        "{error}"
    );
    let cached = in_files(&file, "");
    told.iter()
        .for_each(|&seed| drop(answers(&*cached, &Game::new(seed, PLIES))));
    assert!(
        told.len() > 5 && counts(&*cached)[2] == 0,
        "{} games",
        told.len()
    );
}
