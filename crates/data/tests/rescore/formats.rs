//! Every format becomes every other; order and bytes depend on no thread.

use std::num::NonZeroUsize;

use nnue_data::rescore::{Input, rescore};
use nnue_data::{Format, Outcome, Record};

use crate::common::{BINPACK, Folder, failure_of, games, output_of, read, scorer, value};

/// What is left of a record in a format, with the score of the network.
fn expected(record: &Record, format: Format) -> Record {
    let score = i16::try_from(value(record)).expect("small weights");
    let mut record = Record { score, ..*record };
    if !format.has_moves() {
        record.mv = None;
    }
    record
}

#[test]
fn positions_get_the_values_of_the_network_in_their_order() {
    let (folder, games) = (Folder::new("formats"), games(1, 30));
    let input = folder.records("games.binpack", &games);
    for format in [
        Format::Binpack,
        Format::Plain,
        Format::Text,
        Format::Marlinformat,
        Format::Viriformat,
    ] {
        let mut job = folder.job(
            std::slice::from_ref(&input),
            &format!("out.{}", format.extensions()[0]),
        );
        let report =
            rescore(&job, &scorer(), &()).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(
            (report.counts.written, report.counts.scored),
            (games.len() as u64, games.len() as u64)
        );
        let wanted: Vec<Record> = games
            .iter()
            .map(|record| expected(record, format))
            .collect();
        assert_eq!(read(&job.output), wanted, "{format}");
        let bytes = output_of(&job);
        job.threads = NonZeroUsize::new(3).expect("a number");
        assert!(
            output_of(&job) == bytes,
            "{format}: threads change the bytes"
        );
    }
    assert!(
        !folder
            .names()
            .iter()
            .any(|name| name.ends_with(".state") || name.ends_with(".part"))
    );
}

#[test]
fn boards_of_bullet_and_games_in_pgn_are_read_and_written() {
    let (folder, games) = (Folder::new("more-formats"), games(2, 9));
    for name in ["games.bf", "games.pgn", "games.txt", "games.vf"] {
        let input = folder.records(name, &games);
        let positions = read(&input.path);
        let job = folder.job(&[input], "out.plain");
        output_of(&job);
        let found = read(&job.output);
        assert_eq!(found.len(), games.len(), "{name}");
        for (found, position) in found.iter().zip(&positions) {
            assert_eq!(
                (found.position, i32::from(found.score)),
                (position.position, value(position)),
                "{name}"
            );
            assert_eq!(
                (found.outcome, found.ply, found.mv),
                (position.outcome, position.ply, position.mv),
                "{name}"
            );
        }
    }
    let pgn = folder.job(&[folder.records("games.vf", &games)], "out.pgn");
    output_of(&pgn);
    assert_eq!(read(&pgn.output).len(), games.len());
    assert_eq!(
        output_of(&folder.job(&[folder.records("games.vf", &games)], "out.bf")).len(),
        32 * games.len()
    );
}

#[test]
fn compressed_files_are_read_whole() {
    let folder = Folder::new("compressed");
    let plain = folder.records("games.binpack", &games(5, 9));
    let expected = output_of(&folder.job(std::slice::from_ref(&plain), "out.plain"));
    let bytes = std::fs::read(&plain.path).expect("a file");
    let input = Input {
        path: folder.path("games.binpack.zst"),
        ..plain
    };
    std::fs::write(&input.path, zstd::encode_all(&bytes[..], 1).expect("bytes")).expect("a file");
    let mut job = folder.job(&[input], "out.plain");
    assert!(output_of(&job) == expected);
    job.share = "1/2".parse().ok();
    let error = failure_of(&job);
    assert!(
        error.ends_with("it is compressed, so that it has no parts: decompress it first"),
        "{error}"
    );
}

#[test]
fn several_files_follow_each_other() {
    let folder = Folder::new("several");
    let (first, second) = (games(3, 5), games(4, 7));
    let inputs = [
        folder.records("a.binpack", &first),
        folder.records("b.plain", &second),
    ];
    let job = folder.job(&inputs, "out.plain");
    output_of(&job);
    let positions: Vec<_> = first
        .iter()
        .chain(&second)
        .map(|record| record.position)
        .collect();
    let found: Vec<_> = read(&job.output)
        .iter()
        .map(|record| record.position)
        .collect();
    assert_eq!(found, positions);
}

#[test]
fn lists_of_fens_need_an_outcome() {
    let folder = Folder::new("fens");
    let text = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 31\tan ending\n\n4k3/4p3/8/8/8/8/8/4K3 b - -\n";
    let input = folder.input("positions.fen", text.as_bytes());
    let mut job = folder.job(std::slice::from_ref(&input), "out.plain");
    let said = failure_of(&job);
    assert!(
        said.ends_with(
            "fens does not say how games ended: name the outcome that its positions are to have"
        ),
        "{said}"
    );
    assert_eq!(folder.names(), ["positions.fen"]);
    job.outcome = Some(Outcome::Draw);
    output_of(&job);
    let found = read(&job.output);
    assert_eq!(
        found.iter().map(|record| record.ply).collect::<Vec<_>>(),
        [60, 1]
    );
    found
        .iter()
        .for_each(|record| assert_eq!(i32::from(record.score), value(record)));
    let said = failure_of(&folder.job(&[input], "out.fen"));
    assert!(
        said.ends_with("lists of FENs have no scores: they are only read"),
        "{said}"
    );
}

#[test]
fn what_a_format_has_no_room_for_is_told_with_its_number() {
    let (folder, mut games) = (Folder::new("no-room"), games(5, 6));
    games[210].ply = 20_000; // a binpack has 14 bits
    let input = folder.records("games.plain", &games);
    let mut job = folder.job(&[input], "out.binpack");
    let said = failure_of(&job);
    assert!(
        said.starts_with("record 211, for ")
            && said.ends_with("ply 20000 does not fit: at most 16383 do"),
        "{said}"
    );
    (job.resume, job.keep_going) = (true, true);
    let report = rescore(&job, &scorer(), &()).expect("it goes on");
    assert_eq!(
        (report.counts.refused, report.counts.written),
        (1, games.len() as u64 - 1)
    );
    assert_eq!(read(&job.output).len(), games.len() - 1);
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_is_read() {
    let (folder, games) = (Folder::new("refused"), games(6, 1));
    let text = folder.records("games.txt", &games);
    let said = failure_of(&folder.job(std::slice::from_ref(&text), "out.vf"));
    assert!(
        said.ends_with("text has no moves, which viriformat needs"),
        "{said}"
    );
    let said = failure_of(&folder.job(&[text], "games.txt"));
    assert!(said.contains("would overwrite"), "{said}");
    let missing = Input {
        path: folder.path("none.binpack"),
        format: BINPACK,
    };
    assert!(failure_of(&folder.job(&[missing], "out.plain")).ends_with("no such file"));
    assert_eq!(folder.names(), ["games.txt"]);
}
