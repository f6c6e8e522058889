//! What was found, and as the text of a declaration with comments.

use std::fmt;

/// Guesses that are listed beside the first.
pub(super) const LISTED: usize = 12;

/// The declarations that a file may have.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// bytes of the file, decompressed
    pub bytes: u64,
    /// guesses, the likeliest first; never none, and at most 13
    pub guesses: Vec<Guess>,
    /// how many more shapes have this size
    pub more: usize,
    /// what was assumed of the file, a line each
    pub assumed: Vec<String>,
    /// whether a header in the file identifies the network
    pub is_container: bool,
}

/// A declaration that reads the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// the declaration, which compiles
    pub declaration: String,
    /// its sizes as options of `nnue import net`, which choose it: `--width 64 --king-buckets 1 --output-buckets 8`; of a known
    /// network `--arch NAME`, of an engine its name
    pub shape: String,
    /// what speaks against it in the numbers of the file
    pub doubt: Option<String>,
    /// what an output of 1.0 is worth, also if it is a guess; `None` for networks that are known, and where the value is no
    /// multiple of the output
    pub scale: Option<f64>,
    /// what the file does not tell, and what would
    pub unknown: Vec<String>,
}

impl Found {
    /// The likeliest declaration.
    pub fn first(&self) -> &Guess {
        &self.guesses[0]
    }

    /// How many other shapes have the size of the file.
    pub fn others(&self) -> usize {
        self.guesses.len() - 1 + self.more
    }
}

/// The likeliest declaration, below comments that name the doubts, guesses and other shapes.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.first();
        if let Some(doubt) = &first.doubt {
            writeln!(f, "// doubtful: {doubt}")?;
        }
        for line in &self.assumed {
            writeln!(f, "// {line}")?;
        }
        for unknown in &first.unknown {
            writeln!(f, "// guessed: {unknown}")?;
        }
        self.write_others(f)?;
        if first.declaration.contains("subnets(") {
            writeln!(
                f,
                "// Next: evaluate moves by a program that says which subnets they have, and compare their logits with those of the engine."
            )?;
        } else if first.declaration.contains("self::") {
            writeln!(
                f,
                "// Next: evaluate positions by a program that has what `self::` names, and compare their values with those of the engine."
            )?;
        } else if !self.is_container {
            writeln!(
                f,
                "// Next: `nnue golden --declaration FILE --net NET`, and compare its values with those of the engine."
            )?;
        }
        f.write_str(&first.declaration)
    }
}

impl Found {
    fn write_others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = &self.guesses[1..];
        if others.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "// Other shapes of the same size, which values of the engine tell apart:"
        )?;
        for Guess { shape, doubt, .. } in others {
            let doubt = doubt.as_ref().map_or("", |_| ", doubtful");
            writeln!(f, "//   {shape}{doubt}")?;
        }
        match self.more {
            0 => Ok(()),
            more => writeln!(f, "//   and {more} more"),
        }
    }
}
