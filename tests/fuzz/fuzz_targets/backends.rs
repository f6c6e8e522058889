//! Any text as the options of a backend, any bytes as a policy and as a file of a cache: typed errors, and places within the text.
//!
//! The first byte chooses what the rest is. A file is the head of a good one, if the second byte is even, and the rest.
#![no_main]

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use nnue_backend::adapters::{CacheOptions, Cached, RoundRobin};
use nnue_backend::backends::Random;
use nnue_backend::cache::{Coding, PolicyCodec, Steps, survey};
use nnue_backend::options::{self, Flag, Float, Integer, Opt, Text, Word};
use nnue_backend::{Backend, Backends, Batched, Chess, Entry, Sample, Wanted};
use nnue_data::{Move, Position};

const FLAG: Flag = Flag {
    name: "flag",
    default: false,
    about: "",
};
const COUNT: Integer = Integer {
    name: "count",
    default: 3,
    range: 1..=99,
    about: "",
};
const SHARE: Float = Float {
    name: "share",
    default: 0.5,
    range: 0.0..=1.0,
    about: "",
};
const MODE: Word<u8> = Word {
    name: "mode",
    words: &[("first", 1), ("second", 2)],
    about: "",
};
const NAME: Text = Text {
    name: "name",
    about: "",
};

/// Backends with every kind of option that open no files and start no threads.
static BACKENDS: LazyLock<Backends<Chess>> = LazyLock::new(|| {
    let mut backends = Backends::none();
    backends.tell(|_| ());
    let options = vec![
        FLAG.help(),
        COUNT.help(),
        SHARE.help(),
        MODE.help(),
        NAME.help(),
    ];
    backends.add(Entry::new("one", 1, "", options, |builder| {
        let (flag, count, share) = (
            builder.get(&FLAG)?,
            builder.get(&COUNT)?,
            builder.get(&SHARE)?,
        );
        assert!((1..=99).contains(&count) && (0.0..=1.0).contains(&share));
        let name = builder.get(&NAME)?.unwrap_or_default();
        let seed = u64::from(flag) + count + u64::from(builder.get(&MODE)?) + name.len() as u64;
        Ok(Arc::new(Batched::new(builder.path(), Random::new(seed))))
    }));
    backends.add(Entry::new("all", -1, "", vec![], |builder| {
        Ok(Arc::new(RoundRobin::new(
            builder.path(),
            builder.parents()?,
        )?))
    }));
    backends
});

fn check_text(text: &str) {
    let parsed = options::parse(text);
    if let Err(error) = BACKENDS.create(text) {
        let message = error.to_string();
        let place = message
            .strip_prefix("byte ")
            .and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
        assert!(
            place.is_none_or(|place| place <= text.len()),
            "{text:?}: {message}"
        );
    } else {
        assert!(parsed.is_ok());
    }
}

fn check_policy(bytes: &[u8]) {
    let [count, bytes @ ..] = bytes else { return };
    for coding in Coding::ALL {
        let mut numbers = Vec::new();
        if coding
            .decode(bytes, usize::from(*count), &mut numbers)
            .is_ok()
        {
            let (mut again, mut decoded) = (Vec::new(), Vec::new());
            coding.encode(&numbers, &mut again);
            coding
                .decode(&again, numbers.len(), &mut decoded)
                .expect("it was just written");
            assert_eq!(decoded, numbers, "{coding:?}");
        }
        for steps in Steps::ALL {
            let mut policy = Vec::new();
            let result =
                PolicyCodec { steps, coding }.decode(bytes, usize::from(*count), &mut policy);
            assert_eq!(
                policy.len(),
                if result.is_ok() {
                    usize::from(*count)
                } else {
                    0
                }
            );
            assert!(policy.iter().all(|p| (0.0..=1.0).contains(p)));
        }
    }
}

/// A folder of this process, a position with its moves, and a good file with its answer.
struct Book {
    path: PathBuf,
    position: Position,
    moves: Vec<Move>,
    file: Vec<u8>,
}

static BOOK: LazyLock<Book> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("nnue-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (path, position) = (folder.join("book"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let position: Position = position.parse().expect("a FEN");
    let mut book = Book {
        path,
        position,
        moves: position.legal_moves().expect("a position"),
        file: Vec::new(),
    };
    book.ask().expect("a new cache");
    book.file = std::fs::read(book.path.with_extension("1")).expect("its file");
    book
});

impl Book {
    /// The answer of a backend in a cache of these files.
    fn ask(&self) -> Result<f32, nnue_backend::Error> {
        let backend = Arc::new(Batched::new("random", Random::new(1)));
        let options = CacheOptions {
            memory: 0,
            ..CacheOptions::default()
        };
        let cached = Cached::<Chess>::new("cached", backend, Some(&self.path), &options)?;
        let sample = Sample {
            history: &[self.position],
            moves: &self.moves,
        };
        Ok(cached.evaluate(&[sample], Wanted::ALL)?.q(0))
    }
}

/// Whatever is in the file: it is refused, or what is found is right.
fn check_file(bytes: &[u8]) {
    let [kind, rest @ ..] = bytes else { return };
    let file = if kind % 2 == 0 {
        [&BOOK.file[..32], rest].concat()
    } else {
        rest.to_vec()
    };
    let path = BOOK.path.with_extension("1");
    // of an earlier input: after a file without a head, the next one is begun
    let _ = std::fs::remove_file(BOOK.path.with_extension("2"));
    std::fs::write(&path, &file).expect("a file");
    if let Ok(found) = survey(&BOOK.path) {
        assert!(
            found
                .files
                .iter()
                .all(|one| one.bytes + one.unfinished == file.len() as u64)
        );
    }
    if let Ok(q) = BOOK.ask() {
        std::fs::write(&path, &BOOK.file).expect("a file");
        assert_eq!(BOOK.ask().expect("a good file").to_bits(), q.to_bits());
    }
}

fuzz_target!(|data: &[u8]| {
    match data {
        [0..=99, rest @ ..] => std::str::from_utf8(rest).into_iter().for_each(check_text),
        [100..=199, rest @ ..] => check_policy(rest),
        [_, rest @ ..] => check_file(rest),
        [] => {}
    }
});
