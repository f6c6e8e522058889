//! Files of other layouts, brought into the order of their axes.

/// A part of a file with 8-bit numbers.
pub(crate) struct Widened {
    pub(crate) start: usize,
    pub(crate) len: usize,
}

/// Numbers of 8 bits become numbers of 16.
pub(crate) fn widened(bytes: &[u8], &Widened { start, len }: &Widened) -> Vec<u8> {
    let (before, rest) = bytes.split_at(start);
    let (numbers, after) = rest.split_at(len);
    let wide = numbers
        .iter()
        .flat_map(|&number| i16::from(number.cast_signed()).to_le_bytes());
    let parts = before.iter().copied().chain(wide);
    parts.chain(after.iter().copied()).collect()
}

/// A part of a file with 16-bit numbers in another unit than that of the network.
pub(crate) struct Rescaled {
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) ratio: [i32; 2],
}

/// Numbers of 16 bits become numbers of 32 bits, times a ratio, rounded toward zero.
pub(crate) fn rescaled(bytes: &[u8], part: &Rescaled) -> Vec<u8> {
    let [num, den] = part.ratio;
    let (before, rest) = bytes.split_at(part.start);
    let (numbers, after) = rest.split_at(2 * part.len);
    let scaled = numbers.chunks_exact(2).flat_map(|number| {
        let number = i16::from_le_bytes([number[0], number[1]]);
        (i32::from(number) * num / den).to_le_bytes()
    });
    let parts = before.iter().copied().chain(scaled);
    parts.chain(after.iter().copied()).collect()
}
