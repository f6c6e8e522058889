nnue! {
    /// Fairy-Stockfish, crazyhouse; published networks have 512 in place of 64
    pub struct Crazyhouse = self::HalfKaPockets[55296, active 64] -> 64x2, psqt 8
        -> (16 -> 32 -> 1)x8 by self::by_pieces {
        format stockfish { features: 0x5F234CB8 }
    };
}
