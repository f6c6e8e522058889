//! SplitMix64: the random number generator of synthetic networks and random games.

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output function: one step of SplitMix64 from state `x`.
pub const fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Element `index` of the stream with initial state `base`.
pub const fn element(base: u64, index: u64) -> u64 {
    mix(base.wrapping_add(index.wrapping_mul(GAMMA)))
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A stream that depends only on `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        let value = mix(self.state);
        self.state = self.state.wrapping_add(GAMMA);
        value
    }

    /// A number from 0 to `bound - 1`; 0 if `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // the first outputs of the published reference implementation for seed 1234567
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(element(1_234_567, 1), 3_203_168_211_198_807_973);
    }
}
