//! `record` and `replay`.

use std::path::PathBuf;

use nnue_backend::{Backends, Chess, Wanted};

use super::{Game, answers, create};

/// A path of its own in the folder for tests, without a file.
fn path(name: &str) -> PathBuf {
    let path =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path); // of an earlier run
    path
}

#[test]
fn what_is_recorded_is_said_again() {
    let (path, games) = (path("record"), [Game::new(1, 40), Game::new(2, 40)]);
    let recorder = create(&format!(
        "record(random(seed=4), file='{}')",
        path.display()
    ));
    let expected = games.each_ref().map(|game| answers(&*recorder, game));
    let again =
        Backends::<Chess>::standard().create(&format!("record(random, file='{}')", path.display()));
    let error = again.err().expect("the file exists").to_string();
    assert!(
        error.contains("record") && error.contains("exists"),
        "{error}"
    );

    let player = create(&format!("replay(file='{}')", path.display()));
    assert_eq!(
        (player.attributes(), player.digest()),
        (
            nnue_backend::Attributes {
                ..recorder.attributes()
            },
            recorder.digest()
        )
    );
    // in another order, and with another part of the game as history
    for (game, expected) in games.iter().zip(&expected).rev() {
        assert_eq!(&answers(&*player, game), expected);
        let last = game.samples()[30].last(8);
        let found = player.evaluate(&[last], Wanted::ALL).expect("an answer");
        assert_eq!(found.get(0), expected.get(30));
    }
    let other = Game::new(3, 20);
    let error = player
        .evaluate(&other.samples()[10..], Wanted::ALL)
        .expect_err("not recorded")
        .to_string();
    assert_eq!(
        error,
        "`replay` cannot evaluate this: this position was not recorded"
    );
    std::fs::remove_file(&path).expect("the file");
}

#[test]
fn files_of_others_are_refused() {
    let path = path("replay");
    let open =
        || Backends::<Chess>::standard().create(&format!("replay(file='{}')", path.display()));
    let told = || open().err().expect("an error").to_string();
    assert!(told().contains("replay"), "{}", told());
    std::fs::write(&path, b"\xff\xfe\x00").expect("a file");
    assert!(told().contains("`replay` failed"), "{}", told());
    std::fs::write(&path, "nnue\n").expect("a file");
    assert!(
        told().ends_with("these are no recorded answers"),
        "{}",
        told()
    );
    std::fs::remove_file(&path).expect("the file");
}

/// What never ends is no file: it is refused before anything is read, and a line has a limit.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    let told = |text: &str| {
        let made = Backends::<Chess>::standard().create(text);
        made.err().expect("an error").to_string()
    };
    let expected = "it is a pipe, a device or a folder, and a regular file is expected";
    for text in [
        "replay(file=/dev/zero)",
        "replay(file=/dev)",
        "lc0(weights=/dev/zero)",
    ] {
        assert!(told(text).contains(expected), "{}", told(text));
    }
    let path = path("endless");
    std::fs::write(&path, vec![0; 3 << 20]).expect("a file");
    let long = told(&format!("replay(file='{}')", path.display()));
    assert!(long.contains("line 1: more than 1048576 bytes"), "{long}");
    std::fs::remove_file(&path).expect("the file");
}
