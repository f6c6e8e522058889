//! The loops that engines of this kind have: rows are added one after the other, and everything is left to the compiler.

use crate::networks::{PolicyParams, ValueParams};
use crate::positions::Sample;

/// 1.0 in the accumulator.
const ONE: i16 = 128;

/// `bias + rows`
fn accumulate<const W: usize>(bias: &[i16; W], weight: &[[i8; W]], rows: &[u32]) -> Box<[i16; W]> {
    let mut acc = Box::new(*bias);
    for &row in rows {
        for (sum, &weight) in acc.iter_mut().zip(&weight[row as usize]) {
            *sum += i16::from(weight);
        }
    }
    acc
}

/// The products of the two halves, shifted.
fn products<const H: usize>(acc: &[i16], shift: u32) -> Box<[i16; H]> {
    let mut hidden = Box::new([0; H]);
    let (first, second) = acc.split_at(H);
    for ((x, &a), &b) in hidden.iter_mut().zip(first).zip(second) {
        let (a, b) = (a.clamp(0, ONE), b.clamp(0, ONE));
        *x = ((i32::from(a) * i32::from(b)) >> shift) as i16;
    }
    hidden
}

/// The logits of the moves.
pub(crate) fn policy(params: &PolicyParams, sample: &Sample) -> Vec<f32> {
    let acc = accumulate::<16384>(&params.ft.bias[0], &*params.ft.weight, &sample.rows);
    let hidden = products::<8192>(&*acc, 2);
    let unit = 4.0 / (128 * 128 * 128) as f32;
    let logit = |&row: &usize| {
        let mut sum = params.fc0.bias[0][row];
        for (&x, &weight) in hidden.iter().zip(&params.fc0.weight[0][row]) {
            sum += i32::from(x) * i32::from(weight);
        }
        sum as f32 * unit
    };
    sample.moves.iter().map(logit).collect()
}

/// The logits of moves from one square to another; each subnet that they name is computed once.
pub(crate) fn subnets(numbers: &[f32], terms: &[f32], sample: &Sample) -> Vec<f32> {
    const SQUARES: usize = 64;
    let (rows, _) = numbers.as_chunks::<8>();
    let mut known = [None; 2 * SQUARES];
    let mut subnet = |number: usize| {
        *known[number].get_or_insert_with(|| {
            let weights = &rows[number * 769..][..769];
            let mut sums = weights[768];
            for &row in &sample.rows {
                for (sum, &weight) in sums.iter_mut().zip(&weights[row as usize]) {
                    *sum += weight;
                }
            }
            sums.map(|sum| sum.max(0.0))
        })
    };
    let logit = |&mv: &usize| {
        let (from, to) = (subnet(mv / SQUARES), subnet(SQUARES + mv % SQUARES));
        let mut sum = 0.0;
        for (&a, &b) in from.iter().zip(&to) {
            sum += a * b;
        }
        sum + terms[0]
    };
    sample.moves.iter().map(logit).collect()
}

/// The weights of the layers of floats, inputs first, as engines keep them.
pub(crate) struct Layers {
    first: Vec<[f32; 128]>,
    second: Vec<[f32; 3]>,
}

impl Layers {
    pub(crate) fn new(params: &ValueParams) -> Self {
        let first =
            (0..16).map(|input| std::array::from_fn(|output| params.fc1.weight[0][output][input]));
        let second =
            (0..128).map(|input| std::array::from_fn(|output| params.fc2.weight[0][output][input]));
        Self {
            first: first.collect(),
            second: second.collect(),
        }
    }
}

/// The outputs for a loss, a draw and a win.
pub(crate) fn value(params: &ValueParams, layers: &Layers, sample: &Sample) -> [f32; 3] {
    let acc = accumulate::<8192>(&params.ft.bias[0], &*params.ft.weight, &sample.rows);
    let hidden = products::<4096>(&*acc, 0);
    let unit = 1.0 / (128 * 128 * 1024) as f32;
    let mut h1 = [0.0; 16];
    for ((y, row), bias) in h1
        .iter_mut()
        .zip(&params.fc0.weight[0])
        .zip(&params.fc0.bias[0])
    {
        let mut sum = 0;
        for (&x, &weight) in hidden.iter().zip(row) {
            sum += i32::from(x) * i32::from(weight);
        }
        *y = screlu(sum as f32 * unit + bias);
    }
    let h2 = dense(&params.fc1.bias[0], &layers.first, &h1).map(screlu);
    dense(&params.fc2.bias[0], &layers.second, &h2)
}

fn screlu(y: f32) -> f32 {
    let clipped = y.clamp(0.0, 1.0);
    clipped * clipped
}

fn dense<const OUT: usize>(bias: &[f32; OUT], weights: &[[f32; OUT]], x: &[f32]) -> [f32; OUT] {
    let mut sums = *bias;
    for (x, row) in x.iter().zip(weights) {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += x * weight;
        }
    }
    sums
}
