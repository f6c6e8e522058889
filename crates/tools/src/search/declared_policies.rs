nnue! {
    /// Monty, April 2024
    pub struct Monty {
        from = subnets(Chess768[..], 64 x 8: f32);
        to = subnets(Chess768[..], 64 x 8: f32);
        output policy = dot(relu(from), relu(to)) + terms[6];
    }
}

nnue! {
    /// princhess, July 2026
    pub struct Princhess {
        square = subnets(Chess768[..], 64 x 8: i16 @ 256);
        piece = subnets(Chess768[..], 704 x 8: i16 @ 256);
        output policy = dot(relu(square), relu(piece)) - dot(relu(square), relu(piece));
    }
}
