//! What a file may be that no network has the size of.

/// Rows of the commonest inputs.
const ROWS: u64 = 768;

/// The most king buckets, and neurons.
const MOST: [u64; 2] = [64, 8192];

/// Other things that have this size, each a question before the others; `half` is half of it and the shape of a network of that size.
pub(super) fn hints(size: u64, half: Option<(u64, String)>) -> String {
    let hints = [half.map(two_networks), one_tensor(size)];
    let mut text = String::new();
    for hint in hints.into_iter().flatten() {
        text += &hint;
        text += "; ";
    }
    text
}

/// Two networks, one after the other.
fn two_networks((half, shape): (u64, String)) -> String {
    format!(
        "two networks of {half} bytes would have this size ({shape}): are there two in the file, one after the other?"
    )
}

/// The weights of an accumulator alone.
fn one_tensor(size: u64) -> Option<String> {
    let [kings, widths] = MOST;
    let numbers = size.is_multiple_of(2).then_some(size / 2)?;
    let width = |kings: u64| {
        let rows = ROWS * kings;
        let width = numbers.is_multiple_of(rows).then_some(numbers / rows)?;
        (width.is_multiple_of(16) && (16..=widths).contains(&width)).then_some((rows, width))
    };
    let (rows, width) = (1..=kings).find_map(width)?;
    Some(format!(
        "{rows} rows of {width} `i16` have this size: if it is one tensor alone, append the others in their order"
    ))
}
