//! Encoding of an answer.
//!
//! ```text
//!   0  u8       bit 0: policy, 1: draws, 2: moves left were wanted, 3: there is a score, 4: there are probabilities
//!   1  i16      32767 q
//!   3  u16      65535 d
//!   5  u16      16 m, at most 65535
//!   7  i32      the score, if there is one
//!      u16      how many moves, then their probabilities, if there are any
//! ```
//!
//! Integers are little-endian. Decoding is lossy, but deterministic.

use super::coding::PolicyCodec;
use super::error::Damaged;
use crate::answers::Answer;
use crate::game::Wanted;

/// Encoding of answers.
type Form = PolicyCodec;

/// Encodes and appends an answer.
pub(crate) fn encode(answer: &Answer<&[f32]>, wanted: Wanted, form: Form, bytes: &mut Vec<u8>) {
    let Answer {
        q,
        d,
        m,
        score,
        policy,
    } = answer;
    // a policy too long for its length field is dropped, so the answer will be computed again
    let keeps = !policy.is_empty() && policy.len() <= usize::from(u16::MAX);
    let flags = [
        wanted.policy && (keeps || policy.is_empty()),
        wanted.draws,
        wanted.moves_left,
        score.is_some(),
        keeps,
    ];
    bytes.push(
        flags
            .into_iter()
            .enumerate()
            .map(|(bit, flag)| u8::from(flag) << bit)
            .sum(),
    );
    // `as` saturates, and maps NaN to 0
    bytes.extend(((32767.0 * q.clamp(-1.0, 1.0)).round() as i16).to_le_bytes());
    bytes.extend(((65535.0 * d).round() as u16).to_le_bytes());
    bytes.extend(((16.0 * m).round() as u16).to_le_bytes());
    if let Some(score) = score {
        bytes.extend(score.to_le_bytes());
    }
    if keeps {
        bytes.extend((policy.len() as u16).to_le_bytes());
        form.encode(policy, bytes);
    }
}

/// Decodes an answer.
pub(crate) fn decode(bytes: &[u8], form: Form) -> Result<(Answer, Wanted), Damaged> {
    let (answer, wanted, coded) = split(bytes)?;
    let mut policy = Vec::new();
    if let Some((count, bytes)) = coded {
        form.decode(bytes, count, &mut policy)?;
    }
    let Answer { q, d, m, score, .. } = answer;
    Ok((
        Answer {
            q,
            d,
            m,
            score,
            policy,
        },
        wanted,
    ))
}

/// An encoded policy: number of moves, bytes.
pub(super) type Coded<'b> = Option<(usize, &'b [u8])>;

/// Decodes an answer except for its policy.
pub(super) fn split(bytes: &[u8]) -> Result<(Answer<()>, Wanted, Coded<'_>), Damaged> {
    let mut rest = bytes;
    let [flags] = take(&mut rest)?;
    if flags >= 1 << 5 {
        return Err(Damaged("an answer with unknown parts"));
    }
    let has = |bit: u32| flags >> bit & 1 != 0;
    let wanted = Wanted {
        policy: has(0),
        draws: has(1),
        moves_left: has(2),
    };
    let q = f32::from(i16::from_le_bytes(take(&mut rest)?).max(-32767)) / 32767.0;
    let d = f32::from(u16::from_le_bytes(take(&mut rest)?)) / 65535.0;
    let m = f32::from(u16::from_le_bytes(take(&mut rest)?)) / 16.0;
    let score = if has(3) {
        Some(i32::from_le_bytes(take(&mut rest)?))
    } else {
        None
    };
    let coded = if has(4) {
        Some((usize::from(u16::from_le_bytes(take(&mut rest)?)), rest))
    } else {
        None
    };
    if coded.is_none() && !rest.is_empty() {
        return Err(Damaged("bytes after the answer"));
    }
    Ok((
        Answer {
            q,
            d,
            m,
            score,
            policy: (),
        },
        wanted,
        coded,
    ))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Damaged> {
    let (first, rest) = bytes
        .split_first_chunk()
        .ok_or(Damaged("the bytes end within an answer"))?;
    *bytes = rest;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_rounded_once() {
        let policy = [0.5_f32, 0.25, 0.2, 0.05, 0.0];
        for (score, policy) in [(Some(-70_000), &policy[..]), (None, &policy[..0])] {
            let answer = Answer {
                q: -0.123_456,
                d: 0.3,
                m: 51.3,
                score,
                policy,
            };
            let (mut bytes, mut again) = (Vec::new(), Vec::new());
            encode(&answer, Wanted::ALL, Form::default(), &mut bytes);
            let (read, wanted) = decode(&bytes, Form::default()).expect("an answer");
            assert_eq!(
                (wanted, read.score, read.policy.len()),
                (Wanted::ALL, score, policy.len())
            );
            assert!(
                (read.q - answer.q).abs() < 2e-5
                    && (read.d - 0.3).abs() < 1e-5
                    && (read.m - 51.3).abs() < 0.04
            );
            encode(&read.as_view(), wanted, Form::default(), &mut again);
            assert_eq!(decode(&again, Form::default()), Ok((read, wanted)));
            for cut in 0..bytes.len() {
                assert!(decode(&bytes[..cut], Form::default()).is_err(), "{cut}");
            }
        }
    }

    #[test]
    fn nonsense_is_held_to_its_range() {
        let answer = Answer {
            q: f32::NAN,
            d: 7.0,
            m: f32::INFINITY,
            score: None,
            policy: &[][..],
        };
        let mut bytes = Vec::new();
        encode(&answer, Wanted::VALUE, Form::default(), &mut bytes);
        let (read, _) = decode(&bytes, Form::default()).expect("an answer");
        assert_eq!((read.q, read.d, read.m), (0.0, 1.0, 65535.0 / 16.0));
    }
}
