//! The reference interpreter of networks of subnets: plain loops in the order of operations of
//! [`subnets`](super). It shares no code with the kernels.

use alloc::vec::Vec;

use super::{Numbers, Parameters, SubnetsDesc};
use crate::op::Activation;
use crate::reference::Board;

/// The inputs of a move's logit: the subnets of each product, and the added terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// by product: the subnets of its first and second group
    pub subnets: Vec<[usize; 2]>,
    /// indices of the terms, in the order of their addition
    pub terms: Vec<usize>,
}

/// The logits of `moves` for the active `rows`, in any order.
///
/// # Panics
///
/// If there is no such row, subnet or term, or the parameters do not match the network.
pub fn evaluate(
    net: &SubnetsDesc<'_>,
    parameters: &Parameters,
    rows: &[usize],
    moves: &[Listed],
) -> Vec<f32> {
    assert_eq!(
        (parameters.numbers.len(), parameters.terms.len()),
        (net.numbers(), net.terms),
        "the parameters"
    );
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    let logit = |listed: &Listed| {
        assert_eq!(
            listed.subnets.len(),
            net.products.len(),
            "a pair of subnets for each product"
        );
        let product = match &parameters.numbers {
            Numbers::Floats(numbers) => of_floats(net, numbers, &rows, listed),
            Numbers::Whole(numbers) => of_whole_numbers(net, numbers, &rows, listed),
        };
        listed
            .terms
            .iter()
            .fold(product, |sum, &term| sum + parameters.terms[term])
    };
    moves.iter().map(logit).collect()
}

/// The active rows of a position for the side to move.
///
/// # Panics
///
/// If the set belongs to the program, or needs a king that is missing.
pub fn active_rows(net: &SubnetsDesc<'_>, board: &Board) -> Vec<usize> {
    crate::reference::rows_of_set(net.set, board, board.black_to_move)
}

/// The indices of the bias of neuron `k` and of its weights in the active rows.
fn places(
    net: &SubnetsDesc<'_>,
    group: usize,
    subnet: usize,
    rows: &[usize],
    k: usize,
) -> Vec<usize> {
    assert!(
        subnet < net.groups[group].count,
        "there are {} subnets, not {subnet}",
        net.groups[group].count
    );
    let (first, width) = (net.first_number(group, subnet), net.groups[group].width);
    assert!(
        rows.iter().all(|&row| row < net.rows()),
        "rows are below {}",
        net.rows()
    );
    core::iter::once(net.rows())
        .chain(rows.iter().copied())
        .map(|row| first + row * width + k)
        .collect()
}

fn of_floats(net: &SubnetsDesc<'_>, numbers: &[f32], rows: &[usize], listed: &Listed) -> f32 {
    let mut sum = 0.0;
    for (product, subnets) in net.products.iter().zip(&listed.subnets) {
        let [first, second] = product.groups;
        for k in 0..net.groups[first].width {
            let [a, b] = [(first, subnets[0]), (second, subnets[1])].map(|(group, subnet)| {
                let places = places(net, group, subnet, rows, k);
                let y = places[1..]
                    .iter()
                    .fold(numbers[places[0]], |sum, &place| sum + numbers[place]);
                let operation = net.groups[group]
                    .activation
                    .operation()
                    .and_then(|operation| operation.floats);
                (operation
                    .expect("a checked network has activations of floats")
                    .value)(y, y)
            });
            sum = if product.negative {
                sum - a * b
            } else {
                sum + a * b
            };
        }
    }
    sum
}

fn of_whole_numbers(
    net: &SubnetsDesc<'_>,
    numbers: &[i16],
    rows: &[usize],
    listed: &Listed,
) -> f32 {
    let mut sum = 0_i64;
    for (product, subnets) in net.products.iter().zip(&listed.subnets) {
        let [first, second] = product.groups;
        for k in 0..net.groups[first].width {
            let [a, b] = [(first, subnets[0]), (second, subnets[1])].map(|(group, subnet)| {
                let y = places(net, group, subnet, rows, k)
                    .iter()
                    .map(|&place| i64::from(numbers[place]))
                    .sum();
                activated(
                    net.groups[group].activation,
                    y,
                    net.groups[group].one.into(),
                )
            });
            sum = if product.negative {
                sum - a * b
            } else {
                sum + a * b
            };
        }
    }
    sum as f32 * net.unit()
}

fn activated(activation: Activation, y: i64, one: i64) -> i64 {
    match activation {
        Activation::Relu => y.max(0),
        Activation::Crelu => y.clamp(0, one),
        Activation::Screlu => y.clamp(0, one) * y.clamp(0, one),
        _ => unreachable!("a checked network has no other activation of whole numbers"),
    }
}
