//! The description of a network of subnets.

use crate::descriptor::{ElementType, FeatureSetId};
use crate::op::Activation;

/// Everything about a network of subnets except its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubnetsDesc<'a> {
    /// name of the declared type
    pub name: &'a str,
    /// the feature set that all subnets read
    pub set: FeatureSetId,
    /// last path segment of a set of the program; otherwise empty
    pub set_name: &'a str,
    /// type of the weights and biases: `f32`, or `i16`
    pub element: ElementType,
    /// the groups, in the order of the file
    pub groups: &'a [SubnetGroup<'a>],
    /// the products that are summed to a logit, in order
    pub products: &'a [SubnetProduct],
    /// number of terms that can be added to a logit
    pub terms: usize,
}

/// A group of subnets of one shape: `from = subnets(Chess768[..], 64 x 8: f32)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubnetGroup<'a> {
    /// the name in the declaration
    pub name: &'a str,
    /// how many subnets
    pub count: usize,
    /// neurons of each
    pub width: usize,
    /// scale of its sums; 1 for floats
    pub one: i32,
    /// the activation of its sums
    pub activation: Activation,
}

/// The product of a subnet of one group with one of another: `dot(relu(from), relu(to))`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubnetProduct {
    /// subtracted
    pub negative: bool,
    /// the groups, as indices into [`SubnetsDesc::groups`]
    pub groups: [usize; 2],
}

impl SubnetGroup<'_> {
    /// The scale of the activated sums; 1 for floats.
    pub const fn unit(&self) -> u64 {
        let one = self.one as u64;
        if matches!(self.activation, Activation::Screlu) {
            one * one
        } else {
            one
        }
    }

    /// Number of parameters of a subnet in the file: the weights of each row, then the biases.
    const fn numbers(&self, rows: usize) -> usize {
        (rows + 1) * self.width
    }
}

impl SubnetsDesc<'_> {
    /// Rows of the weight matrix of a subnet.
    pub const fn rows(&self) -> usize {
        self.set.rows()
    }

    /// Number of weights and biases of all subnets, without the terms.
    pub fn numbers(&self) -> usize {
        self.groups
            .iter()
            .map(|group| group.count * group.numbers(self.rows()))
            .sum()
    }

    /// The index of the first weight of subnet `subnet` of group `group` among [`Self::numbers`].
    pub fn first_number(&self, group: usize, subnet: usize) -> usize {
        let before = self.groups[..group]
            .iter()
            .map(|group| group.count * group.numbers(self.rows()));
        before.sum::<usize>() + subnet * self.groups[group].numbers(self.rows())
    }

    /// The scale of the sums of products; 1 for floats.
    pub fn unit(&self) -> f32 {
        let unit = |product: &SubnetProduct| product.groups.map(|group| self.groups[group].unit());
        let [a, b] = self.products.first().map_or([1, 1], unit);
        1.0 / (a * b) as f32
    }
}
