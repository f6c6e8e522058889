//! Refuses weights that the kind of network does not use, because ignoring them would give wrong values.

use super::error::WeightsError;
use super::file::{self, ConvBlock};
use super::kind::Kind;

/// Field names of weights that belong to unsupported networks.
const NAMES: [(u64, &str); 26] = [
    (17, "ip2_pol_w"),
    (18, "ip2_pol_b"),
    (19, "ip3_pol_w"),
    (20, "ip3_pol_b"),
    (21, "pol_encoder"),
    (22, "ip4_pol_w"),
    (25, "ip_emb_w"),
    (26, "ip_emb_b"),
    (27, "encoder"),
    (29, "ip_val_w"),
    (30, "ip_val_b"),
    (31, "ip_mov_w"),
    (32, "ip_mov_b"),
    (33, "ip_mult_gate"),
    (34, "ip_add_gate"),
    (35, "smolgen_w"),
    (36, "smolgen_b"),
    (37, "ip_emb_preproc_w"),
    (38, "ip_emb_preproc_b"),
    (39, "ip_emb_ln_gammas"),
    (40, "ip_emb_ln_betas"),
    (41, "ip_emb_ffn"),
    (42, "ip_emb_ffn_ln_gammas"),
    (43, "ip_emb_ffn_ln_betas"),
    (44, "value_heads"),
    (45, "policy_heads"),
];

/// Refuses fields that no supported network has.
pub(super) fn unknown(weights: &file::Weights<'_>) -> Result<(), WeightsError> {
    let Some((at, number)) = weights.unknown else {
        return Ok(());
    };
    let name = NAMES.iter().find(|(known, _)| *known == number);
    Err(WeightsError::UnknownField {
        at,
        number,
        message: "the weights",
        name: name.map(|(_, name)| *name),
    })
}

/// Refuses weights that this kind of network does not use. The file is complete otherwise.
pub(super) fn check(weights: &file::Weights<'_>, kind: &Kind) -> Result<(), WeightsError> {
    if !kind.has_squeeze {
        squeeze(weights)?;
    }
    policy(weights, kind.has_policy_planes)?;
    if kind.has_moves_left {
        Ok(())
    } else {
        moves_left(weights)
    }
}

/// Refuses scale and shift of a batch norm without means and variances.
pub(super) fn norm(name: &str, block: &ConvBlock<'_>) -> Result<(), WeightsError> {
    let found = file::first(&[("bn_gammas", &block.gammas), ("bn_betas", &block.betas)]);
    found.map_or(Ok(()), |part| {
        let reason = "the convolution has no batch norm (`bn_means` and `bn_stddivs`)";
        Err(unused(format!("{name}.{part}"), reason))
    })
}

fn squeeze(weights: &file::Weights<'_>) -> Result<(), WeightsError> {
    for (index, block) in weights.residual.iter().enumerate() {
        if let Some(part) = block.se.and_then(|unit| unit.first()) {
            let reason =
                "the structure of the network is residual blocks without squeeze and excitation";
            return Err(unused(format!("residual[{index}].se.{part}"), reason));
        }
    }
    Ok(())
}

fn policy(weights: &file::Weights<'_>, has_planes: bool) -> Result<(), WeightsError> {
    let layer = file::first(&[
        ("ip_pol_w", &weights.ip_pol_w),
        ("ip_pol_b", &weights.ip_pol_b),
    ]);
    match (has_planes, layer, weights.policy1.first()) {
        (true, Some(name), _) => Err(unused(name.into(), "the policy is planes of moves")),
        (false, _, Some(part)) => {
            let reason = "the policy is a layer over 1858 moves";
            Err(unused(format!("policy1.{part}"), reason))
        }
        _ => Ok(()),
    }
}

fn moves_left(weights: &file::Weights<'_>) -> Result<(), WeightsError> {
    let reason = "the network has no head of moves left";
    let layers = file::first(&[
        ("ip1_mov_w", &weights.ip1_mov_w),
        ("ip1_mov_b", &weights.ip1_mov_b),
        ("ip2_mov_w", &weights.ip2_mov_w),
        ("ip2_mov_b", &weights.ip2_mov_b),
    ]);
    let block = weights.moves_left.first();
    let found = block
        .map(|part| format!("moves_left.{part}"))
        .or(layers.map(str::to_owned));
    found.map_or(Ok(()), |name| Err(unused(name, reason)))
}

fn unused(name: String, reason: &'static str) -> WeightsError {
    WeightsError::Unused { name, reason }
}
