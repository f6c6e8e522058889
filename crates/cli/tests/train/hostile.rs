//! Training data that never end a game, a line or a chunk: read in little memory.

use std::process::{Command, Stdio};

use crate::{Folder, Run};

/// Kilobytes that the command may use, its own code included.
const MEMORY: u32 = 60_000;

/// Bytes that would not fit beside the code.
const LONG: usize = 32 << 20;

#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_enough() {
    let folder = Folder::new("little-memory");
    let program = env!("CARGO_BIN_EXE_nnue-train");
    let script = format!("ulimit -v {MEMORY}; exec {program} data stats \"$0\"");
    let read = |name: &str, contents: &[u8]| {
        folder.write(name, contents);
        let run = Command::new("sh")
            .args(["-c", &script, name])
            .current_dir(&folder.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the shell starts");
        let run = Run::of(run);
        std::fs::remove_file(folder.0.join(name)).expect("the file");
        run
    };
    let long = |begin: &str, byte: &str| [begin, &byte.repeat(LONG)].concat().into_bytes();

    let game = "[Result \"1-0\"]\n\n1. e4 ";
    for (name, contents) in [
        ("variations.pgn", long(game, "(")),
        ("comment.pgn", long(&format!("{game}{{"), "x")),
        ("spaces.pgn", long(game, " ")),
        ("tag.pgn", long("[Result \"", "x")),
    ] {
        assert_eq!(read(name, &contents).code, Some(0), "{name}");
    }
    let told = |run: Run, words: &str| {
        assert_eq!(run.code, Some(1), "{}", run.err);
        assert!(run.err.contains(words), "{}", run.err);
    };
    told(
        read("token.pgn", &long(game, "x")),
        "x` instead of a legal move",
    );
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(10_000);
    told(
        read(
            "moves.pgn",
            format!("[Result \"1-0\"]\n\n{moves}").as_bytes(),
        ),
        "instead of the end of a game of 20000 moves",
    );
    for (name, begin) in [
        ("line.plain", "fen "),
        ("line.txt", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | "),
    ] {
        told(
            read(name, &long(begin, "5")),
            "a line of more than 4096 bytes",
        );
    }
    let chunk = |size: u32| [b"BINP", &size.to_le_bytes()[..], &[0; 8]].concat();
    told(
        read("chunk.binpack", &chunk(100 << 20)),
        "the file ends here, 104857592 bytes before the end of the chunk",
    );
    told(read("chunk.binpack", &chunk(u32::MAX)), "4294967295");
}
