//! Networks over lists of rows, described while the program runs.

use nnue::dynamic::{Network, RowsStack};
use nnue::rows::RowsShape;
use nnue::spec::NetDesc;

use crate::described;
use crate::failure::{Failure, Status};

/// The network of this name in a text, or the only one; its positions are lists of rows.
pub(crate) fn choose(text: &str, name: Option<&str>) -> Result<&'static NetDesc<'static>, Failure> {
    let net = described::choose(text, name)?;
    net.rows_shape().is_some().then_some(net).ok_or_else(|| {
        let message = format!(
            "positions of `{}` are no lists of rows: it is not declared over `rows[..]`; nnue_network_open_described opens networks of chess",
            net.name
        );
        Failure::new(Status::BadDeclaration, message)
    })
}

pub(crate) fn shape(network: &Network) -> Result<RowsShape<'static>, Failure> {
    network.rows_shape().ok_or_else(|| not_rows(network))
}

pub(crate) fn stack(network: &Network) -> Result<RowsStack, Failure> {
    RowsStack::new(network).ok_or_else(|| not_rows(network))
}

#[cold]
fn not_rows(network: &Network) -> Failure {
    let message = format!(
        "positions of `{}` are no lists of rows",
        network.spec().name
    );
    Failure::new(Status::BadArgument, message)
}
