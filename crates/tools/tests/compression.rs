//! Files in gzip and zstd: read as what is in them, up to a limit, and refused with a reason when they are damaged.

use std::io::{Cursor, Read, Seek, SeekFrom};
#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::Command;

use nnue_format::{Encoding, Header, MAX_DESCRIPTION, Padding, Tensors, write};
use nnue_spec::{NetDesc, TensorMut};
use nnue_tools::compression::{Bounds, Decompressed, Method, compress};

const METHODS: [Method; 2] = [Method::Gzip, Method::Zstd];

/// `abcabcabc-network` by `zstd -19`, with a checksum.
const FRAME: [u8; 30] = [
    0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x11, 0x89, 0x00, 0x00, 0x61, 0x62, 0x63, 0x61, 0x62, 0x63, 0x61,
    0x62, 0x63, 0x2D, 0x6E, 0x65, 0x74, 0x77, 0x6F, 0x72, 0x6B, 0x05, 0xC0, 0x90, 0x8A,
];

const BOUNDS: Bounds = Bounds {
    lead: 0,
    most: 1 << 20,
};

fn read(file: &[u8], bounds: Bounds) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut opened = Decompressed::open(file, bounds).map_err(|error| error.to_string())?;
    opened
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Weights: small numbers, many of them zero.
fn weights(bytes: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 & 0x1F & (state >> 16) as u8
    };
    (0..bytes).map(next).collect()
}

#[test]
fn files_are_read_as_what_is_in_them() {
    for bytes in [0, 1, 3, 4, 63, 64, 70_000, 300_000] {
        let file = weights(bytes);
        assert_eq!(read(&file, BOUNDS), Ok(file.clone()), "{bytes} bytes");
        for method in METHODS {
            let compressed = compress(method, &file).unwrap();
            assert_eq!(Method::of_head(&compressed), Some(method));
            let opened = Decompressed::open(&compressed[..], BOUNDS).unwrap();
            assert_eq!(opened.method(), Some(method));
            assert_eq!(read(&compressed, BOUNDS), Ok(file.clone()), "{method}");
        }
    }
}

#[test]
fn frames_follow_each_other() {
    let text = b"abcabcabc-network";
    assert_eq!(read(&FRAME, BOUNDS), Ok(text.to_vec()));
    let skipped = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let all = [&FRAME[..], &skipped, &FRAME].concat();
    assert_eq!(read(&all, BOUNDS), Ok([&text[..], text].concat()));
    let gzip = compress(Method::Gzip, text).unwrap();
    let twice = [&gzip[..], &gzip].concat();
    assert_eq!(read(&twice, BOUNDS), Ok([&text[..], text].concat()));
}

#[test]
fn a_compression_may_follow_a_header() {
    let bounds = Bounds { lead: 7, ..BOUNDS };
    let file = [b"header:", &weights(5000)[..]].concat();
    assert_eq!(read(&file, bounds), Ok(file.clone()));
    for method in METHODS {
        let rest = compress(method, &file[7..]).unwrap();
        let compressed = [b"header:", &rest[..]].concat();
        assert_eq!(read(&compressed, bounds), Ok(file.clone()), "{method}");
        assert_eq!(read(&compressed, BOUNDS), Ok(compressed.clone()));
        assert_eq!(read(&compressed[..6], bounds), Ok(b"header".to_vec()));
    }
}

#[test]
fn positions_are_those_of_the_decompressed_file() {
    let file = weights(200_000);
    let gzip = compress(Method::Gzip, &file).unwrap();
    let zstd = compress(Method::Zstd, &file).unwrap();
    for compressed in [&file, &gzip, &zstd] {
        let mut opened = Decompressed::open(Cursor::new(compressed), BOUNDS).unwrap();
        for (to, at) in [
            (SeekFrom::Start(150_000), 150_000),
            (SeekFrom::Start(17), 17),
            (SeekFrom::Current(100), 121),
            (SeekFrom::End(0), 200_000),
            (SeekFrom::End(-10), 199_990),
            (SeekFrom::Current(-5), 199_989),
            (SeekFrom::Start(0), 0),
        ] {
            assert_eq!(opened.seek(to).unwrap(), at);
            let mut found = Vec::new();
            opened.by_ref().take(4).read_to_end(&mut found).unwrap();
            let at = at as usize;
            assert_eq!(found, file[at..(at + 4).min(file.len())], "{to:?}");
        }
    }
}

#[test]
fn what_is_longer_than_a_network_is_refused() {
    let zeros = vec![0; 3 << 20];
    for method in METHODS {
        let bomb = compress(method, &zeros).unwrap();
        assert_eq!(
            read(&bomb, BOUNDS),
            Err(
                "decompressed, it has more than the 1048576 bytes that are expected at most".into()
            )
        );
        let exact = compress(method, &zeros[..1 << 20]).unwrap();
        assert_eq!(read(&exact, BOUNDS).unwrap().len(), 1 << 20);
    }
}

#[test]
fn files_that_are_compressed_twice_are_named() {
    let inner = compress(Method::Gzip, b"a network").unwrap();
    for (outer, line) in [
        (
            Method::Gzip,
            "it is compressed twice, by gzip inside gzip: decompress it once (`gunzip`)",
        ),
        (
            Method::Zstd,
            "it is compressed twice, by gzip inside zstd: decompress it once (`unzstd`)",
        ),
    ] {
        let twice = compress(outer, &inner).unwrap();
        assert_eq!(read(&twice, BOUNDS), Err(line.to_owned()));
    }
}

/// The length of the longest file of a declaration: each number has the most bytes.
fn longest(net: &NetDesc<'_>, description: usize) -> usize {
    let mut tensors = Tensors::zeroed(net);
    for tensor in tensors.muts() {
        match tensor {
            TensorMut::I8(numbers) => numbers.fill(i8::MIN),
            TensorMut::I16(numbers) => numbers.fill(i16::MIN),
            TensorMut::I32(numbers) => numbers.fill(i32::MIN),
            TensorMut::F32(numbers) => numbers.fill(f32::MIN),
        }
    }
    let mut header = Header::new(net, vec![0; description]);
    header.encoding = Encoding::Leb128;
    header.padding = Padding::Zeros;
    let mut file = Vec::new();
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    let most = Bounds::of(net).most;
    let (_, again) =
        Tensors::read(net, Decompressed::open(&file[..], Bounds::of(net)).unwrap()).unwrap();
    assert_eq!(again, tensors);
    let packed = compress(Method::Gzip, &[&file[..], &[0; 64]].concat()).unwrap();
    let error = Tensors::read(
        net,
        Decompressed::open(&packed[..], Bounds::of(net)).unwrap(),
    );
    let line = error.expect_err("it goes on").to_string();
    assert!(
        line.contains(&format!("more than the {most} bytes")),
        "{line}"
    );
    file.len()
}

#[test]
fn bounds_are_the_length_of_the_longest_file() {
    for (layers, format, description) in [
        ("768 -> 32x2 -> 1: i16", "raw", 0),
        ("768 -> 32x2 -> 1: i16", "raw { skip: 7 }", 7),
        (
            "768 -> 32x2 -> (8 -> 1: f32)x8",
            "raw { skip: 7, padding: zeros }",
            7,
        ),
        ("768 -> 32x2 -> 1: i16", "raw { encoding: leb128 }", 0),
        (
            "HalfKP[..] -> 32x2, psqt 8 -> (16 -> 1)x8",
            "stockfish",
            MAX_DESCRIPTION,
        ),
    ] {
        let text = format!("pub struct Network = {layers} {{ format {format} }};");
        let nets =
            nnue_codegen::described_text(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let most = Bounds::of(nets[0]).most;
        assert_eq!(most, longest(nets[0], description) as u64, "{text}");
    }
}

/// A network of 16 MB.
#[cfg(target_os = "linux")]
fn large() -> &'static NetDesc<'static> {
    let buckets: Vec<String> = (0..64).map(|bucket: u8| bucket.to_string()).collect();
    let text = format!(
        "pub struct Large = (Chess768[buckets: [{}]] -> 160)x2 -> 1: i16 {{ format raw }};",
        buckets.join(", ")
    );
    nnue_codegen::described_text(&text).expect("a network")[0]
}

#[cfg(target_os = "linux")]
fn large_file(method: Method) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("large.{method}"))
}

/// The memory of a process that reads a network: that of the network, and 12 MiB for the program, a buffer and a window. The highest level of
/// zstd has a window of 8 MiB more.
#[cfg(target_os = "linux")]
#[test]
fn a_compressed_network_is_read_in_the_memory_of_one() {
    let size = nnue_format::raw_size(large(), Padding::None).expect("a length") as usize;
    for method in METHODS {
        let packed = compress(method, &vec![0; size]).expect("it is compressed");
        std::fs::write(large_file(method), packed).expect("a file is written");
    }
    let program = std::env::current_exe().expect("a test has a program");
    let run = Command::new(program)
        .args([
            "--ignored",
            "--exact",
            "reads_a_large_network",
            "--nocapture",
        ])
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}");
    let peak = said.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak: usize = peak
        .and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok())
        .unwrap_or_else(|| panic!("a peak: {said}"));
    let window = if cfg!(feature = "zstd") { 8 << 10 } else { 0 };
    let most = (size >> 10) + (12 << 10) + window;
    assert!((size >> 10..most).contains(&peak), "{peak} KiB of {most}");
}

/// Prints what the system says of this process.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "runs in a process of its own"]
fn reads_a_large_network() {
    for method in METHODS {
        let file = Decompressed::open_path(&large_file(method), Bounds::of(large())).unwrap();
        assert!(Tensors::read(large(), file).is_ok(), "{method}");
    }
    print!("{}", std::fs::read_to_string("/proc/self/status").unwrap());
}

/// Each file, cut at each byte.
#[test]
fn cut_files_are_damaged() {
    let file = weights(2000);
    let gzip = compress(Method::Gzip, &file).unwrap();
    for (compressed, magic, method) in [(&gzip[..], 2, "gzip"), (&FRAME, 4, "zstd")] {
        for length in magic..compressed.len() {
            let line = read(&compressed[..length], BOUNDS).expect_err("it is cut");
            let expected = format!("the {method} compression is damaged: ");
            assert!(line.starts_with(&expected), "{length}: {line}");
            assert_eq!(line.lines().count(), 1, "{length}: {line}");
        }
    }
}

/// Each file, each of its bits changed: an error, or the same bytes. What is not covered by the checksum is not content.
#[test]
fn changed_bits_are_noticed() {
    let file = weights(400);
    let gzip = compress(Method::Gzip, &file).unwrap();
    for (compressed, content) in [(&gzip[..], &file[..]), (&FRAME, b"abcabcabc-network")] {
        for bit in 32..8 * compressed.len() {
            let mut changed = compressed.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            if let Ok(found) = read(&changed, BOUNDS) {
                assert_eq!(found, content, "bit {bit}");
            }
        }
    }
}

#[test]
fn names_say_the_method() {
    for (name, method) in [
        ("nn-0.nnue.zst", Some(Method::Zstd)),
        ("net.GZ", Some(Method::Gzip)),
        ("net.nnue", None),
        ("zst", None),
    ] {
        assert_eq!(Method::of_name(name.as_ref()), method, "{name}");
    }
}
