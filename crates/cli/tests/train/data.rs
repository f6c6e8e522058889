//! What the commands do with whole files.

use std::io::Write;

use crate::Folder;

#[test]
fn inspect_shows_positions() {
    let folder = Folder::with_games("inspect");
    let expected = "number\tply\tscore\toutcome\tmove\tfen\n\
        1\t1\t-30\tloss\td7d5\trnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
        2\t2\t50\twin\te4d5\trnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";
    assert_eq!(
        folder.data("inspect games.pgn --count 2").prints(),
        expected
    );
    let last = folder.data("inspect games.pgn --skip 14").prints();
    assert_eq!(
        last.lines().nth(1),
        Some("15\t121\t-3900\tdraw\t-\t8/5k2/8/8/1Q6/8/8/4K3 b - - 2 61")
    );
}

#[test]
fn convert_writes_every_format() {
    let folder = Folder::with_games("convert");
    for to in ["a.binpack", "a.plain", "a.marlin", "a.bf", "a.txt"] {
        let said = folder
            .data(&format!("convert games.pgn -o {to}"))
            .succeeds();
        assert_eq!(said, format!("15 positions in {to}\n"));
        assert!(
            folder
                .data(&format!("stats {to}"))
                .prints()
                .starts_with("positions            15\n"),
            "{to}"
        );
    }
    let said = folder.data("convert games.pgn -o a.vf").succeeds();
    assert_eq!(
        said,
        "note: 3 positions without a move are left out: viriformat needs one\n12 positions in a.vf\n"
    );
    // and back
    folder.data("convert a.binpack -o b.pgn").succeeds();
    folder.data("convert b.pgn -o b.binpack").succeeds();
    assert_eq!(folder.read("a.binpack"), folder.read("b.binpack"));
    assert!(folder.names().iter().all(|name| !name.ends_with(".part")));
}

#[test]
fn standard_input_and_output_are_files_too() {
    let folder = Folder::with_games("standard");
    folder.data("convert games.pgn -o a.binpack").succeeds();
    let run = folder.data_reading(
        crate::GAMES.as_bytes(),
        "convert - --from pgn -o - --to binpack",
    );
    assert_eq!(run.out, folder.read("a.binpack"));
    assert_eq!(run.succeeds(), "15 positions in -\n");
}

#[test]
fn what_is_passed_over_is_told() {
    let folder = Folder::new("passed-over");
    folder.write("bare.pgn", b"[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n");
    let run = folder.data("stats bare.pgn");
    assert_eq!(
        run.err,
        "note: bare.pgn: passed over: 1 game without an evaluation (3 positions)\n"
    );
    assert!(run.prints().starts_with("positions            0\n"));
    let of_match = "[Result \"1-0\"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.31/14 0.21s} 1-0\n";
    folder.write("match.pgn", of_match.as_bytes());
    assert_eq!(
        folder.data("convert match.pgn -o match.txt").succeeds(),
        "note: match.pgn: passed over: 2 positions without an evaluation\n1 positions in match.txt\n"
    );
    assert!(folder.read("match.txt").ends_with(b" | 31 | 1.0\n"));
}

#[test]
fn compressed_files_are_read_and_not_written() {
    let folder = Folder::with_games("compressed");
    folder.data("convert games.pgn -o a.binpack").succeeds();
    for (name, bytes) in [
        ("a.binpack.gz", gzip(&folder.read("a.binpack"))),
        ("games.pgn.gz", gzip(crate::GAMES.as_bytes())),
    ] {
        folder.write(name, &bytes);
        folder
            .data(&format!("convert {name} -o b.binpack"))
            .succeeds();
        assert_eq!(folder.read("a.binpack"), folder.read("b.binpack"), "{name}");
    }
    let whole = folder.read("a.binpack.gz");
    folder.write("cut.binpack.gz", &whole[..whole.len() - 12]);
    let damaged = format!(
        "cut.binpack.gz: byte {} of the compressed file: the rest cannot be decompressed by gzip: it ends too early; the records before it were counted",
        whole.len() - 12
    );
    folder.data("stats cut.binpack.gz").fails_with(&damaged);
    folder.data("convert games.pgn -o a.binpack.zst").fails_with(
        "a.binpack.zst: files are not compressed: write `-o - --to binpack` into `zstd` or `gzip`",
    );
    folder.data("convert games.pgn -o a.csv").fails_with(
        "a.csv: this layout is read only: add --to text, and lines are `FEN | score | outcome`",
    );
}

#[test]
fn castling_of_chess960_is_dropped_for_binpacks_on_demand() {
    let folder = Folder::new("chess960");
    let record = |mv: &str| {
        format!(
            "fen 1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1\nmove {mv}\nscore 12\nply 0\nresult 0\ne\n"
        )
    };
    let text = record("b1b2") + &record("c1f1") + &record("f1f2");
    folder.write("frc.plain", text.as_bytes());
    folder.data("convert frc.plain -o frc.binpack").fails_with(
        "record 1 cannot be written to frc.binpack (binpack): binpack has no castling of Chess960, which \
         `1rk2r2/8/8/8/8/8/8/1RK2R2 w KQkq - 0 1` has; --drop-castling writes it without",
    );
    assert_eq!(
        folder
            .data("convert frc.plain -o frc.binpack --drop-castling")
            .succeeds(),
        "note: 2 positions have lost their castling rights of Chess960, and 1 whose move castles are left out\n\
         2 positions in frc.binpack\n"
    );
    let left = folder.data("inspect frc.binpack").prints();
    assert_eq!(
        left.matches("1rk2r2/8/8/8/8/8/8/1RK2R2 w - - 0 1").count(),
        2,
        "{left}"
    );
    folder.data("convert frc.plain -o frc.vf --drop-castling").fails_with(
        "--drop-castling: viriformat has castling of Chess960, or no castling at all; leave it out",
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn several_files_become_one() {
    let folder = Folder::with_games("several");
    folder
        .data("convert games.pgn games.pgn -o two.binpack")
        .succeeds();
    let counted = folder.data("stats two.binpack").prints();
    assert!(
        counted.starts_with("positions            30\ngames                6\n"),
        "{counted}"
    );
    let said = folder
        .data("convert games.pgn two.binpack -o mixed.plain --interleave --seed 3")
        .succeeds();
    assert_eq!(said, "45 positions in mixed.plain\n");
}

#[test]
fn filter_tells_what_it_leaves_out() {
    let folder = Folder::with_games("filter");
    let said = folder
        .data("filter games.pgn --quiet --max-score 3000 --min-ply 2 -o a.plain")
        .succeeds();
    let expected = "           3  left out: in check\n           \
                    2  left out: move captures\n           \
                    3  left out: score\n           \
                    2  left out: ply\n\
                    5 positions in a.plain, of 15\n";
    assert_eq!(said, expected);
    let left = folder.data("inspect a.plain").prints();
    let plies: Vec<&str> = left
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').nth(1))
        .collect();
    assert_eq!(plies, ["4", "5", "7", "8", "2"]);
}

#[test]
fn split_keeps_games_whole() {
    let folder = Folder::with_games("split");
    folder
        .data("convert games.pgn games.pgn games.pgn games.pgn -o all.binpack")
        .succeeds();
    let said = folder
        .data("split all.binpack -o train.binpack --held-out test.binpack --fraction 0.5")
        .succeeds();
    assert!(said.contains("positions in train.binpack, "), "{said}");
    let count = |name: &str, what: &str| -> u64 {
        let counted = folder.data(&format!("stats {name}")).prints();
        let line = counted
            .lines()
            .find(|line| line.starts_with(what))
            .expect("a line")
            .to_owned();
        line.split_whitespace()
            .last()
            .expect("a number")
            .parse()
            .expect("a number")
    };
    let (train, test) = (
        count("train.binpack", "games"),
        count("test.binpack", "games"),
    );
    assert!(
        train > 0 && test > 0 && train + test <= 12,
        "{train} and {test}"
    );
    assert_eq!(
        count("train.binpack", "positions") + count("test.binpack", "positions"),
        60
    );
}

/// No memory is that of one position, and enough for the positions of 200 files.
#[test]
fn shuffling_in_too_little_memory_is_refused() {
    let folder = Folder::with_games("little");
    folder.data("convert games.pgn -o a.plain").succeeds();
    for memory in ["0", "1"] {
        folder
            .data(&format!("shuffle a.plain --memory {memory} -o b.plain"))
            .succeeds();
        let many = vec!["a.plain"; 14].join(" ");
        folder
            .data(&format!("shuffle {many} --memory {memory} -o c.plain"))
            .fails_with(&format!(
                "--memory: {memory} bytes of memory are enough for 201 records, 200 files of them included: give more for more records (36 bytes each)"
            ));
    }
    assert_eq!(folder.names(), ["a.plain", "b.plain", "games.pgn"]);
}

#[test]
fn shuffle_keeps_every_position() {
    let folder = Folder::with_games("shuffle");
    folder.data("convert games.pgn -o a.plain").succeeds();
    assert_eq!(
        folder
            .data("shuffle a.plain --memory 100 -o b.plain")
            .succeeds(),
        "15 positions in b.plain\n"
    );
    folder
        .data("shuffle a.plain --memory 100 -o c.plain")
        .succeeds();
    assert_eq!(folder.read("b.plain"), folder.read("c.plain"));
    assert_ne!(folder.read("a.plain"), folder.read("b.plain"));
    let sorted = |name: &str| {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let mut records: Vec<String> = text.split("e\n").map(str::to_owned).collect();
        records.sort();
        records
    };
    assert_eq!(sorted("a.plain"), sorted("b.plain"));
    assert_eq!(
        folder.names(),
        ["a.plain", "b.plain", "c.plain", "games.pgn"]
    );
}

#[test]
fn stats_count() {
    let folder = Folder::with_games("stats");
    let counted = folder.data("stats games.pgn").prints();
    let expected = "\
positions            15
games                3
White to move        7 (46.7 %)
side to move wins    6 (40.0 %)
draws                3 (20.0 %)
side to move loses   6 (40.0 %)
in check             3 (20.0 %)
no move              3 (20.0 %)
move captures        2 (13.3 %)
move promotes        0 (0.0 %)
no score             0 (0.0 %)
";
    assert!(counted.starts_with(expected), "{counted}");
    assert!(
        counted.contains("\nscores               -32000 to 31999\nplies                1 to 121\n"),
        "{counted}"
    );
}

#[test]
fn help_teaches() {
    let folder = Folder::new("help");
    for command in ["convert", "filter", "shuffle", "split", "stats", "inspect"] {
        let help = folder.data(&format!("{command} --help")).prints();
        assert!(
            help.contains(&format!("  nnue data {command} ")),
            "{command} has no example:\n{help}"
        );
        assert!(help.contains("--keep-going"), "{help}");
    }
    let help = folder.data("--help").prints();
    for format in nnue_data::Format::ALL {
        assert!(help.contains(format.name()), "{format} is not in:\n{help}");
        assert!(
            format
                .extensions()
                .iter()
                .all(|extension| help.contains(extension)),
            "{format}: {help}"
        );
    }
}
