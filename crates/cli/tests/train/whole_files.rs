//! Files are written whole or not at all: whatever kills the command, and however full the disk is.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Folder, GAMES};

/// The commands that write, without what is written before them. Each writes `out.bin`; `split` also writes `held.bin`.
const WRITERS: [&str; 4] = [
    "convert games.pgn -o out.bin --to binpack",
    "filter games.pgn -o out.bin --to plain --max-score 3000",
    "shuffle games.pgn -o out.bin --to bulletformat --seed 7",
    "split games.pgn -o out.bin --held-out held.bin --to binpack --fraction 0.3 --seed 7",
];

/// How often each command is killed.
const KILLS: usize = 8;

/// What the output held before the command ran.
const OLD: &[u8] = b"what was here before";

/// A folder with so many games that there is time to kill a command while it reads and while it writes.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("games.pgn", GAMES.repeat(300).as_bytes());
    folder
}

#[test]
fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    let folder = folder("killed");
    let mut random = fastrand::Rng::with_seed(3);
    for writer in WRITERS {
        let start = Instant::now();
        folder.data(writer).succeeds();
        let (took, new) = (start.elapsed(), folder.read("out.bin"));
        for _ in 0..KILLS {
            folder.write("out.bin", OLD);
            let mut child = Command::new(env!("CARGO_BIN_EXE_nnue-train"))
                .arg("data")
                .args(writer.split(' '))
                .current_dir(&folder.0)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the command starts");
            std::thread::sleep(Duration::from_micros(
                random.u64(..=took.as_micros() as u64),
            ));
            child.kill().expect("it is a child of this process");
            child.wait().expect("it ends");
            let found = folder.read("out.bin");
            assert!(
                found == OLD || found == new,
                "{writer}: {} bytes of {}",
                found.len(),
                new.len()
            );
        }
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_and_nothing_else() {
    let folder = folder("disk");
    let program = env!("CARGO_BIN_EXE_nnue-train");
    for writer in WRITERS {
        folder.write("out.bin", OLD);
        folder.write("held.bin", OLD);
        // no file may become longer than 512 bytes, and the signal about it is ignored: writing fails, as on a full disk
        let script = format!("trap '' XFSZ; ulimit -f 1; exec {program} data {writer}");
        let run = Command::new("sh")
            .args(["-c", &script])
            .current_dir(&folder.0)
            .output()
            .expect("the shell starts");
        let said = String::from_utf8(run.stderr).expect("text");
        assert_eq!(run.status.code(), Some(1), "{writer}: {said}");
        assert!(
            said.lines()
                .last()
                .is_some_and(|line| line.starts_with("error: cannot write ")),
            "{writer}: {said}"
        );
        assert_eq!(
            (folder.read("out.bin"), folder.read("held.bin")),
            (OLD.to_vec(), OLD.to_vec()),
            "{writer}"
        );
        assert_eq!(
            folder.names(),
            ["games.pgn", "held.bin", "out.bin"],
            "{writer}"
        );
    }
}
