//! Files of other layouts, brought into the order of their axes.

/// A layer of 8-bit weights, and where it begins in its file.
pub(crate) struct Layer {
    pub(crate) start: usize,
    pub(crate) stacks: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

/// A layer that is packed for a processor, `[stack][input / 4][output][4]`, becomes `[stack][output][input]`.
pub(crate) fn unpacked(mut bytes: Vec<u8>, layer: &Layer) -> Vec<u8> {
    let &Layer {
        inputs, outputs, ..
    } = layer;
    let weights = &mut bytes[layer.start..][..layer.stacks * inputs * outputs];
    for stack in weights.chunks_mut(inputs * outputs) {
        let packed = stack.to_vec();
        for (output, row) in stack.chunks_mut(inputs).enumerate() {
            for (input, weight) in row.iter_mut().enumerate() {
                *weight = packed[(input / 4 * outputs + output) * 4 + input % 4];
            }
        }
    }
    bytes
}

/// Rows of squares counted from a8 and kings mirrored to files e to h: of each plane of 64 rows at the beginning, the last comes first.
pub(crate) fn turned(mut bytes: Vec<u8>, planes: usize, row: usize) -> Vec<u8> {
    for plane in bytes[..planes * 64 * row].chunks_mut(64 * row) {
        let rows: Vec<Vec<u8>> = plane.chunks(row).map(<[u8]>::to_vec).collect();
        for (row, turned) in plane.chunks_mut(row).zip(rows.iter().rev()) {
            row.copy_from_slice(turned);
        }
    }
    bytes
}

/// The bytes of one stack: its weights, its bias, its padding.
pub(crate) struct Stack {
    pub(crate) weights: usize,
    pub(crate) bias: usize,
    pub(crate) padding: usize,
}

/// Stacks one after the other at the end of a file, each with its bias and padding, become all weights, then all biases.
pub(crate) fn stacks_apart(bytes: &[u8], count: usize, stack: &Stack) -> Vec<u8> {
    let &Stack { weights, bias, .. } = stack;
    let size = weights + bias + stack.padding;
    let (transformer, stacks) = bytes.split_at(bytes.len() - count * size);
    let stacks = || stacks.chunks_exact(size);
    transformer
        .iter()
        .chain(stacks().flat_map(|stack| &stack[..weights]))
        .chain(stacks().flat_map(|stack| &stack[weights..][..bias]))
        .copied()
        .collect()
}

/// The type of the numbers of a tensor.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    I8,
    I16,
    F32,
}

/// Tensors of LEB128 numbers become tensors of their types. Whole numbers are signed; floats are the unsigned numbers of their 32 bits.
pub(crate) fn from_leb128(bytes: &[u8], tensors: &[(Number, usize)]) -> Vec<u8> {
    let mut rest = bytes.iter().copied();
    let mut out = Vec::new();
    for &(number, count) in tensors {
        for _ in 0..count {
            match number {
                Number::I8 => out.extend(signed::<i8>(&mut rest).to_le_bytes()),
                Number::I16 => out.extend(signed::<i16>(&mut rest).to_le_bytes()),
                Number::F32 => out.extend(unsigned::<u32>(&mut rest).to_le_bytes()),
            }
        }
    }
    assert_eq!(rest.next(), None, "the file goes on");
    out
}

fn signed<T: TryFrom<i64>>(bytes: &mut impl Iterator<Item = u8>) -> T {
    let (number, bits) = leb128(bytes);
    let unused = 64 - bits;
    let number = (number << unused).cast_signed() >> unused;
    T::try_from(number).ok().expect("the number fits its type")
}

fn unsigned<T: TryFrom<u64>>(bytes: &mut impl Iterator<Item = u8>) -> T {
    let (number, _) = leb128(bytes);
    T::try_from(number).ok().expect("the number fits its type")
}

/// A number, and how many bits it has in the file.
fn leb128(bytes: &mut impl Iterator<Item = u8>) -> (u64, u32) {
    let (mut number, mut bits) = (0, 0);
    loop {
        let byte = bytes.next().expect("the file ends too early");
        number |= u64::from(byte & 127) << bits;
        bits += 7;
        if byte < 128 {
            return (number, bits);
        }
    }
}

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
