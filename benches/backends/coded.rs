//! Policies as bytes, and back.

use std::hint::black_box;

use nnue_backend::cache::{Coding, PolicyCodec, Steps};

use crate::group::{Aim, Group};

const COUNT: usize = 2048;

/// Policies like those of networks of chess: some thirty moves, of which few are probable.
fn policies() -> Vec<Vec<f32>> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut policy = || {
        let mut policy: Vec<f32> = (0..random.usize(20..44))
            .map(|_| 4.0 * normal(&mut random))
            .collect();
        nnue_spec::softmax(&mut policy, 1.5);
        policy
    };
    (0..COUNT).map(|_| policy()).collect()
}

/// Nearly a normal distribution: a sum of even ones.
fn normal(random: &mut fastrand::Rng) -> f32 {
    (0..12).map(|_| random.f32()).sum::<f32>() - 6.0
}

/// Encoding and decoding in each way.
pub(crate) fn group() -> Group {
    let mut group = Group::new("policies");
    for coding in Coding::ALL {
        let (codec, policies) = (
            PolicyCodec {
                steps: Steps::Root,
                coding,
            },
            policies(),
        );
        let encoded: Vec<(usize, Vec<u8>)> = policies
            .iter()
            .map(|policy| {
                let (mut bytes, mut again) = (Vec::new(), Vec::new());
                codec.encode(policy, &mut bytes);
                codec
                    .decode(&bytes, policy.len(), &mut again)
                    .expect("it was just written");
                assert!(
                    policy.iter().zip(&again).all(|(a, b)| (a - b).abs() < 0.01),
                    "{coding:?}"
                );
                (policy.len(), bytes)
            })
            .collect();
        let mut bytes = Vec::new();
        group.add(
            format!("{} encoded", coding.name()),
            Aim::PerSecond(5e6),
            move || {
                for policy in &policies {
                    bytes.clear();
                    codec.encode(black_box(policy), &mut bytes);
                }
                COUNT
            },
        );
        let mut policy = Vec::new();
        group.add(
            format!("{} decoded", coding.name()),
            Aim::PerSecond(5e6),
            move || {
                for (count, bytes) in &encoded {
                    policy.clear();
                    codec
                        .decode(black_box(bytes), *count, &mut policy)
                        .expect("a policy");
                }
                COUNT
            },
        );
    }
    group
}
