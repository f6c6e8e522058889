//! A network per feature set and per number of perspectives.

use nnue::{Architecture, Level, Network};

use crate::support::{Weights, network};

/// Runs a check on each of them, on every level.
macro_rules! on_every_feature_set {
    ($check:ident) => {
        $crate::feature_sets::on_every_level::<$crate::nets::OldKings>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::Stacked>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::Signature>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::Skip>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::Paired>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::OneSided>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::Threatened>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::OwnPairs>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::OneSidedPairs>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::PawnsOnly>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::Bytes>($check);
        $crate::feature_sets::on_every_level::<$crate::nets::AllBytes>($check);
    };
}

pub(crate) use on_every_feature_set;

pub(crate) fn on_every_level<A: Architecture>(check: fn(&Network<A>)) {
    let mut network = network::<A>(5, Weights::Wild);
    for level in Level::available() {
        network = network.with_level(level);
        check(&network);
    }
}
