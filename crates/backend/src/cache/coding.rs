//! Four encodings of integers.

use std::cell::Cell;

use super::error::Damaged;
use super::steps::Steps;
use super::{contexts, prefix, runs};

/// Encoding of integers up to 2047. Bytes per policy, for lists of legal chess moves (1504 positions, 31.9
/// moves) and for vectors of 362 with the statistics of Go (`docs/backends.md`):
///
/// ```text
///                    chess, truncated   chess, roots     Go
///   VariableLength         33.9             31.9       363.9
///   RunLength              30.5             31.6        54.3
///   Prefix                 24.1             28.9        34.9
///   Contexts               22.1             23.9        32.6
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coding {
    /// one byte below 248, else two
    VariableLength,
    /// the same, with two bytes for a run of up to 255 equal numbers below 8
    RunLength,
    /// static prefix code for numbers and runs of zeros
    Prefix,
    /// context-dependent prefix codes; the shortest of three tables
    #[default]
    Contexts,
}

impl Coding {
    /// All encodings, the simplest first. Files store the index in this list.
    pub const ALL: [Self; 4] = [
        Self::VariableLength,
        Self::RunLength,
        Self::Prefix,
        Self::Contexts,
    ];

    /// The name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::VariableLength => "variable_length",
            Self::RunLength => "run_length",
            Self::Prefix => "prefix",
            Self::Contexts => "contexts",
        }
    }
}

/// Encoding of policies: quantisation of probabilities, then encoding of the integers.
///
/// ```
/// use nnue_backend::cache::PolicyCodec;
///
/// let codec = PolicyCodec::default();
/// let mut bytes = Vec::new();
/// codec.encode(&[0.7, 0.2, 0.05, 0.05, 0.0, 0.0], &mut bytes);
/// let mut policy = Vec::new();
/// codec.decode(&bytes, 6, &mut policy)?;
/// assert!(bytes.len() < 8);
/// assert!((policy[0] - 0.7).abs() < 0.005);
/// # Ok::<(), nnue_backend::cache::Damaged>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PolicyCodec {
    /// quantisation of probabilities
    pub steps: Steps,
    /// encoding of the integers
    pub coding: Coding,
}

thread_local! {
    /// Reused buffer: encoding or decoding a policy takes 200 ns, of which an allocation would be a tenth.
    static NUMBERS: Cell<Vec<u16>> = const { Cell::new(Vec::new()) };
}

impl PolicyCodec {
    /// Appends a policy, without the number of its probabilities.
    pub fn encode(&self, policy: &[f32], bytes: &mut Vec<u8>) {
        let mut numbers = NUMBERS.take();
        numbers.clear();
        numbers.resize(policy.len(), 0);
        self.steps.put_numbers(policy, &mut numbers);
        self.coding.encode(&numbers, bytes);
        NUMBERS.set(numbers);
    }

    /// Decodes `count` probabilities and appends them.
    ///
    /// # Errors
    ///
    /// If the bytes are invalid, or continue after the policy. Nothing is appended then.
    pub fn decode(&self, bytes: &[u8], count: usize, policy: &mut Vec<f32>) -> Result<(), Damaged> {
        let mut numbers = NUMBERS.take();
        numbers.clear();
        let decoded = self.coding.decode(bytes, count, &mut numbers);
        let most = numbers.iter().copied().max().unwrap_or(0);
        let is_ours = decoded.and_then(|()| {
            if most <= self.steps.most() {
                Ok(())
            } else {
                Err(Damaged("a number above the largest step"))
            }
        });
        if is_ours.is_ok() {
            self.steps.probabilities(&numbers, policy);
        }
        NUMBERS.set(numbers);
        is_ours
    }
}

impl Coding {
    /// Encodes and appends numbers.
    ///
    /// # Panics
    ///
    /// If a number exceeds 2047.
    pub fn encode(self, numbers: &[u16], bytes: &mut Vec<u8>) {
        assert!(
            numbers.iter().all(|&number| number <= 2047),
            "numbers are at most 2047"
        );
        match self {
            Self::VariableLength => numbers
                .iter()
                .for_each(|&number| runs::put_long(number, runs::LONG, bytes)),
            Self::RunLength => runs::encode(numbers, bytes),
            Self::Prefix => prefix::encode(numbers, bytes),
            Self::Contexts => contexts::encode(numbers, bytes),
        }
    }

    /// Decodes `count` numbers and appends them.
    ///
    /// # Errors
    ///
    /// If the bytes are invalid, or continue after the numbers.
    pub fn decode(self, bytes: &[u8], count: usize, numbers: &mut Vec<u16>) -> Result<(), Damaged> {
        let read = match self {
            Self::VariableLength => runs::decode(bytes, count, false, numbers),
            Self::RunLength => runs::decode(bytes, count, true, numbers),
            Self::Prefix => prefix::decode(bytes, count, numbers),
            Self::Contexts => contexts::decode(bytes, count, numbers),
        }?;
        if read == bytes.len() {
            Ok(())
        } else {
            Err(Damaged("bytes after the policy"))
        }
    }
}
