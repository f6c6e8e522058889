//! The kernels of the gradient of feature rows.
//!
//! An entry is an active row of a position and perspective. A few rows are active in many positions, so
//! adding every entry separately would make most atomic additions wait for others to the same address.
//! Instead a counting sort groups the entries by key (row and perspective), and each part of the sorted list
//! adds one sum per row:
//!
//! ```text
//!   count_rows    uses       how many entries each key has        ranks     which of these an entry is
//!   place_rows    firsts     where the entries of a key begin, in any order of the keys
//!   list_rows     entries    pair of position and perspective, row | pair, row | ..        at firsts[key] + rank
//!   of_rows                  the sums of 32 entries, one for each row among them
//! ```

use super::kernel::{Blocks, Kernel};
use super::transformer::{Rows, THREADS};

/// Entries per part. Frequent rows have several parts, rare rows share one.
const PART: usize = 32;

/// Keys per thread of `place_rows`.
const KEYS: usize = 8;

pub(super) fn kernels(rows: &Rows<'_>) -> [Kernel; 4] {
    let keys = rows.transformer.rows() * rows.transformer.perspectives();
    [count(rows), place(keys), list(rows), sums(rows, keys)]
}

/// A kernel with one entry per thread.
fn of_entries(rows: &Rows<'_>, (name, comment): (&str, &str), body: &str) -> Kernel {
    let text = format!(
        "{comment}\n{{
    int entry = blockIdx.x * {THREADS} + threadIdx.x, pair = entry / stride;
    int side = pair % PERSPECTIVES, position = pair / PERSPECTIVES;
    if (position >= count) return;
    int row = ACTIVE(side)[entry % stride], key = row * PERSPECTIVES + side;
    if (row < 0) return;
{body}}}
"
    );
    let blocks = Blocks::Entries {
        perspectives: rows.transformer.perspectives() as u32,
        each: THREADS as u32,
    };
    Kernel {
        name: name.into(),
        text,
        blocks,
        threads: THREADS as u32,
    }
}

fn count(rows: &Rows<'_>) -> Kernel {
    let body = "    ranks[entry] = atomicAdd(uses + key, 1);\n";
    of_entries(rows, ("count_rows", "How often rows are active."), body)
}

/// The count after those of all keys is the number of entries placed so far.
fn place(keys: usize) -> Kernel {
    let text = format!(
        "Where the entries of each key begin.\n{{
    int first = (blockIdx.x * {THREADS} + threadIdx.x) * {KEYS}, end = first + {KEYS} < {keys} ? first + {KEYS} : {keys}, sum = 0;
    for (int key = first; key < end; key++) sum += uses[key];
    if (sum == 0) return;
    int place = atomicAdd(uses + {keys}, sum);
    for (int key = first; key < end; key++) {{
        firsts[key] = place;
        place += uses[key];
    }}
}}
"
    );
    let blocks = Blocks::Fixed(keys.div_ceil(THREADS * KEYS) as u32);
    Kernel {
        name: "place_rows".into(),
        text,
        blocks,
        threads: THREADS as u32,
    }
}

fn list(rows: &Rows<'_>) -> Kernel {
    let body = "    int place = 2 * (firsts[key] + ranks[entry]);
    entries[place] = pair;
    entries[place + 1] = row;
";
    of_entries(rows, ("list_rows", "The entries of each key."), body)
}

/// Loads the gradients of several accumulators before adding them, to hide the latency.
fn sums(rows: &Rows<'_>, keys: usize) -> Kernel {
    let text = format!(
        "The gradient of the active rows: of a part of the entries, a sum for each row.\n{{
    int begin = (blockIdx.x * PAIRS + threadIdx.x / THREADS) * {PART}, all = uses[{keys}];
    int end = begin + {PART} < all ? begin + {PART} : all;
    for (int neuron = threadIdx.x % THREADS * 4; neuron < WIDTH; neuron += THREADS * 4) {{
        Numbers<4> sum, next[4];
        float* summed = 0;
        for (int i = begin; i < end; i += 4) {{
            for (int j = 0; j < 4; j++) {{
                if (i + j >= end) continue;
                int pair = entries[2 * (i + j)], position = pair / PERSPECTIVES;
                next[j] = numbers_at<4>(slopes + ROW(pair % PERSPECTIVES * WIDTH + neuron));
            }}
            for (int j = 0; j < 4; j++) {{
                if (i + j >= end) continue;
                int pair = entries[2 * (i + j)], row = entries[2 * (i + j) + 1];
                float* weight = gradient + weights_of(row, pair % PERSPECTIVES) + neuron;
                if (weight != summed) {{
                    if (summed) add_four(summed, sum);
                    summed = weight;
                    for (int k = 0; k < 4; k++) sum.at[k] = 0.0f;
                }}
                for (int k = 0; k < 4; k++) sum.at[k] += next[j].at[k] * ONE;
            }}
        }}
        if (summed) add_four(summed, sum);
    }}
}}
"
    );
    let (perspectives, pairs) = (rows.transformer.perspectives() as u32, rows.pairs());
    let blocks = Blocks::Entries {
        perspectives,
        each: (pairs * PART) as u32,
    };
    Kernel {
        name: "of_rows".into(),
        text,
        blocks,
        threads: (pairs * rows.threads()) as u32,
    }
}
