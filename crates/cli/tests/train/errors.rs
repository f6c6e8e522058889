//! What is said when something is wrong, and that nothing is written then.

use crate::Folder;

#[test]
fn formats_that_a_name_does_not_say() {
    let folder = Folder::with_games("names");
    const FORMATS: &str =
        "binpack, bulletformat, marlinformat, viriformat, text, plain, pgn, policy";
    folder
        .data("convert games.pgn -o a.bin")
        .fails_with(&format!(
            "a.bin: the name does not say the format; add --to with one of {FORMATS}"
        ));
    folder.data("stats -").fails_with(&format!(
        "-: the name does not say the format; add --from with one of {FORMATS}"
    ));
}

/// What people hand to the command in place of training data, by name and by `--from`.
#[test]
fn files_of_other_kinds_are_named() {
    let folder = Folder::with_games("kinds");
    let utf16: Vec<u8> = "\u{feff}[Event \"x\"]\r\n\r\n1. e4"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let cases: [(&str, &[u8], &str); 5] = [
        ("page", b"<!DOCTYPE html><html></html>", "an HTML page"),
        (
            "pointer",
            b"version https://git-lfs.github.com",
            "a git-LFS pointer",
        ),
        (
            "floats",
            b"\x10\x01\0\0\0\0\0\0{\"fc0_bias\":",
            "safetensors",
        ),
        (
            "model",
            b"\x08\x08:\xAFC\n\x14\n\x01x\n\x02W1",
            "a file that begins like an ONNX model",
        ),
        ("windows", &utf16, "a text in UTF-16: save it as UTF-8"),
    ];
    for (name, contents, kind) in cases {
        let named = |file: &str| format!("{file}: this is {kind}");
        for (file, options) in [
            (name.to_owned(), ""),
            (name.to_owned(), "--from pgn"),
            (format!("{name}.binpack"), ""),
            (format!("{name}.txt"), ""),
        ] {
            folder.write(&file, contents);
            let run = folder.data(format!("stats {file} {options}").trim());
            assert!(run.err.contains(&named(&file)), "{}", run.err);
            assert_eq!((run.code, run.out.len()), (Some(1), 0));
        }
    }
    folder.write("games.plain", b"[Event \"x\"]\n\n1. e4 *\n");
    let run = folder.data("stats games.plain");
    assert!(
        run.err.contains("games.plain: this is games (PGN)"),
        "{}",
        run.err
    );
    // of the format that was asked for, and damaged
    folder.write("cut.binpack", b"BINP\x01\0");
    let run = folder.data("stats cut.binpack");
    assert!(!run.err.contains("this is"), "{}", run.err);
}

#[test]
fn files_that_cannot_be_read_or_written() {
    let folder = Folder::with_games("files");
    folder
        .data("stats no.pgn")
        .fails_with(&folder.cannot_read("no.pgn", "no such file"));
    folder.data("stats . --from pgn").fails_with(&format!(
        "cannot read {}: it is a folder",
        folder.0.display()
    ));
    folder
        .data("convert games.pgn -o no/a.binpack")
        .fails_with("cannot write no/a.binpack: no such file");
    folder
        .data("convert games.pgn -o games.pgn")
        .fails_with("--output would overwrite games.pgn, which is read: name another file");
    folder
        .data("split games.pgn -o a.binpack --held-out games.pgn")
        .fails_with("--held-out would overwrite games.pgn, which is read: name another file");
    folder
        .data("split games.pgn -o a.binpack --held-out a.binpack")
        .fails_with("--output and --held-out name the same file");
    folder
        .data("shuffle games.pgn --temporary no --memory 0 -o a.binpack")
        .fails_with("cannot write no: no such file");
    assert_eq!(folder.names(), ["games.pgn"]);
}

/// A file must not move the cursor or colour the terminal.
#[test]
fn control_characters_of_files_are_escaped() {
    let folder = Folder::new("control");
    folder.write("a.pgn", b"[Result \"1-0\"] 1. \x1b[31mevil");
    folder.data("stats a.pgn").fails_with(
        "a.pgn: game 1, byte 18: `\\u{1b}` instead of a legal move; the records before it were counted",
    );
    folder.write("a.plain", b"fen \x1b]0;evil\x07\n");
    let run = folder.data("stats a.plain");
    assert!(!run.err.contains(['\x1b', '\x07']), "{}", run.err);
    let run = folder.data("stats \x1b[31mno.pgn");
    assert!(
        run.err.contains("\\u{1b}[31mno.pgn: no such file"),
        "{}",
        run.err
    );
}

#[test]
fn formats_that_lack_what_is_needed() {
    let folder = Folder::with_games("lack");
    folder.data("convert games.pgn -o a.bf").succeeds();
    folder.data("filter a.bf --quiet -o b.bf").fails_with(
        "a.bf: bulletformat has no moves, and --no-captures and --no-promotions need them",
    );
    folder.data("filter a.bf --win-rate -o b.bf").fails_with(
        "a.bf: bulletformat has no plies, and --min-ply, --max-ply and --win-rate need them",
    );
    folder
        .data("split a.bf -o b.bf --held-out c.bf")
        .fails_with("a.bf: bulletformat has no plies, which mark where games begin");
    folder
        .data("convert a.bf -o a.vf")
        .fails_with("a.bf: bulletformat has no moves, which viriformat needs");
    folder.data("convert games.pgn -o a.policy").succeeds();
    folder.data("shuffle a.policy -o b.policy").fails_with(
        "a.policy: the visits of its moves would be lost: `nnue train` takes the file as it is",
    );
    assert_eq!(folder.names(), ["a.bf", "a.policy", "games.pgn"]);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_no_records() {
    let folder = Folder::with_games("device");
    for input in ["stats", "convert -o a.bf", "shuffle -o a.bf"] {
        folder
            .data(&format!("{input} --from binpack /dev/zero"))
            .fails_with("cannot read /dev/zero: it is a device: a file is expected");
    }
    assert_eq!(folder.names(), ["games.pgn"]);
}

#[test]
fn records_that_do_not_fit() {
    let folder = Folder::new("fit");
    folder.write("a.txt", b"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1 | 5 | 1.0\n");
    folder.data("convert a.txt -o a.binpack").fails_with(
        "record 1 cannot be written to a.binpack (binpack): binpack has no castling of Chess960, \
         which `4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1` has; --drop-castling writes it without",
    );
    assert_eq!(folder.names(), ["a.txt"]);
}

#[test]
fn arguments_out_of_range() {
    let folder = Folder::with_games("arguments");
    for (arguments, word) in [
        (
            "split games.pgn -o a.pgn --held-out b.pgn --fraction 2",
            "a fraction is from 0 to 1",
        ),
        (
            "shuffle games.pgn -o a.pgn --memory many",
            "write a number of bytes, as 500M or 4G",
        ),
        (
            "shuffle games.pgn -o a.pgn --memory 99999999999G",
            "more than this machine can address",
        ),
        (
            "convert games.pgn -o a.pgn --to binpak",
            "[possible values: binpack, bulletformat",
        ),
        ("filter games.pgn -o a.pgn --one-in 0", "--one-in"),
    ] {
        let run = folder.data(arguments);
        assert_eq!(run.code, Some(2), "{arguments}");
        assert!(run.err.contains(word), "{arguments}: {}", run.err);
    }
}

/// A full disk leaves what was there.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = Folder::with_games("full");
    folder
        .data("convert games.pgn -o /dev/full --to plain")
        .fails_with("cannot write /dev/full: the disk is full");
}
