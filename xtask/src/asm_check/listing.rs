//! Parses functions, instructions and loops from the output of `objdump --disassemble --reloc`.

use std::ops::Range;

pub(super) struct Function {
    /// demangled
    pub(super) name: String,
    pub(super) instructions: Vec<Instruction>,
}

pub(super) struct Instruction {
    address: u64,
    /// the mnemonic without prefixes such as `{vex}`
    pub(super) mnemonic: String,
    pub(super) operands: String,
    /// relocation symbol
    symbol: Option<String>,
}

impl Instruction {
    /// Parses `1e40:<tab>vpdpbusd (%rax),%zmm1,%zmm0`
    fn parse(line: &str) -> Option<Self> {
        let (address, rest) = line.trim_start().split_once(':')?;
        let address = u64::from_str_radix(address, 16).ok()?;
        let rest = rest
            .trim()
            .trim_start_matches("{vex} ")
            .trim_start_matches("{evex} ");
        let (mnemonic, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        Some(Self {
            address,
            mnemonic: mnemonic.into(),
            operands: operands.trim().into(),
            symbol: None,
        })
    }

    /// The callee of a call: its relocation symbol.
    pub(super) fn callee(&self) -> Option<&str> {
        let calls = self.mnemonic.starts_with("call") || ["bl", "blr"].contains(&&*self.mnemonic);
        calls.then_some(self.symbol.as_deref().unwrap_or(&self.operands))
    }

    /// The target of a direct jump, from the last operand: `1003 <name+0x3>`.
    fn jump_target(&self) -> Option<u64> {
        let jumps = self.mnemonic.starts_with('j')
            || self.mnemonic.starts_with("b.")
            || ["b", "cbz", "cbnz", "tbz", "tbnz"].contains(&&*self.mnemonic);
        let target =
            jumps.then(|| self.operands.split(" <").next()?.split_whitespace().last())??;
        u64::from_str_radix(target, 16).ok()
    }

    /// Whether this starts the WebAssembly loop `label`: `loop # label2:`.
    fn opens(&self, label: &str) -> bool {
        self.mnemonic == "loop"
            && self
                .operands
                .strip_suffix(':')
                .is_some_and(|name| name.ends_with(label))
    }
}

impl Function {
    /// The target of a backward jump at `end`.
    fn jumps_back_to(&self, end: usize) -> Option<usize> {
        let instruction = &self.instructions[end];
        if let Some((_, label)) = instruction.operands.rsplit_once(": up to ") {
            // WebAssembly: `br_if 0 # 0: up to label2`.
            return (0..end)
                .rev()
                .find(|&start| self.instructions[start].opens(label));
        }
        let target = instruction.jump_target()?;
        self.instructions[..=end]
            .binary_search_by_key(&target, |i| i.address)
            .ok()
    }

    /// The innermost loops: ranges that end with a jump to their first instruction and contain no other loop.
    pub(super) fn inner_loops(&self) -> Vec<Range<usize>> {
        let mut loops: Vec<Range<usize>> = Vec::new();
        for end in 0..self.instructions.len() {
            let Some(start) = self.jumps_back_to(end) else {
                continue;
            };
            if !loops
                .iter()
                .any(|inner| start <= inner.start && inner.end <= end)
            {
                loops.push(start..end + 1);
            }
        }
        loops
    }
}

/// The callees, except functions that never return, which WebAssembly marks by a following `unreachable`.
pub(super) fn calls_that_return(part: &[Instruction]) -> impl Iterator<Item = &str> {
    let next = part.iter().skip(1).map(Some).chain([None]);
    let returns = next.map(|next| next.is_none_or(|next| next.mnemonic != "unreachable"));
    part.iter()
        .zip(returns)
        .filter(|(_, returns)| *returns)
        .filter_map(|(instruction, _)| instruction.callee())
}

pub(super) fn parse(listing: &str) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for line in listing.lines() {
        if let Some(name) = heading(line) {
            functions.push(Function {
                name: name.into(),
                instructions: Vec::new(),
            });
        } else if let Some(function) = functions.last_mut() {
            match (relocation(line), function.instructions.last_mut()) {
                (Some(symbol), Some(instruction)) => instruction.symbol = Some(symbol.into()),
                _ => function.instructions.extend(Instruction::parse(line)),
            }
        }
    }
    functions
}

/// The name in `0000000000001e40 <name>:`.
fn heading(line: &str) -> Option<&str> {
    let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
    u64::from_str_radix(address, 16).ok().map(|_| name)
}

/// The symbol in `\t\t\t1e43: R_X86_64_PLT32\tmemset-0x4`.
fn relocation(line: &str) -> Option<&str> {
    line.split_once(':')?
        .1
        .trim_start()
        .strip_prefix("R_")?
        .split_once('\t')
        .map(|(_, symbol)| symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "\
0000000000001000 <crate::shell::<Task>>:
    1000:\txor    %eax,%eax
    1002:\tnop
    1003:\t{vex} vpdpbusd (%rsi),%ymm1,%ymm0
    1009:\tadd    $0x1,%rax
    100d:\tjne    1003 <crate::shell::<Task>+0x3>
    100f:\tjmp    1002 <crate::shell::<Task>+0x2>
    1011:\tcall   1016 <crate::shell::<Task>+0x16>
\t\t\t1012: R_X86_64_PLT32\tcore::core_arch::x86::avx2::_mm256_add_epi16-0x4
    1016:\tret

0000000000002000 <other>:
    2000:\tret
";

    #[test]
    fn functions_and_instructions_are_read() {
        let functions = parse(LISTING);
        assert_eq!(functions.len(), 2);
        assert_eq!(functions[0].name, "crate::shell::<Task>");
        assert_eq!(functions[0].instructions.len(), 8);
        assert_eq!(functions[0].instructions[2].mnemonic, "vpdpbusd");
        let call = &functions[0].instructions[6];
        assert!(
            call.callee()
                .is_some_and(|callee| callee.contains("core_arch"))
        );
    }

    #[test]
    fn calls_and_loops_of_aarch64_are_found() {
        let functions = parse(
            "0000000000000000 <f<A, B>>:\n   0:\tsdot\tv0.4s, v1.16b, v2.16b\n   4:\tcbz\tx9, c <f<A, B>+0xc>\n   \
             8:\tb.ne\t0 <f<A, B>>  // b.any\n   c:\tbl\t0 <memcpy>\n\t\t\tc: R_AARCH64_CALL26\tmemcpy\n",
        );
        assert_eq!(functions[0].inner_loops(), std::slice::from_ref(&(0..3)));
        assert_eq!(functions[0].instructions[3].callee(), Some("memcpy"));
    }

    #[test]
    fn calls_and_loops_of_wasm_are_found() {
        let functions = parse(
            "00000022 <t::f>:\n        .local i32, i32\n      27:      \tblock   \t\n      3c:      \tloop    \t                        \
             # label2:\n      49:      \ti32.eq  \n      4a:      \tbr_if   \t1                       # 1: down to label0\n      \
             69:      \tcall\t1\n\t\t\t0000006a:  R_WASM_FUNCTION_INDEX_LEB\tmemcpy+0\n      6f:      \tbr      \t0               \
             # 0: up to label2\n      74:      \tend\n",
        );
        assert_eq!(functions[0].inner_loops(), std::slice::from_ref(&(1..6)));
        assert_eq!(functions[0].instructions[2].mnemonic, "i32.eq");
        assert_eq!(functions[0].instructions[4].callee(), Some("memcpy+0"));
    }

    #[test]
    fn only_the_innermost_loops_are_found() {
        assert_eq!(
            parse(LISTING)[0].inner_loops(),
            std::slice::from_ref(&(2..5))
        );
        assert!(parse(LISTING)[1].inner_loops().is_empty());
    }
}
