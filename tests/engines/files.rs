//! Files in which weights are packed for a processor, brought into the order of their axes.

/// Stormphrax packs its first layer: `[stack][input / 4][output][4]` becomes `[stack][output][input]`.
pub(crate) fn unpacked_stormphrax(mut bytes: Vec<u8>) -> Vec<u8> {
    const WIDTH: usize = 64;
    let start = 64 + 2 * 11264 * WIDTH + (4560 + 59808) * WIDTH + 2 * WIDTH;
    unpack(&mut bytes[start..], [8, WIDTH, 32]);
    bytes
}

/// Berserk counts squares from a8 and mirrors to files e to h: of each plane of 64 rows, the last comes first.
pub(crate) fn turned_berserk(mut bytes: Vec<u8>) -> Vec<u8> {
    const WIDTH: usize = 96;
    for plane in bytes[..2 * 12288 * WIDTH].chunks_mut(2 * 64 * WIDTH) {
        let rows: Vec<Vec<u8>> = plane.chunks(2 * WIDTH).map(<[u8]>::to_vec).collect();
        for (row, turned) in plane.chunks_mut(2 * WIDTH).zip(rows.iter().rev()) {
            row.copy_from_slice(turned);
        }
    }
    bytes
}

/// Unpacks the 8-bit weights of a layer at the start of `bytes`, with this number of stacks, inputs and outputs.
fn unpack(bytes: &mut [u8], [stacks, inputs, outputs]: [usize; 3]) {
    let packed = bytes[..stacks * inputs * outputs].to_vec();
    for stack in 0..stacks {
        for output in 0..outputs {
            for input in 0..inputs {
                let from = ((stack * inputs / 4 + input / 4) * outputs + output) * 4 + input % 4;
                bytes[(stack * outputs + output) * inputs + input] = packed[from];
            }
        }
    }
}
