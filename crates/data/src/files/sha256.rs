//! SHA-256 (FIPS 180-4), by which networks are named.

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const ROUNDS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// Bytes of a block.
const BLOCK: usize = 64;

/// The hash of bytes that come piece by piece.
#[derive(Clone, Debug)]
pub struct Sha256 {
    state: [u32; 8],
    /// bytes that do not fill a block yet
    rest: Vec<u8>,
    length: u64,
}

impl Default for Sha256 {
    fn default() -> Self {
        Self {
            state: START,
            rest: Vec::with_capacity(BLOCK),
            length: 0,
        }
    }
}

impl Sha256 {
    /// Adds bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if !self.rest.is_empty() {
            let (first, others) = bytes.split_at(bytes.len().min(BLOCK - self.rest.len()));
            self.rest.extend(first);
            bytes = others;
            if let Some(block) = self.rest.first_chunk() {
                self.state = compressed(self.state, block);
                self.rest.clear();
            }
        }
        let (blocks, rest) = bytes.as_chunks();
        self.state = blocks.iter().fold(self.state, compressed);
        self.rest.extend(rest);
    }

    /// The hash.
    pub fn finish(mut self) -> [u8; 32] {
        let bits = self.length.wrapping_mul(8).to_be_bytes();
        let zeros = (BLOCK + BLOCK - 1 - bits.len() - self.rest.len()) % BLOCK;
        let end: Vec<u8> = [&[0x80], &[0; BLOCK][..zeros], &bits].concat();
        self.update(&end);
        let mut hash = [0; 32];
        for (bytes, word) in hash.as_chunks_mut().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
        hash
    }
}

/// The state after a block.
fn compressed(state: [u32; 8], block: &[u8; BLOCK]) -> [u32; 8] {
    let mut words = [0; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        let (x, y) = (words[t - 15], words[t - 2]);
        let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
        let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
        words[t] = sum([words[t - 16], s0, words[t - 7], s1]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for (word, round) in words.into_iter().zip(ROUNDS) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = sum([h, s1, choice, round, word]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, sum([first, s0, majority]));
    }
    let mut added = [a, b, c, d, e, f, g, h];
    for (added, state) in added.iter_mut().zip(state) {
        *added = added.wrapping_add(state);
    }
    added
}

fn sum<const N: usize>(terms: [u32; N]) -> u32 {
    terms.into_iter().fold(0, u32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(pieces: &[&[u8]]) -> String {
        let mut hash = Sha256::default();
        pieces.iter().for_each(|piece| hash.update(piece));
        hash.finish()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Examples of the standard, and their hashes.
    #[test]
    fn examples_of_the_standard() {
        let million = vec![b'a'; 1_000_000];
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        for (bytes, expected) in [
            (
                &b""[..],
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                b"abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                two_blocks,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (
                &million,
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ] {
            assert_eq!(hash(&[bytes]), expected, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn pieces_of_any_length_give_the_same_hash() {
        let bytes: Vec<u8> = (0..400_u32).map(|n| (n * n) as u8).collect();
        for length in 0..bytes.len() {
            let whole = hash(&[&bytes[..length]]);
            for piece in [1, 7, 63, 64, 65, 130] {
                let pieces: Vec<_> = bytes[..length].chunks(piece).collect();
                assert_eq!(hash(&pieces), whole, "{length} bytes, {piece} at a time");
            }
        }
    }
}
