//! Damaged files: what is whole is kept, and the fault is told.

use crate::Folder;

/// Two chunks of the same games, with a byte of the second one changed, and one more chunk.
fn damaged(name: &str) -> (Folder, usize) {
    let folder = Folder::with_games(name);
    folder.data("convert games.pgn -o a.binpack").succeeds();
    let chunk = folder.read("a.binpack");
    let mut bytes = chunk.repeat(3);
    let at = chunk.len() + 8;
    bytes[at..at + 8].fill(0);
    folder.write("damaged.binpack", &bytes);
    (folder, at)
}

#[test]
fn what_is_before_is_kept() {
    let (folder, at) = damaged("kept");
    let fault = format!("damaged.binpack: chunk 2, byte {at}: 0 white kings instead of one");
    let run = folder.data("convert damaged.binpack -o kept.binpack");
    assert!(
        run.err.starts_with("15 positions in kept.binpack\n"),
        "{}",
        run.err
    );
    run.fails_with(&format!("{fault}; the records before it were written"));
    assert_eq!(folder.read("kept.binpack"), folder.read("a.binpack"));

    folder
        .data("stats damaged.binpack")
        .fails_with(&format!("{fault}; the records before it were counted"));
    folder
        .data("inspect damaged.binpack --count 20")
        .fails_with(&format!("{fault}; it has 15 positions before"));
    assert_eq!(
        folder
            .data("inspect damaged.binpack --count 15")
            .prints()
            .lines()
            .count(),
        16
    );
}

#[test]
fn keep_going_leaves_out_what_is_damaged() {
    let (folder, at) = damaged("going");
    let said = folder
        .data("convert damaged.binpack -o whole.binpack --keep-going")
        .succeeds();
    let fault = format!("damaged.binpack: chunk 2, byte {at}: 0 white kings instead of one");
    assert_eq!(
        said,
        format!("note: {fault}; it is left out\n30 positions in whole.binpack\n")
    );
}

#[test]
fn many_faults_are_counted() {
    let folder = Folder::new("many");
    folder.write("a.txt", "nonsense\n".repeat(25).as_bytes());
    let said = folder
        .data("convert a.txt -o b.txt --keep-going")
        .succeeds();
    assert_eq!(said.lines().count(), 12, "{said}");
    assert!(
        said.ends_with("note: 15 more places are damaged\n0 positions in b.txt\n"),
        "{said}"
    );
}

#[test]
fn a_cut_file_is_read_to_the_cut() {
    let folder = Folder::with_games("cut");
    folder.data("convert games.pgn -o a.bf").succeeds();
    let bytes = folder.read("a.bf");
    folder.write("cut.bf", &bytes[..100]);
    folder.data("stats cut.bf").fails_with(
        "cut.bf: record 4, byte 100: the file ends here, 28 bytes before the end of the record; the records before it were counted",
    );
}
