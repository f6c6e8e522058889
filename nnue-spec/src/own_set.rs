//! Feature sets that the program itself implements, for its own game: what is known of them beside their code.

/// A feature set of the user's own: its code is in the user's program, its size in the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OwnSet {
    /// the last word of its path
    pub name: &'static str,
    /// rows of the weight matrix
    pub rows: u32,
    /// most rows that can be active at once for one perspective
    pub most_active: u32,
}

impl OwnSet {
    /// All fields in order.
    pub const fn new(name: &'static str, rows: u32, most_active: u32) -> Self {
        Self { name, rows, most_active }
    }

    /// Start constant of the hash of files: FNV-1a of the name and of the number of rows, this project's own choice.
    pub(crate) const fn hash(&self) -> u32 {
        const PRIME: u32 = 0x0100_0193;
        let (mut hash, mut index) = (0x811C_9DC5_u32, 0);
        while index < self.name.len() {
            hash = (hash ^ self.name.as_bytes()[index] as u32).wrapping_mul(PRIME);
            index += 1;
        }
        (hash ^ self.rows).wrapping_mul(PRIME)
    }
}

#[cfg(test)]
mod tests {
    use super::OwnSet;

    #[test]
    fn the_hash_tells_names_and_sizes_apart() {
        let sets = [OwnSet::new("Ataxx", 147, 49), OwnSet::new("Ataxx", 98, 49), OwnSet::new("Shogi", 147, 49)];
        let [a, b, c] = sets.map(|set| set.hash());
        assert!(a != b && a != c && b != c);
        // FNV-1a of "Ataxx", then one more step with 147.
        let name =
            b"Ataxx".iter().fold(0x811C_9DC5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619));
        assert_eq!(a, (name ^ 147).wrapping_mul(16_777_619));
    }
}
