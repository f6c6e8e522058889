//! 21: rows of your own, and candidates that share a base.
//!
//! Shows: a network over lists of rows, a stack that follows changes, values of many candidates, what is refused. `docs/rows.md` is about
//! such networks.
//!
//! The rows are hashed features of a user and of an item; a position is a user with an item. Weights are random.
//!
//! Run: `cargo run --example 21_rows`
//!
//! ```text
//! Ranker: rows[5120] -> 128 -> 16 -> 1
//! user 7 with item 0: [..]
//! user 7 with item 1: [..], the same from scratch
//! best of 100 items: [..]
//! refused: row 5120: there are only 5120 rows
//! refused: row 4101 (row 5 of `items`) is not active, it cannot be removed
//! ```

use nnue::rows::{Candidate, RowsStack};
use nnue::{Model, Network, nnue};

nnue! {
    /// Rows of users, then rows of items.
    pub struct Ranker = rows[users: 4096, items: 1024, active 64] -> 128 -> 16 -> 1;
}

/// The rows of a user: 40 crossed features, hashed.
fn user(id: u32) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..40).map(|feature| hash(id, feature) % 4096).collect();
    rows.sort_unstable();
    rows.dedup(); // features may collide
    rows
}

/// The rows of an item, which follow those of users.
fn item(id: u32) -> [u32; 3] {
    let first = 3 * id;
    [first, first + 1, first + 2].map(|row| 4096 + row % 1024)
}

fn hash(id: u32, feature: u32) -> u32 {
    let mixed = (id ^ 0x9E37_79B9).wrapping_mul(0x85EB_CA6B) ^ feature.wrapping_mul(0xC2B2_AE35);
    mixed ^ mixed >> 15
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("Ranker: {}", Ranker::SPEC.notation);
    let network = Network::<Ranker>::random(1);

    // The user is the base. An item is a change of three rows, and is taken back.
    let mut stack = RowsStack::<Ranker>::new();
    stack.set(&user(7))?;
    stack.push_rows(&item(0), &[])?;
    println!("user 7 with item 0: {}", stack.evaluate(&network).value);
    stack.pop();

    stack.push_rows(&item(1), &[])?;
    let value = stack.evaluate(&network).value;
    let mut rows = network.rows();
    rows.set(&[user(7), item(1).to_vec()].concat())?;
    assert_eq!(value, network.evaluate_listed(&rows).value);
    println!("user 7 with item 1: {value}, the same from scratch");
    stack.pop();

    // Where only values are wanted, all candidates are evaluated in one call.
    let items: Vec<[u32; 3]> = (0..100).map(item).collect();
    let candidates: Vec<_> = items.iter().map(|rows| Candidate::new(rows, &[])).collect();
    let mut values = Vec::new();
    stack.evaluate_candidates(&network, &candidates, &mut values)?;
    let best = (0..items.len()).max_by_key(|&item| values[item].value);
    println!("best of {} items: {best:?}", items.len());

    // What is wrong is refused, and changes nothing.
    for (added, removed) in [(5120, None), (4096, Some(4101))] {
        let removed: Vec<u32> = removed.into_iter().collect();
        let refused = stack.push_rows(&[added], &removed);
        println!("refused: {}", refused.expect_err("it is wrong"));
    }
    assert_eq!(stack.depth(), 0);
    Ok(())
}
