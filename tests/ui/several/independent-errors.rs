//! One compile reports every independent error, of the syntax and of the meaning.
use nnue::{AccumulatorStack, Network};

nnue::nnue! {
    pub struct Words = HalfKAv2hm[..] -> 1000x2 pairwize -> (16 -> 32 -> 1)x40;

    pub struct Clauses {
        acc = accumulate(HalfKAv2_hm[..] 1024) x 2;
        let x = crelu(acc)
        let h1 = affine(x, 16);
        ouput affine(crelu(h1), 1);
        format stockfish { versoin: 1 }
    }

    pub struct Fine = HalfKP[..] -> 256x2 -> 32 -> 32 -> 1;
}

// No error follows from those above: what was declared exists, weights and all.
fn main() {
    let network = Network::<Words>::open("words.nnue").unwrap();
    let _: &WordsParams = network.params();
    let _: Option<ClausesNetwork> = None;
    let _ = AccumulatorStack::<Clauses>::new();
    let _ = Network::<Fine>::open("fine.nnue");
}
