nnue::nnue! {
    pub struct Sets = Chess768[..] + PawnPairs + PawnPairs + PawnPairs + PawnPairs + PawnPairs + PawnPairs + PawnPairs + PawnPairs
        + PawnPairs + PawnPairs + PawnPairs + PawnPairs + PawnPairs + PawnPairs + PawnPairs + HalfKP -> 64x2 -> 1;
}

fn main() {}
