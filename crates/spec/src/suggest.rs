//! "Did you mean": the nearest known word.

use alloc::vec::Vec;

/// The candidate nearest to `word`, if it is similar enough.
///
/// Case and underscores are ignored, and up to a third of the letters may be wrong, missing, added or swapped
/// with their neighbour.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = letters(word);
    let best = candidates
        .into_iter()
        .map(|c| (distance(&word, &letters(c)), c))
        .min_by_key(|(d, _)| *d)?;
    let allowed = word.len().div_ceil(3).min(4);
    (best.0 <= allowed).then_some(best.1)
}

fn letters(word: &str) -> Vec<char> {
    word.chars()
        .filter(|c| *c != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = Vec::with_capacity(a.len() + 1);
    rows.push((0..=b.len()).collect());
    for i in 1..=a.len() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i);
        for j in 1..=b.len() {
            let substitute = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitute.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const SETS: [&str; 4] = ["HalfKP", "HalfKAv2", "HalfKAv2_hm", "Chess768"];

    #[test]
    fn small_slips_find_the_word_that_was_meant() {
        assert_eq!(nearest("HalfKAv2hm", SETS), Some("HalfKAv2_hm"));
        assert_eq!(nearest("halfka_v2", SETS), Some("HalfKAv2"));
        assert_eq!(nearest("HalkfP", SETS), Some("HalfKP"));
        assert_eq!(nearest("afine", ["affine", "concat"]), Some("affine"));
    }

    #[test]
    fn other_words_find_nothing() {
        assert_eq!(nearest("Threats", SETS), None);
        assert_eq!(nearest("", SETS), None);
        assert_eq!(nearest("x", ["affine"]), None);
    }
}
