//! Compressed files.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use nnue_data::{Format, ReadError, Reader, Record, Writer, compressed};

use crate::games::games;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn file(format: Format, records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new(format, Vec::new());
    for record in records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap()
}

fn read(format: Format, input: impl Read) -> Vec<Result<Record, ReadError>> {
    let (bytes, fate) = compressed::open(input);
    fate.follow(Reader::new(format, bytes)).collect()
}

#[test]
fn compressed_files_are_read_as_what_they_contain() {
    let mut records = games(71, 4);
    for record in &mut records {
        record.score = record.score.clamp(-31754, 31754);
    }
    for format in Format::ALL {
        let bytes = file(format, &records);
        let whole: Vec<Record> = Reader::new(format, &bytes[..])
            .map(Result::unwrap)
            .collect();
        let (first, second) = bytes.split_at(bytes.len() / 2);
        for (how, input) in [
            ("plain", bytes.clone()),
            ("gzip", gzip(&bytes)),
            ("zstd", zstd(&bytes)),
            ("two of gzip", [gzip(first), gzip(second)].concat()),
            ("two of zstd", [zstd(first), zstd(second)].concat()),
        ] {
            let found = read(format, &input[..]).into_iter().map(Result::unwrap);
            assert_eq!(found.collect::<Vec<_>>(), whole, "{format}, {how}");
        }
    }
    assert!(read(Format::Text, &b""[..]).is_empty());
}

/// Records before the fault are given, then the fault once, with its place in the compressed file.
#[test]
fn damage_is_told_once_after_what_is_whole() {
    let records = games(72, 400);
    let bytes = file(Format::Plain, &records);
    for (method, whole) in [("gzip", gzip(&bytes)), ("zstd", zstd(&bytes))] {
        let cut = &whole[..whole.len() / 2];
        let mut found = read(Format::Plain, cut);
        let error = found.pop().unwrap().unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "byte {} of the compressed file: the rest cannot be decompressed by {method}: it ends too early",
                cut.len()
            )
        );
        let found: Vec<Record> = found.into_iter().map(Result::unwrap).collect();
        assert!(found.len() > 100, "{method}: {}", found.len());
        assert_eq!(found, records[..found.len()]);
    }
}

#[test]
fn no_compressed_bytes_do_harm() {
    let bytes = file(Format::Text, &games(73, 3));
    for whole in [gzip(&bytes), zstd(&bytes)] {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..500 {
            let mut damaged = whole.clone();
            let at = random.usize(..damaged.len());
            damaged[at] ^= 1 << random.u8(..8);
            let faults = read(Format::Text, &damaged[..]).into_iter();
            assert!(faults.filter(Result::is_err).count() < 2000);
        }
        for end in 0..whole.len().min(300) {
            read(Format::Text, &whole[..end]);
        }
    }
    // a window of 2 GiB
    let window = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00];
    let error = read(Format::Text, &window[..]).remove(0).unwrap_err();
    assert!(error.to_string().contains("zstd: "), "{error}");
}

/// An error of the system is no damage.
#[test]
fn unreadable_files_are_errors_of_the_system() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::TimedOut.into())
        }
    }
    let begin = zstd(&file(Format::Text, &games(74, 1)));
    for input in [&begin[..0], &begin[..6]] {
        let found = read(Format::Text, input.chain(Broken));
        assert!(matches!(found[..], [Err(ReadError::Io(_))]), "{found:?}");
    }
}
