//! What memory allows: reads a word of every cache line of the rows that a position needs, and nothing else.

use std::hint::black_box;

use crate::networks::{PolicyParams, ValueParams};
use crate::positions::Sample;

const LINE: usize = 64;

/// A byte of every line.
fn read(row: &[i8]) -> u64 {
    row.iter()
        .step_by(LINE)
        .fold(0, |sum, &byte| sum.wrapping_add(byte as u64))
}

fn rows<const W: usize>(weight: &[[i8; W]], rows: &[u32]) -> u64 {
    rows.iter()
        .fold(0, |sum, &row| sum.wrapping_add(read(&weight[row as usize])))
}

pub(crate) fn policy(params: &PolicyParams, sample: &Sample) {
    let active = rows(&*params.ft.weight, &sample.rows);
    let listed = sample.moves.iter().fold(active, |sum, &row| {
        sum.wrapping_add(read(&params.fc0.weight[0][row]))
    });
    black_box(listed);
}

pub(crate) fn policy_bytes(sample: &Sample) -> usize {
    sample.rows.len() * 16384 + sample.moves.len() * 8192
}

pub(crate) fn value(params: &ValueParams, sample: &Sample) {
    let active = rows(&*params.ft.weight, &sample.rows);
    let weights = params.fc0.weight[0].as_flattened().iter().step_by(LINE / 2);
    black_box(weights.fold(active, |sum, &weight| sum.wrapping_add(weight as u64)));
}

pub(crate) fn value_bytes(sample: &Sample) -> usize {
    sample.rows.len() * 8192 + 2 * 16 * 4096
}
