//! Reading and writing whole files: round trips, and every way in which a file can be wrong.

mod common;

use common::{Shape, random_tensors};
use nnue_format::{
    Encoding, Header, LoadError, LoadErrorKind, MAX_DESCRIPTION, Tensors, WriteError, write,
};
use nnue_spec::{FeatureSetId, NetDesc};

const ENCODINGS: [Encoding; 2] = [Encoding::Raw, Encoding::Leb128];
const DESCRIPTION: &[u8] = b"a test \xFF network";

fn file_of(net: &NetDesc<'_>, tensors: &Tensors, encoding: Encoding) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header {
        encoding,
        ..Header::new(net, DESCRIPTION.to_vec())
    };
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    file
}

fn error_of(net: &NetDesc<'_>, file: &[u8]) -> LoadError {
    let error = Tensors::read(net, file).expect_err("the file is wrong");
    let text = error.to_string();
    assert!(
        !text.contains('\n') && text.starts_with(&error.kind().to_string()),
        "{text}"
    );
    error
}

fn put(file: &mut [u8], at: usize, word: u32) {
    file[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

/// Offsets of the words that are hashes or lengths after the header, in a file with [`DESCRIPTION`].
fn transformer_hash_at() -> usize {
    12 + DESCRIPTION.len()
}

/// A source that gives a few bytes at a time and is interrupted now and then.
struct Trickle<'a>(&'a [u8], usize);

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(7) {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let bytes = (1 + self.1 * 31 % 997).min(out.len()).min(self.0.len());
        out[..bytes].copy_from_slice(&self.0[..bytes]);
        self.0 = &self.0[bytes..];
        Ok(bytes)
    }
}

#[test]
fn both_encodings_round_trip_byte_for_byte() {
    let wide = Shape {
        set: FeatureSetId::Chess768,
        width: 96,
        stacks: 4,
        ..Shape::small()
    };
    for (seed, net) in [
        Shape::small().crelu(16),
        wide.sfnn_v4(),
        Shape::small().sfnn_v5(),
    ]
    .iter()
    .enumerate()
    {
        let tensors = random_tensors(net, seed as u64);
        for encoding in ENCODINGS {
            let file = file_of(net, &tensors, encoding);
            let (header, read) = Tensors::read(net, &file[..]).expect("the file is right");
            assert_eq!(
                header,
                Header {
                    encoding,
                    ..Header::new(net, DESCRIPTION.to_vec())
                }
            );
            assert!(
                read == tensors,
                "the tensors survive, padding columns included"
            );
            let (_, trickled) = Tensors::read(net, Trickle(&file, 0)).expect("the file is right");
            assert!(trickled == tensors, "however the source cuts its bytes");
        }
    }
}

#[test]
fn raw_files_have_the_documented_size() {
    let net = Shape::stockfish("Sfnnv5", 1024).sfnn_v5();
    let layers: usize = net
        .layers
        .iter()
        .map(|layer| layer.outputs * (4 + layer.file_inputs))
        .sum();
    let rows = net.features[0].rows;
    assert_eq!(
        12 + 4 + 2 * 1024 + 2 * 1024 * rows + 32 * rows + 8 * (4 + layers),
        47_001_424
    );
    let file = file_of(&net, &Tensors::zeroed(&net), Encoding::Raw);
    assert_eq!(file.len(), 47_001_424 + DESCRIPTION.len());
}

#[test]
fn a_file_cut_anywhere_is_truncated() {
    let net = Shape::small().crelu(4);
    let tensors = random_tensors(&net, 3);
    for encoding in ENCODINGS {
        let file = file_of(&net, &tensors, encoding);
        let empty = error_of(&net, &[]);
        assert_eq!(empty.to_string(), "not a network: the file is empty");
        for end in 1..file.len() {
            let error = error_of(&net, &file[..end]);
            assert_eq!(
                error.kind(),
                LoadErrorKind::Truncated,
                "cut at {end}: {error}"
            );
            assert!(error.offset() <= end as u64);
            assert!(error.found() < error.expected());
        }
    }
}

#[test]
fn truncation_names_the_tensor_and_the_stack() {
    let net = Shape::small().crelu(16);
    let file = file_of(&net, &random_tensors(&net, 4), Encoding::Raw);
    let error = error_of(&net, &file[..file.len() - 7]);
    assert_eq!(error.tensor(), Some("fc2_weight"));
    assert_eq!(
        (error.expected(), error.found(), error.element()),
        (Some(32), Some(25), Some(32 + 25))
    );
    let at = file.len() - 32;
    assert_eq!(
        error.to_string(),
        format!(
            "truncated: tensor `fc2_weight` of stack 1 needs 32 bytes from offset {at} on, the file has 25 of them: copy \
             or download it again"
        )
    );
}

#[test]
fn every_flipped_bit_of_a_header_field_is_noticed() {
    let net = Shape::small().crelu(16);
    let file = file_of(&net, &random_tensors(&net, 5), Encoding::Leb128);
    let stack = file
        .windows(4)
        .rposition(|w| w == net.container.stack_hash.to_le_bytes())
        .expect("stack 1");
    let fields = [
        (0, LoadErrorKind::Version),
        (4, LoadErrorKind::Architecture),
        (transformer_hash_at(), LoadErrorKind::Architecture),
        (stack, LoadErrorKind::Architecture),
    ];
    for (field, kind) in fields {
        for bit in 0..32 {
            let mut spoilt = file.clone();
            spoilt[field + bit / 8] ^= 1 << (bit % 8);
            let error = error_of(&net, &spoilt);
            assert_eq!(
                (error.kind(), error.offset()),
                (kind, field as u64),
                "bit {bit}: {error}"
            );
        }
    }
    for bit in 0..32 {
        let mut spoilt = file.clone();
        spoilt[8 + bit / 8] ^= 1 << (bit % 8);
        error_of(&net, &spoilt);
    }
}

#[test]
fn anything_behind_the_network_is_refused() {
    let net = Shape::small().crelu(16);
    for encoding in ENCODINGS {
        let mut file = file_of(&net, &random_tensors(&net, 6), encoding);
        let end = file.len() as u64;
        let whole = file.clone();
        let stack = net.container.stack_hash.to_le_bytes();
        for (more, words) in [
            (&[0][..], "goes on with 1 byte, all 0x00: "),
            (&[0xFF; 52], "goes on with 52 bytes, all 0xff: "),
            (
                b"Content-Type: text/plain\r\n\0",
                "goes on with 27 bytes, which begin with text: ",
            ),
            (
                &0x7AF3_2F20_u32.to_le_bytes(),
                "goes on with 4 bytes, which begin like another network: ",
            ),
            (&[0x80, 1, 2], "goes on with 3 bytes: "),
            (
                &[0; 1 << 17],
                "goes on with more than 131072 bytes, at first all 0x00: ",
            ),
            (
                &stack,
                "goes on with 4 bytes: they begin with the hash of a layer stack",
            ),
        ] {
            file.truncate(whole.len());
            file.extend_from_slice(more);
            let error = error_of(&net, &file);
            assert_eq!(
                (error.kind(), error.offset(), error.expected()),
                (LoadErrorKind::TrailingBytes, end, Some(end))
            );
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}

#[test]
fn hostile_lengths_allocate_nothing_and_are_named() {
    let net = Shape::small().crelu(16);
    let file = file_of(&net, &random_tensors(&net, 7), Encoding::Leb128);
    let mut long = file.clone();
    put(&mut long, 8, u32::MAX);
    let error = error_of(&net, &long);
    assert_eq!(
        (error.kind(), error.found()),
        (LoadErrorKind::NotANetwork, Some(u32::MAX.into()))
    );
    let length = transformer_hash_at() + 4 + 17;
    for word in [0, 31, 97, u32::MAX] {
        let mut spoilt = file.clone();
        put(&mut spoilt, length, word);
        let error = error_of(&net, &spoilt);
        assert_eq!(
            (error.kind(), error.tensor()),
            (LoadErrorKind::Compression, Some("ft_bias")),
            "{error}"
        );
    }
}

#[test]
fn a_block_whose_count_does_not_match_is_refused() {
    let net = Shape::small().crelu(16);
    let file = file_of(&net, &Tensors::zeroed(&net), Encoding::Leb128);
    let (length, payload) = (
        transformer_hash_at() + 4 + 17,
        transformer_hash_at() + 4 + 21,
    );
    let mut longer = file.clone();
    longer.insert(payload, 0);
    put(&mut longer, length, 33);
    let error = error_of(&net, &longer);
    assert_eq!(error.kind(), LoadErrorKind::Compression);
    assert_eq!(
        (error.expected(), error.found()),
        (Some(33), Some(32)),
        "{error}"
    );
    let mut fewer = file.clone();
    fewer[payload..payload + 2].copy_from_slice(&[0xC0, 0x00]);
    let error = error_of(&net, &fewer);
    assert_eq!(error.kind(), LoadErrorKind::Compression);
    assert_eq!(
        (error.expected(), error.found()),
        (Some(32), Some(31)),
        "{error}"
    );
}

#[test]
fn numbers_that_break_the_rules_are_named() {
    let net = Shape::small().crelu(16);
    let file = file_of(&net, &Tensors::zeroed(&net), Encoding::Leb128);
    let second = transformer_hash_at() + 4 + 21 + 32 + 21;
    let at = second + 32 * 5 + 3;
    let cases: [(&[u8], LoadErrorKind, &str); 3] = [
        (
            &[0x80, 0x00],
            LoadErrorKind::Compression,
            "is not in its shortest form",
        ),
        (
            &[0x80, 0x80, 0x80],
            LoadErrorKind::Compression,
            "has more bytes than any i16",
        ),
        (
            &[0x80, 0x80, 0x02],
            LoadErrorKind::ValueRange,
            "does not fit in i16",
        ),
    ];
    for (bytes, kind, words) in cases {
        let mut spoilt = file.clone();
        spoilt[at..at + bytes.len()].copy_from_slice(bytes);
        let error = error_of(&net, &spoilt);
        assert_eq!(
            (error.kind(), error.offset(), error.element()),
            (kind, at as u64, Some(32 * 5 + 3))
        );
        assert!(
            error.to_string().contains("`ft_weight[5][3]`") && error.to_string().contains(words),
            "{error}"
        );
    }
}

#[test]
fn a_block_without_its_magic_is_refused() {
    let net = Shape::small().crelu(16);
    let mut file = file_of(&net, &Tensors::zeroed(&net), Encoding::Leb128);
    let second = transformer_hash_at() + 4 + 21 + 32;
    file[second] = b'c';
    let error = error_of(&net, &file);
    assert_eq!(
        (error.kind(), error.tensor()),
        (LoadErrorKind::Compression, Some("ft_weight"))
    );
}

#[test]
fn well_known_files_are_called_by_their_names() {
    let net = Shape::small().crelu(16);
    let cases: [(&[u8], &str); 21] = [
        (
            b"\xEF\xBB\xBF\x20\x2F\xF3\x7A\x92\x3C\x10\x1C\0",
            "this is a byte order mark (ef bb bf)",
        ),
        (
            b"\x20\x2F\xC3\xB3\x7A\xC2\x92\x3C\x10\x1C\0",
            "it was read as Latin-1 and written as UTF-8",
        ),
        (
            b"\x20\x2F\xEF\xBF\xBD\x7A\xEF\xBF\xBD\x3C\x10\x1C\0",
            "read as UTF-8 text, which replaced bytes",
        ),
        (
            b"\xEF\xBF\xBD\xEF\xBF\xBD\x44\x6A\xEF\xBF\xBD\0\0\0",
            "read as UTF-8 text, which replaced bytes",
        ),
        (
            b"BINP\xA1\0\x10\0\x8C\x0E",
            "`nnue data stats --from binpack`",
        ),
        (
            b"l0b\n\x20\0\0\0\0\0\0\0\xFA\x76",
            "`nnue quantize` reads them",
        ),
        (
            b"\x0D\xC0\x01\0\0\x1A\x06",
            "`--backend 'lc0(weights=FILE)'`",
        ),
        (b"nnuecach\x01\0\0\0\x02\x03", "`nnue cache stats`"),
        (
            b"nnue-train checkpoint 2\n!\x01",
            "`nnue train RUN --resume`",
        ),
        (
            b"\x08\x08\x3A\xAF\x43\x0A\x14\x0A\x01x",
            "like an ONNX model: `nnue import onnx`",
        ),
        (
            b"\x08\x07\x12\x07pytorch\x1A",
            "like an ONNX model: `nnue import onnx`",
        ),
        (
            b"\x10\x01\0\0\0\0\0\0{\"fc0_bias",
            "safetensors (floats of a trainer): `nnue quantize`",
        ),
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "not a network: this is a PNG picture",
        ),
        (
            b"\xFF\xD8\xFF\xE0\0\x10JFIF",
            "not a network: this is a JPEG picture",
        ),
        (
            b"\x1F\x8B\x08\0\0\0",
            "not a network: this is a file compressed by gzip: decompress it (`gunzip`); `nnue convert` decompresses networks, and",
        ),
        (b"PK\x03\x04\x14\0", "zip archive"),
        (
            b"\x7A\xF3\x2F\x20\x1C\x10\x3C\x92\0\0\0\x03",
            "a Stockfish network with the bytes of its words reversed",
        ),
        (b"\x7FELF\x02\x01\x01", "`export_net`"),
        (b"\n <!DOCTYPE HTML><html>", "an HTML page"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "run `git lfs pull`",
        ),
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
            "this is a text file",
        ),
    ];
    for (file, words) in cases {
        let error = error_of(&net, file);
        assert_eq!(error.kind(), LoadErrorKind::NotANetwork);
        assert!(error.to_string().contains(words), "{error}");
    }
    let error = error_of(&net, &[0x5A; 40].map(|byte: u8| byte | 0x80));
    assert_eq!(error.kind(), LoadErrorKind::NoHeader);
    let words = "no header: the file begins with 0xdadadada, which is no version of a Stockfish network: if the trainer bullet \
                 saved it, declare it with `format raw`";
    assert_eq!(error.to_string(), words);
    let error = error_of(&net, &[0; 64]);
    assert_eq!(error.kind(), LoadErrorKind::NoHeader);
    assert!(
        error
            .to_string()
            .ends_with("(zeros may also be a copy that failed)"),
        "{error}"
    );
}

#[test]
fn a_declared_version_may_look_like_another_file() {
    let net = Shape {
        version: u32::from_le_bytes(*b"MZ\0\0").into(),
        ..Shape::small()
    }
    .crelu(16);
    let tensors = random_tensors(&net, 8);
    let file = file_of(&net, &tensors, Encoding::Raw);
    assert!(
        Tensors::read(&net, &file[..])
            .expect("its version is the declared one")
            .1
            == tensors
    );
    assert!(
        error_of(&Shape::small().crelu(16), &file)
            .to_string()
            .contains("a Windows program")
    );
}

#[test]
fn another_architecture_is_named() {
    let v9 = Shape::stockfish("Sfnnv9", 3072).sfnn_v5();
    let mut file = Vec::new();
    for word in [
        v9.container.version,
        v9.container.network_hash(),
        0,
        v9.container.transformer_hash,
    ] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    let v5 = Shape::stockfish("Sfnnv5", 1024).sfnn_v5();
    assert_eq!(
        error_of(&v5, &file).to_string(),
        "architecture mismatch: file hash 0x1c1020f2, `Sfnnv5` expects 0x1c102ef2: it is SFNNv9, load it as \
         `nnue::stockfish::Sfnnv9`"
    );
    file[4] ^= 1;
    let error = error_of(&v5, &file);
    assert_eq!(
        error.advice(),
        Some("declare the network as the file has it")
    );
}

#[test]
fn another_version_is_explained() {
    let net = Shape {
        version: 0x7AF3_2F16,
        ..Shape::small()
    }
    .crelu(16);
    let mut file = file_of(&net, &Tensors::zeroed(&net), Encoding::Raw);
    put(&mut file, 0, 0x6A44_8AFA);
    put(&mut file, 4, 0xA85B_2205);
    let error = error_of(&net, &file);
    assert_eq!(
        (error.kind(), error.expected(), error.found()),
        (LoadErrorKind::Version, Some(0x7AF3_2F16), Some(0x6A44_8AFA))
    );
    assert!(
        error.to_string().contains("(Stockfish after 18)"),
        "{error}"
    );
}

#[test]
fn a_source_that_fails_is_reported_with_its_cause() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is on fire"))
        }
    }
    let error = Tensors::read(&Shape::small().crelu(16), Failing).expect_err("it fails");
    assert_eq!(error.kind(), LoadErrorKind::Io);
    assert_eq!(
        error.to_string(),
        "cannot read: the disk is on fire (at offset 0)"
    );
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_description_too_long_to_be_read_is_not_written() {
    let net = Shape::small().crelu(16);
    let tensors = Tensors::zeroed(&net);
    let header = |bytes| Header::new(&net, vec![b'x'; bytes]);
    let error = write(
        &net,
        &header(MAX_DESCRIPTION + 1),
        &tensors.refs(),
        std::io::sink(),
    )
    .expect_err("too long");
    assert!(matches!(error, WriteError::Description { bytes } if bytes == MAX_DESCRIPTION + 1));
    let mut file = Vec::new();
    write(&net, &header(MAX_DESCRIPTION), &tensors.refs(), &mut file).expect("just short enough");
    assert_eq!(
        Tensors::read(&net, &file[..]).expect("it can be read").0,
        header(MAX_DESCRIPTION)
    );
}
