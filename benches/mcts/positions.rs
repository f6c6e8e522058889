//! Positions: which rows are active, and which moves there are.

use nnue_testkit::random::Random;

/// A position.
pub(crate) struct Sample {
    /// active rows of the feature set, each once
    pub(crate) rows: Vec<u32>,
    /// rows of the policy
    pub(crate) moves: Vec<usize>,
}

/// `count` positions; of rows and of moves, the number that there are and the number that a position has. From one position to the next, the
/// share `new` of both is drawn again.
pub(crate) fn draw(rows: [usize; 2], moves: [usize; 2], new: f64, count: usize) -> Vec<Sample> {
    let mut random = Random::new(7);
    let (mut active, mut listed) = (Vec::new(), Vec::new());
    let mut next = || {
        renew(&mut active, rows, new, &mut random);
        renew(&mut listed, moves, new, &mut random);
        let active: Vec<u32> = active.iter().map(|&row| row as u32).collect();
        Sample {
            rows: active,
            moves: listed.clone(),
        }
    };
    (0..count).map(|_| next()).collect()
}

/// Draws the share `new` of a list again, from the numbers below `all` that are not in it.
fn renew(list: &mut Vec<usize>, [all, count]: [usize; 2], new: f64, random: &mut Random) {
    let kept = list.len() - (list.len() as f64 * new).ceil() as usize;
    while list.len() > kept {
        list.swap_remove(random.below(list.len()));
    }
    while list.len() < count {
        let number = random.below(all);
        if !list.contains(&number) {
            list.push(number);
        }
    }
}
