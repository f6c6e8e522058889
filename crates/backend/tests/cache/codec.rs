//! Policies as bytes.

use std::io::Read;
use std::path::PathBuf;

use nnue_backend::cache::{Coding, PolicyCodec, Steps};

use crate::bound;

const CODINGS: [Coding; 4] = [
    Coding::VariableLength,
    Coding::RunLength,
    Coding::Prefix,
    Coding::Contexts,
];

/// Lists with runs of all lengths, of all sizes of numbers.
fn lists() -> Vec<Vec<u16>> {
    let mut random = fastrand::Rng::with_seed(4);
    let edges = [
        0, 1, 2, 7, 8, 31, 63, 64, 127, 239, 240, 247, 248, 255, 256, 1023, 1024, 2047,
    ];
    let mut all = vec![vec![], vec![0], vec![2047], edges.to_vec(), vec![2047; 300]];
    all.extend((1..=600).map(|length| vec![length % 9; length.into()]));
    all.extend(
        [528, 529, 530, 531, 1057, 1058, 1060, 1858]
            .map(|zeros| [vec![0; zeros], vec![5]].concat()),
    );
    for _ in 0..2000 {
        let (length, zeros) = (random.usize(0..400), random.f32());
        let mut number = || match random.f32() < zeros {
            true => 0,
            false => random.u16(..) % (1 << random.u32(1..12)),
        };
        all.push((0..length).map(|_| number()).collect());
    }
    all
}

#[test]
fn numbers_come_back_and_cuts_are_found() {
    for coding in CODINGS {
        for numbers in lists() {
            let (mut bytes, mut again) = (Vec::new(), Vec::new());
            coding.encode(&numbers, &mut bytes);
            coding
                .decode(&bytes, numbers.len(), &mut again)
                .unwrap_or_else(|error| panic!("{coding:?}: {error}"));
            assert_eq!(again, numbers, "{coding:?}");
            bytes.push(0);
            assert!(
                coding.decode(&bytes, numbers.len(), &mut vec![]).is_err(),
                "{coding:?}: a byte too many"
            );
            bytes.pop();
            if let Some(cut) = bytes.len().checked_sub(1) {
                // what is left may be another list of this length only by chance, never this one
                let mut other = Vec::new();
                let result = coding.decode(&bytes[..cut], numbers.len(), &mut other);
                assert!(
                    result.is_err() || other != numbers,
                    "{coding:?}: {numbers:?}"
                );
            }
        }
    }
}

#[test]
fn any_bytes_are_a_policy_or_an_error() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..100_000 {
        let bytes: Vec<u8> = (0..random.usize(0..40)).map(|_| random.u8(..)).collect();
        let count = random.usize(0..80);
        for coding in CODINGS {
            for steps in [Steps::Truncated, Steps::Rounded, Steps::Root] {
                let mut policy = Vec::new();
                let result = PolicyCodec { steps, coding }.decode(&bytes, count, &mut policy);
                assert_eq!(policy.len(), if result.is_ok() { count } else { 0 });
                assert!(policy.iter().all(|p| (0.0..=1.0).contains(p)));
            }
        }
    }
}

/// The folder of the published policies. Without it their tests say so and check nothing.
fn published(file: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("NNUE_CACHE_VECTORS") else {
        eprintln!("left out: NNUE_CACHE_VECTORS names no folder with {file}");
        return None;
    };
    let path = PathBuf::from(folder).join(file);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Bytes of all lists.
fn total(coding: Coding, lists: &[Vec<u16>]) -> usize {
    let mut bytes = Vec::new();
    for numbers in lists {
        let (begin, mut again) = (bytes.len(), Vec::new());
        coding.encode(numbers, &mut bytes);
        coding
            .decode(&bytes[begin..], numbers.len(), &mut again)
            .expect("it was just written");
        assert_eq!(&again, numbers);
    }
    println!(
        "{coding:?}: {:.2} bytes",
        bytes.len() as f64 / lists.len() as f64
    );
    bytes.len()
}

/// Both kinds of codes beside the least that they could take: whole bytes and the choice of a table cost up to a byte.
fn beside_the_bound(name: &str, lists: &[Vec<u16>]) {
    let (with_contexts, of_runs) = (bound::with_contexts(lists), bound::of_runs(lists));
    println!(
        "{name}: at least {with_contexts:.2} bytes with contexts, {of_runs:.2} of runs without"
    );
    let found = total(Coding::Contexts, lists) as f64 / lists.len() as f64;
    assert!(
        (with_contexts..with_contexts + 1.0).contains(&found),
        "{name}: {found} bytes, at least {with_contexts}"
    );
}

/// Within so much of the mean of bits / 8, because each list ends with a whole byte.
fn is_near(bytes: usize, lists: usize, ideal: f64) -> bool {
    (0.0..0.6).contains(&(bytes as f64 / lists as f64 - ideal))
}

/// Vectors with the statistics of two games of Go: the bytes that others have found for the first three, and the bound of the fourth.
#[test]
fn vectors_of_go() {
    let Some(file) = published("go_syn.npy") else {
        return;
    };
    let begin = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    let numbers: Vec<u16> = file[begin..]
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let lists: Vec<Vec<u16>> = numbers.chunks_exact(362).map(<[u16]>::to_vec).collect();
    assert_eq!(lists.len(), 3000);
    assert_eq!(total(Coding::VariableLength, &lists), 1_091_677);
    assert_eq!(total(Coding::RunLength, &lists), 162_751);
    assert!(is_near(total(Coding::Prefix, &lists), 3000, 34.459));
    assert!(total(Coding::Contexts, &lists) as f64 / 3000.0 <= 33.5);
    beside_the_bound("Go", &lists);
}

/// Lists of legal moves in chess.
#[test]
fn policies_of_chess() {
    let Some(file) = published("chess_policies.tsv.gz") else {
        return;
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(&file[..])
        .read_to_string(&mut text)
        .expect("gzip text");
    let rows = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit('\t').next().expect("a field"));
    let policies: Vec<Vec<f32>> = rows
        .map(|list| {
            list.split([',', ' '])
                .map(|p| p.parse().expect("a probability"))
                .collect()
        })
        .collect();
    assert_eq!(policies.len(), 1504);
    let lists = |steps: Steps| -> Vec<Vec<u16>> {
        policies
            .iter()
            .map(|policy| policy.iter().map(|&p| steps.number(p)).collect())
            .collect()
    };
    let truncated = lists(Steps::Truncated);
    assert_eq!(total(Coding::VariableLength, &truncated), 51_027);
    assert_eq!(total(Coding::RunLength, &truncated), 45_814);
    assert!(is_near(total(Coding::Prefix, &truncated), 1504, 23.657));
    assert!(total(Coding::Contexts, &truncated) as f64 / 1504.0 <= 22.25);
    let roots = lists(Steps::Root);
    for &coding in &CODINGS[..3] {
        total(coding, &roots);
    }
    assert!(total(Coding::Contexts, &roots) as f64 / 1504.0 <= 24.0);
    for (name, lists) in [
        ("truncated", &truncated),
        ("roots", &roots),
        ("rounded", &lists(Steps::Rounded)),
    ] {
        beside_the_bound(name, lists);
    }

    // how far the probabilities are from what they were, and how many have become 0
    for (steps, distance, vanished) in [
        (Steps::Truncated, 0.008, 0.45),
        (Steps::Rounded, 0.003, 0.35),
        (Steps::Root, 0.004, 0.05),
    ] {
        let (mut sum, mut gone, mut moves) = (0.0, 0, 0);
        for policy in &policies {
            let (mut bytes, mut again) = (Vec::new(), Vec::new());
            let codec = PolicyCodec {
                steps,
                coding: Coding::Contexts,
            };
            codec.encode(policy, &mut bytes);
            codec
                .decode(&bytes, policy.len(), &mut again)
                .expect("it was just written");
            sum += policy
                .iter()
                .zip(&again)
                .map(|(a, b)| f64::from((a - b).abs()))
                .sum::<f64>()
                / 2.0;
            gone += again.iter().filter(|&&p| p == 0.0).count();
            moves += policy.len();
        }
        let (mean, share) = (sum / policies.len() as f64, gone as f64 / moves as f64);
        println!("{steps:?}: {mean:.4} of the mass moved, {share:.3} of the moves have become 0");
        assert!(
            mean < distance && share < vanished,
            "{steps:?}: {mean} {share}"
        );
    }
}
