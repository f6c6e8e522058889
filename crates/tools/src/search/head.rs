//! `--head NAME=LAYER:NUMBERS` of `nnue import bullet`: an output beside the value.

use std::str::FromStr;

/// An output beside the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// what the output is called
    pub name: String,
    /// the layer, as its tensors are called: `l2` of `l2w` and `l2b`
    pub layer: String,
    /// the kind of its numbers
    pub is: HeadNumbers,
}

/// What an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadNumbers {
    /// so many numbers
    Numbers(u64),
    /// loss, draw and win
    Wdl,
    /// so many rows on demand
    Rows(u64),
}

impl FromStr for Head {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || {
            format!(
                "`{text}` is not of the form `NAME=LAYER:NUMBERS`, `NAME=LAYER:wdl` or `NAME=LAYER:rows:ROWS`"
            )
        };
        let (name, rest) = text.split_once('=').ok_or_else(form)?;
        let (layer, kind) = rest.split_once(':').ok_or_else(form)?;
        let number = |digits: &str| {
            digits
                .parse()
                .ok()
                .filter(|&number| number > 0)
                .ok_or_else(form)
        };
        let is = match kind.strip_prefix("rows:") {
            Some(rows) => HeadNumbers::Rows(number(rows)?),
            None if kind == "wdl" => HeadNumbers::Wdl,
            None => HeadNumbers::Numbers(number(kind)?),
        };
        if name.is_empty() || layer.is_empty() {
            return Err(form());
        }
        Ok(Self {
            name: name.to_owned(),
            layer: layer.to_owned(),
            is,
        })
    }
}

impl Head {
    /// Neurons of its layer.
    pub const fn neurons(&self) -> u64 {
        match self.is {
            HeadNumbers::Numbers(count) | HeadNumbers::Rows(count) => count,
            HeadNumbers::Wdl => 3,
        }
    }

    /// What its layer reads of a network with these accumulators.
    pub fn inputs(&self, hidden: &[u64], accumulators: u64) -> u64 {
        match self.is {
            HeadNumbers::Rows(_) => accumulators,
            HeadNumbers::Numbers(_) | HeadNumbers::Wdl => {
                hidden.last().copied().unwrap_or(accumulators)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_as_they_are_written() {
        let head = |name: &str, layer: &str, is| {
            Ok(Head {
                name: name.to_owned(),
                layer: layer.to_owned(),
                is,
            })
        };
        assert_eq!("wdl=l2:wdl".parse(), head("wdl", "l2", HeadNumbers::Wdl));
        assert_eq!(
            "moves_left=l3:1".parse(),
            head("moves_left", "l3", HeadNumbers::Numbers(1))
        );
        assert_eq!(
            "policy=p:rows:1880".parse(),
            head("policy", "p", HeadNumbers::Rows(1880))
        );
        for wrong in [
            "",
            "wdl",
            "wdl=l2",
            "=l2:wdl",
            "wdl=:wdl",
            "wdl=l2:0",
            "wdl=l2:rows",
            "wdl=l2:rows:x",
            "x=l2:-1",
        ] {
            let message = wrong.parse::<Head>().expect_err("no head");
            assert!(
                message.starts_with(&format!(
                    "`{wrong}` is not of the form `NAME=LAYER:NUMBERS`"
                )),
                "{message}"
            );
        }
    }
}
