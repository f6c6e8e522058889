//! Source lines of the Python program.

use std::fmt;

use crate::name::shown;

/// A line of the Python source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// the path of the file
    pub file: String,
    /// line number, from 1
    pub number: u32,
    /// its text
    pub code: String,
}

impl Line {
    /// The line of the innermost function outside of PyTorch, from a Python stack trace:
    ///
    /// ```text
    ///   File "model.py", line 6, in forward
    ///     x = self.ft(stm).clamp(0, 1)
    ///   File ".../site-packages/torch/nn/modules/linear.py", line 134, in forward
    ///     return F.linear(input, self.weight, self.bias)
    /// ```
    pub fn of_trace(trace: &str) -> Option<Self> {
        let mut found = None;
        let mut lines = trace.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((file, rest)) = line
                .trim_start()
                .strip_prefix("File \"")
                .and_then(|rest| rest.split_once("\", line "))
            else {
                continue;
            };
            let digits = rest
                .split(|c: char| !c.is_ascii_digit())
                .next()
                .unwrap_or_default();
            let Ok(number) = digits.parse() else { continue };
            let code = lines
                .peek()
                .filter(|next| !next.trim_start().starts_with("File \""));
            let is_torch = file.starts_with("torch/") || file.contains("/torch/");
            if !is_torch {
                let code = code.map_or(String::new(), |code| code.trim().to_owned());
                found = Some(Self {
                    file: file.to_owned(),
                    number,
                    code,
                });
            }
        }
        found
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.rsplit('/').next().unwrap_or_default();
        write!(f, "{}:{}", shown(file), self.number)?;
        if self.code.is_empty() {
            Ok(())
        } else {
            write!(f, " `{}`", shown(&self.code))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_that_of_the_user() {
        let trace = "File \"/home/user/train/model.py\", line 6, in forward\n    x = s.ft(stm)\n  \
                     File \"/x/site-packages/torch/nn/modules/linear.py\", line 134, in forward\n    return F.linear(x)";
        let line = Line::of_trace(trace).expect("there is a line");
        assert_eq!(line.to_string(), "model.py:6 `x = s.ft(stm)`");
        assert_eq!(
            Line::of_trace("File \"torch/fx/x.py\", line 24, in f\n    g()"),
            None
        );
        assert_eq!(Line::of_trace("File \"a.py\", line x"), None);
        let bare = Line::of_trace("File \"a.py\", line 3, in f\nFile \"torch/b.py\", line 4, in g")
            .expect("a line");
        assert_eq!(bare.to_string(), "a.py:3");
    }
}
