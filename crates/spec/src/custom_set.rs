//! Feature sets of any game: their rows come from the program, by a type or in lists.

/// A feature set of any game: its size is in the declaration. Its code is in the program, or the caller lists the
/// active rows of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CustomSet {
    /// start constant of the hash of files: FNV-1a of its [name](crate::CustomDesc::set) and number of rows,
    /// this project's choice
    pub hash: u32,
    /// rows of the weight matrix
    pub rows: u32,
    /// upper bound of simultaneously active rows for one perspective
    pub most_active: u32,
    /// whether the caller lists the rows
    listed: bool,
}

impl CustomSet {
    /// The name of sets whose rows the caller lists.
    pub const LISTED: &str = "rows";

    /// `rows[4096, active 64]`: the caller lists the active rows.
    pub const fn listed(rows: u32, most_active: u32) -> Self {
        Self {
            listed: true,
            ..Self::new(Self::LISTED, rows, most_active)
        }
    }

    /// Whether the caller lists the active rows, so that no code of the program is needed.
    pub const fn is_listed(self) -> bool {
        self.listed
    }

    /// The set whose path ends with `name`.
    pub const fn new(name: &str, rows: u32, most_active: u32) -> Self {
        const PRIME: u32 = 0x0100_0193;
        let (mut hash, mut index) = (0x811C_9DC5_u32, 0);
        while index < name.len() {
            hash = (hash ^ name.as_bytes()[index] as u32).wrapping_mul(PRIME);
            index += 1;
        }
        Self {
            hash: (hash ^ rows).wrapping_mul(PRIME),
            rows,
            most_active,
            listed: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CustomSet;

    #[test]
    fn the_hash_tells_names_and_sizes_apart() {
        let sets = [
            CustomSet::new("Ataxx", 147, 49),
            CustomSet::new("Ataxx", 98, 49),
            CustomSet::new("Shogi", 147, 49),
        ];
        let [a, b, c] = sets.map(|set| set.hash);
        assert!(a != b && a != c && b != c);
        // FNV-1a of "Ataxx", then one more step with 147.
        let name = b"Ataxx".iter().fold(0x811C_9DC5_u32, |hash, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
        });
        assert_eq!(a, (name ^ 147).wrapping_mul(16_777_619));
    }
}
