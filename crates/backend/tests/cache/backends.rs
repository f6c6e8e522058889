//! The backend `cached`.

use nnue_backend::Wanted;
use nnue_backend::cache::{Coding, Steps, survey};

use super::{Folder, Game, answers, counts, create, in_files, try_create};

#[test]
fn what_was_computed_is_found() {
    let (game, plain) = (Game::new(1, 100), create("random(seed=3)"));
    let cached = create("cached(random(seed=3))");
    let expected = answers(&*plain, &game);
    assert_eq!(answers(&*cached, &game), expected);
    assert_eq!(counts(&*cached), [0, 0, 100]);
    assert_eq!(answers(&*cached, &game), expected);
    assert_eq!(counts(&*cached), [100, 0, 100]);

    let computation = cached.computation();
    let added = computation
        .add(&game.samples()[7], Wanted::ALL)
        .expect("room");
    assert_eq!(
        added.answer.map(|answer| answer.q),
        Some(expected.q(7)),
        "at once"
    );
    assert_eq!(computation.used_batch_size(), 0);
    let unknown = computation
        .add(&Game::new(2, 9).samples()[8], Wanted::ALL)
        .expect("room");
    assert_eq!(
        (unknown.slot, unknown.answer, computation.used_batch_size()),
        (1, None, 1)
    );
    assert_eq!(
        computation.compute().expect("answers").get(0),
        expected.get(7)
    );
}

#[test]
fn another_question_is_another_answer() {
    let (game, cached) = (Game::new(1, 30), create("cached(random(seed=3))"));
    let samples = game.samples();
    let of = |wanted| cached.evaluate(&samples, wanted).expect("answers");
    assert!(of(Wanted::VALUE).policy(5).is_empty());
    assert_eq!(
        of(Wanted::ALL),
        answers(&*create("random(seed=3)"), &game),
        "the policy was not kept, so it is computed"
    );
    assert_eq!(counts(&*cached), [0, 0, 60]);
    // an option that changes the answers
    assert!(cached.set("seed", "4").expect("a seed"));
    assert_eq!(of(Wanted::ALL), answers(&*create("random(seed=4)"), &game));
    assert!(cached.set("seed", "3").expect("a seed"));
    assert_eq!(of(Wanted::ALL), answers(&*create("random(seed=3)"), &game));
    assert_eq!(counts(&*cached), [30, 0, 90]);
    // moves in another order
    let reversed: Vec<_> = game.moves[3].iter().rev().copied().collect();
    let sample = nnue_backend::Sample {
        moves: &reversed,
        ..samples[3]
    };
    let expected = create("random(seed=3)")
        .evaluate(&[sample], Wanted::ALL)
        .expect("an answer");
    assert_eq!(
        cached.evaluate(&[sample], Wanted::ALL).expect("an answer"),
        expected
    );
}

#[test]
fn history_counts_as_the_user_says() {
    let game = Game::new(1, 30);
    let samples = game.samples();
    for (text, computed) in [
        ("cached(random, history=1)", 1),
        ("cached(random)", 2),
        ("cached(random, history=2)", 2),
    ] {
        let cached = create(text);
        for history in [samples[20], samples[20].last(1)] {
            cached.evaluate(&[history], Wanted::ALL).expect("an answer");
        }
        assert_eq!(counts(&*cached)[2], computed, "{text}");
    }
}

#[test]
fn answers_outlive_the_program() {
    let (folder, game) = (Folder::new("outlive"), Game::new(1, 200));
    let file = folder.file("book");
    let first = in_files(&file, "");
    let expected = answers(&*first, &game);
    assert_eq!(answers(&*first, &game), expected, "the same from memory");
    drop(first);
    for options in ["", ", memory=0"] {
        let again = in_files(&file, options);
        assert_eq!(answers(&*again, &game), expected, "the same from the file");
        assert_eq!(counts(&*again), [0, 200, 0]);
    }
    // close to what was computed
    let plain = answers(&*create("random(seed=3)"), &game);
    for (kept, computed) in expected.iter().zip(plain.iter()) {
        assert!((kept.q - computed.q).abs() < 2e-5 && (kept.d - computed.d).abs() < 1e-5);
        assert!(
            kept.policy
                .iter()
                .zip(computed.policy)
                .all(|(a, b)| (a - b).abs() < 0.01)
        );
    }
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder").count(), 1);
}

#[test]
fn every_way_to_write_is_read_again() {
    let (folder, game) = (Folder::new("ways"), Game::new(1, 40));
    for steps in ["root", "rounded", "truncated"] {
        for coding in ["contexts", "prefix", "run_length", "variable_length"] {
            let (file, options) = (
                folder.file(&format!("{steps}-{coding}")),
                format!(", steps={steps}, coding={coding}"),
            );
            let expected = answers(&*in_files(&file, &options), &game);
            let again = in_files(&file, &options);
            assert_eq!(
                (answers(&*again, &game), counts(&*again)[2]),
                (expected, 0),
                "{options}"
            );
        }
    }
}

#[test]
fn foreign_files_are_errors() {
    let (folder, game) = (Folder::new("foreign"), Game::new(1, 20));
    let file = folder.file("book");
    let segment = folder.file("book.1");
    let told = |text: &str| try_create(text).err().expect("an error").to_string();
    let text = |seed: u32, options: &str| {
        format!(
            "cached(random(seed={seed}), file='{}'{options})",
            file.display()
        )
    };
    answers(&*create(&text(3, "")), &game);
    let bytes = std::fs::read(&segment).expect("the file");
    assert!(
        told(&text(4, "")).contains("another network, or other options"),
        "{}",
        told(&text(4, ""))
    );
    assert!(
        told(&text(3, ", coding=prefix"))
            .contains("its answers are kept with coding=contexts, this cache has coding=prefix")
    );
    for (at, value, message) in [
        (0, b'X', "no file of a cache"),
        (8, 3, "version 3"),
        (12, 9, "no file of a cache"),
    ] {
        let mut wrong = bytes.clone();
        wrong[at] = value;
        std::fs::write(&segment, wrong).expect("a file");
        assert!(
            told(&text(3, "")).contains(message),
            "{}",
            told(&text(3, ""))
        );
    }
    std::fs::write(&segment, "short").expect("a file");
    assert!(told(&text(3, "")).contains("no file of a cache"));
    assert!(told("cached(random, file='/nonexistent/folder/book')").contains("cached"));
}

/// Every cut and every flipped byte: what is found is right, and a new answer has room.
#[test]
fn damaged_files_are_never_wrong() {
    let (folder, game, new) = (Folder::new("damaged"), Game::new(1, 12), Game::new(2, 1));
    let (file, segment) = (folder.file("book"), folder.file("book.1"));
    let expected = answers(&*in_files(&file, ""), &game);
    let bytes = std::fs::read(&segment).expect("the file");
    for at in (40..bytes.len()).step_by(7) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        for damaged in [flipped, bytes[..at].to_vec()] {
            std::fs::write(&segment, damaged).expect("a file");
            let cached = in_files(&file, "");
            assert_eq!(answers(&*cached, &game), expected, "byte {at}");
            assert!(
                counts(&*cached)[2] > 0,
                "byte {at}: what is behind the damage is computed again"
            );
            answers(&*cached, &new);
            drop(cached);
            let cached = in_files(&file, "");
            assert_eq!(answers(&*cached, &game), expected, "byte {at}");
            answers(&*cached, &new);
            assert_eq!(
                counts(&*cached)[2],
                0,
                "byte {at}: everything is whole again"
            );
        }
    }
}

/// Two that write at the same time, each in its own file, and find what the other one has written.
#[test]
fn processes_share_answers() {
    let (folder, games) = (Folder::new("share"), [Game::new(1, 50), Game::new(2, 50)]);
    let file = folder.file("book");
    let both = [in_files(&file, ""), in_files(&file, "")];
    let expected: Vec<_> = both
        .iter()
        .zip(&games)
        .map(|(cached, game)| answers(&**cached, game))
        .collect();
    assert!(folder.file("book.2").exists());
    std::thread::sleep(std::time::Duration::from_millis(1100)); // they look once a second
    for (cached, index) in both.iter().zip([1, 0]) {
        assert_eq!(answers(&**cached, &games[index]), expected[index]);
        // the start of both games is one position, which this one has computed
        assert_eq!(counts(&**cached), [1, 49, 50]);
    }
    drop(both);
    let third = in_files(&file, "");
    games.iter().for_each(|game| drop(answers(&*third, game)));
    assert_eq!(counts(&*third), [1, 99, 0]);
    assert!(
        !folder.file("book.3").exists(),
        "it goes on with a file that nobody writes to"
    );
}

#[test]
fn files_are_bounded() {
    let folder = Folder::new("bound");
    let cached = in_files(&folder.file("book"), ", disk=1, memory=0");
    let size = || -> u64 {
        let files = std::fs::read_dir(&folder.0).expect("the folder");
        files
            .map(|file| file.and_then(|file| file.metadata()).expect("a file").len())
            .sum()
    };
    let mut most = 0;
    for seed in 0..120 {
        answers(&*cached, &Game::new(seed, 250));
        most = size().max(most);
    }
    assert!((800_000..1_050_000).contains(&most), "{most} bytes");
    answers(&*cached, &Game::new(119, 250));
    assert!(counts(&*cached)[1] >= 250, "the newest are there");
}

/// What is in the files, and what other ways to write policies would take: for the way that they have, exactly what they take.
#[test]
fn surveys_say_what_is_there() {
    let (folder, games) = (Folder::new("survey"), [Game::new(1, 60), Game::new(2, 60)]);
    for coding in Coding::ALL {
        let file = folder.file(coding.name());
        let cached = in_files(
            &file,
            &format!(", coding={}, steps=truncated", coding.name()),
        );
        games.iter().for_each(|game| drop(answers(&*cached, game)));
        let found = survey(&file).expect("a cache");
        let moves: usize = games
            .iter()
            .flat_map(|game| &game.moves)
            .map(Vec::len)
            .sum();
        // the start of both games is one position
        assert_eq!(
            (found.positions, found.policies, found.scores, found.damaged),
            (119, 119, 0, 0)
        );
        assert_eq!(found.moves as usize, moves - games[0].moves[0].len());
        let steps = Steps::ALL
            .iter()
            .position(|&steps| steps == Steps::Truncated)
            .expect("it is in the list");
        let codings = Coding::ALL
            .iter()
            .position(|&other| other == coding)
            .expect("it is in the list");
        assert_eq!(
            found.policy_bytes_as[steps][codings], found.policy_bytes,
            "{coding:?}"
        );
        let [one] = found.files.as_slice() else {
            panic!("one file")
        };
        assert_eq!(
            (one.digest, one.records, one.unfinished),
            (create("random(seed=3)").digest(), 119, 0)
        );
        assert_eq!(
            (one.codec.coding, one.codec.steps),
            (coding, Steps::Truncated)
        );
        assert_eq!(
            one.bytes,
            std::fs::metadata(&one.path).expect("the file").len()
        );
        drop(cached);
        let bytes = std::fs::read(&one.path).expect("the file");
        std::fs::write(&one.path, &bytes[..bytes.len() - 3]).expect("the file");
        let cut = survey(&file).expect("a cache");
        assert_eq!((cut.positions, cut.files[0].records), (118, 118));
        assert_eq!(
            cut.files[0].bytes + cut.files[0].unfinished,
            bytes.len() as u64 - 3
        );
    }
    assert_eq!(
        survey(&folder.file("none"))
            .expect("an empty folder is no error")
            .files,
        []
    );
    std::fs::write(
        folder.file("foreign.1"),
        "something else entirely, but long enough",
    )
    .expect("a file");
    assert!(survey(&folder.file("foreign")).is_err());
}
