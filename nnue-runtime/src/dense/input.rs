//! The input of a network over a dense input.

/// Numbers in the order of channels, rows and columns.
pub trait Input {
    /// The length of the input if a plane has `pixels` pixels.
    fn len(pixels: usize) -> usize;

    /// Pixel `pixel` of channel `channel`, if a plane has `pixels` pixels.
    fn get(&self, channel: usize, pixel: usize, pixels: usize) -> f32;
}

/// `input[C, H, W]` or `input[N]`: channel after channel, row after row.
impl<const N: usize> Input for [f32; N] {
    fn len(_pixels: usize) -> usize {
        N
    }

    #[inline]
    fn get(&self, channel: usize, pixel: usize, pixels: usize) -> f32 {
        self[channel * pixels + pixel]
    }
}

/// `planes[C, H, W]` of at most 64 squares: bit `row * W + column` of a word is one square, as in a
/// bitboard.
impl<const PLANES: usize> Input for [u64; PLANES] {
    fn len(pixels: usize) -> usize {
        if pixels <= 64 { PLANES * pixels } else { 0 }
    }

    #[inline]
    fn get(&self, channel: usize, pixel: usize, _pixels: usize) -> f32 {
        (self[channel] >> pixel & 1) as f32
    }
}

/// `planes[C, H, W]` of 65 to 128 squares.
impl<const PLANES: usize> Input for [u128; PLANES] {
    fn len(pixels: usize) -> usize {
        if pixels <= 128 { PLANES * pixels } else { 0 }
    }

    #[inline]
    fn get(&self, channel: usize, pixel: usize, _pixels: usize) -> f32 {
        (self[channel] >> pixel & 1) as f32
    }
}
