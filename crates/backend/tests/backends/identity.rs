//! Which options change the identity of answers.

use std::path::{Path, PathBuf};

use nnue_backend::adapters::{CacheOptions, Cached};
use nnue_backend::identity::{OPTIONS, role};
use nnue_backend::{Backends, Chess, Wanted};

use super::{Game, answers, create};
use crate::flips::{Flip, check_flips};

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("identity-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn every_option_has_a_role() {
    let backends = Backends::<Chess>::standard();
    for entry in backends.entries() {
        for option in &entry.options {
            assert!(
                role(entry.name, option.name).is_some(),
                "{}.{}",
                entry.name,
                option.name
            );
        }
    }
    // and the table has no others: those of networks are options of programs
    let of_programs = ["nnue", "reference"];
    for row in OPTIONS
        .iter()
        .filter(|row| !of_programs.contains(&row.backend))
    {
        let entry = backends
            .entries()
            .find(|entry| entry.name == row.backend)
            .unwrap_or_else(|| panic!("{row:?}"));
        assert!(
            entry.options.iter().any(|option| option.name == row.option),
            "{row:?}"
        );
    }
}

#[test]
fn options_count_as_the_table_says() {
    let folder = folder("flips");
    let file = |name: &str| folder.join(name).display().to_string();
    for (name, seed) in [("one", 1), ("two", 2)] {
        drop(create(&format!(
            "record(random(seed={seed}), file='{}')",
            file(name)
        )));
    }
    let mut flips = Vec::new();
    let mut flip = |backend, option, plain: &str, flipped: &str| {
        flips.push(Flip::new(backend, option, [plain, flipped]));
    };
    flip("random", "seed", "random", "random(seed=1)");
    flip("random", "uniform", "random", "random(uniform=true)");
    flip("random", "delay", "random", "random(delay=1)");
    flip(
        "cached",
        "history",
        "cached(random)",
        "cached(random, history=1)",
    );
    flip(
        "cached",
        "memory",
        "cached(random)",
        "cached(random, memory=1)",
    );
    let book = |name: &str, more: &str| format!("cached(random, file='{}'{more})", file(name));
    for (option, more) in [
        ("steps", ", steps=truncated"),
        ("coding", ", coding=prefix"),
        ("disk", ", disk=7"),
        ("sync", ", sync=true"),
        ("file", ""),
    ] {
        flip(
            "cached",
            option,
            &book("plain", ""),
            &book(&format!("with-{option}"), more),
        );
    }
    for (option, more) in [
        ("freq", "freq=1"),
        ("mode", "mode=display"),
        ("exact", "exact=true"),
        ("atol", "atol=1"),
        ("rtol", "rtol=1"),
        ("fail", "fail=true"),
        ("seed", "check.seed=5"),
    ] {
        // the seed of `check` is that of the backends inside, too, unless they have their own
        let more = more.trim_start_matches("check.");
        flip(
            "check",
            option,
            "check(random(seed=1), trivial)",
            &format!("check(random(seed=1), trivial, {more})"),
        );
    }
    flip(
        "demux",
        "threads",
        "demux(random)",
        "demux(random, threads=2)",
    );
    flip("demux", "step", "demux(random)", "demux(random, step=9)");
    flip(
        "multiplexing",
        "threads",
        "multiplexing(random)",
        "multiplexing(random, threads=2)",
    );
    flip(
        "multiplexing",
        "max_batch",
        "multiplexing(random)",
        "multiplexing(random, max_batch=9)",
    );
    let record = |name| format!("record(random, file='{}')", file(name));
    flip("record", "file", &record("three"), &record("four"));
    let replay = |name| format!("replay(file='{}')", file(name));
    flip("replay", "file", &replay("one"), &replay("two"));
    let names = [
        "random",
        "trivial",
        "cached",
        "check",
        "demux",
        "multiplexing",
        "record",
        "replay",
        "roundrobin",
    ];
    check_flips(&Backends::standard(), &names, &flips);

    // contents count, and names do not
    std::fs::copy(file("one"), file("copy")).expect("a copy");
    assert_eq!(
        create(&replay("one")).digest(),
        create(&replay("copy")).digest()
    );
    let _ = std::fs::remove_dir_all(&folder);
}

/// Answers kept for the last position alone would be those of another history.
#[test]
fn a_cache_of_another_history_is_refused() {
    let folder = folder("history");
    let file = folder.join("r.cache");
    let text = |options: &str| format!("cached(random{options}, file='{}')", file.display());
    let told = |text: &str| {
        let made = Backends::<Chess>::standard().create(text);
        made.err().expect("an error").to_string()
    };
    let game = Game::new(1, 30);
    answers(&*create(&text(", history=1")), &game);
    let refused = told(&text(""));
    assert!(
        refused.contains(
            "its answers are kept with history=1, this cache has history=0; name another file"
        ),
        "{refused}"
    );
    assert!(told(&text(", history=2")).contains("history=1, this cache has history=2"));
    assert!(
        told(&text(", history=1, steps=rounded"))
            .contains("steps=root, this cache has steps=rounded")
    );
    assert!(told(&text("(seed=1), history=1")).contains("another network, or other options of it"));
    assert!(
        Backends::<Chess>::standard()
            .create(&text(", history=1"))
            .is_ok()
    );
    // all that the backend reads is the same as no number
    let all = folder.join("all.cache");
    let text = |options: &str| format!("cached(random{options}, file='{}')", all.display());
    answers(&*create(&text(", history=8")), &game);
    assert_eq!(
        answers(&*create(&text("")), &game).digest(),
        create(&text("")).digest()
    );

    // a cache around a cache, and a recording of one, have its identity
    let outer = folder.join("outer.cache");
    let around = |inside: &str| {
        Cached::new(
            "outer",
            create(inside),
            Some(&outer),
            &CacheOptions::default(),
        )
    };
    let inner = "cached(random, history=1)";
    answers(&around(inner).expect("a cache"), &game);
    let refused = around("random").err().expect("an error").to_string();
    assert!(refused.contains("another network"), "{refused}");
    let first = create(inner);
    assert_eq!(answers(&*first, &game).digest(), first.digest());
    assert_ne!(first.digest(), create("random").digest());
    let _ = std::fs::remove_dir_all(&folder);
}

/// What version 1 kept does not say for which history it is: the file that answered another question.
#[test]
fn caches_of_version_1_are_refused() {
    let folder = folder("version");
    let file = folder.join("r.cache");
    let text = format!("cached(random, file='{}')", file.display());
    answers(&*create(&text), &Game::new(1, 3));
    let segment = folder.join("r.cache.1");
    let mut bytes = std::fs::read(&segment).expect("the file");
    bytes[8] = 1;
    std::fs::write(&segment, &bytes).expect("a file");
    let told = Backends::<Chess>::standard()
        .create(&text)
        .err()
        .expect("an error")
        .to_string();
    assert!(
        told.contains("version 1 of the format, this program knows 2; version 1 does not say for which `history`"),
        "{told}"
    );
    assert_eq!(
        std::fs::read(&segment).expect("the file"),
        bytes,
        "it is left as it was"
    );
    let _ = std::fs::remove_dir_all(&folder);
}

/// A recording of values has no draws: it is not asked for them.
#[test]
fn recordings_know_what_was_wanted() {
    let folder = folder("wanted");
    let file = folder.join("values");
    let game = Game::new(1, 10);
    let recorder = create(&format!("record(random, file='{}')", file.display()));
    let values = recorder
        .evaluate(&game.samples(), Wanted::VALUE)
        .expect("answers");
    let player = create(&format!("replay(file='{}')", file.display()));
    let again = player.evaluate(&game.samples(), Wanted::VALUE);
    assert_eq!(again.expect("recorded"), values);
    for wanted in [
        Wanted {
            draws: true,
            ..Wanted::VALUE
        },
        Wanted::ALL,
    ] {
        let told = player
            .evaluate(&game.samples(), wanted)
            .expect_err("not recorded");
        assert!(
            told.to_string()
                .contains("recorded without all that is wanted"),
            "{told}"
        );
    }
    let _ = std::fs::remove_dir_all(&folder);
}
