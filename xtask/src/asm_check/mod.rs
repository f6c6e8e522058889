//! Checks that the kernels are compiled to the intended machine code.
//!
//! `nnue-runtime` (code compiled once for all networks) and specimens of code compiled per network
//! (`nnue-runtime/examples/specimens.rs`) are compiled as in a user's release build and disassembled: for
//! baseline x86-64 or, with the argument `aarch64` or `wasm`, for that target. The shell of every kernel and
//! level must contain the instruction that does the work, on registers of the level, and no call: an
//! operation that was not inlined is a call. Calls that report a broken invariant (an index out of range) are
//! allowed outside loops. In WebAssembly, where a block is placed inside the block that it leaves, such a
//! call may be listed within a loop; it is followed by `unreachable`.

mod listing;
mod rules;

use listing::{Function, Instruction};
use rules::{AARCH64, LevelRule, RULES, Rule, WASM, X86};

use crate::ci::foreign::variable;
use crate::repo::{self, Failure, Outcome};

/// In names of functions that hold a kernel at a level, the part after the path of the crate.
const SHELL: &str = "shell::<";

/// Functions that may be called outside loops: those that end the program, copies, and the shells of parts
/// that are separate functions. Each is listed by its plain and its mangled path.
const HARMLESS: &[&str] = &[
    "core::panicking::",
    "4core9panicking",
    "core::slice::index::",
    "4core5slice5index",
    "memcpy",
    "memset",
    "5level8dispatch",
    "5level11plain_shell",
    "level::plain_shell",
];

pub(crate) fn run(args: &[String]) -> Outcome {
    let (levels, target, objdump) = match args {
        [] => (X86, None, "objdump"),
        [name] if name == "aarch64" => (
            AARCH64,
            Some("aarch64-unknown-linux-gnu"),
            "aarch64-linux-gnu-objdump",
        ),
        [name] if name == "wasm" => (WASM, Some("wasm32-wasip1"), "llvm-objdump"),
        _ => return Err(Failure::new("the only arguments are `aarch64` and `wasm`")),
    };
    let functions = disassemble(objdump, target)?;

    let mut complaints = Vec::new();
    let shells = RULES
        .iter()
        .flat_map(|rule| levels.iter().map(move |level| (rule, level)));
    for (rule, level) in shells.filter(|(rule, level)| rule.has_shell(level)) {
        match judge(&functions, rule, level) {
            Ok(instructions) => println!(
                "{:<11} {:<28} {instructions:>5} instructions",
                level.name, rule.task
            ),
            Err(complaint) => {
                complaints.push(format!("{} at {}: {complaint}", rule.task, level.name))
            }
        }
    }
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(complaints.join("\n")))
    }
}

fn disassemble(objdump: &str, target: Option<&str>) -> Outcome<Vec<Function>> {
    let folder = repo::target_dir().join("asm");
    // One file per target, since cargo writes none if nothing has changed.
    let specimens = folder.join(format!("specimens-{}.o", target.unwrap_or("host")));
    let mut build = repo::cargo();
    build.args([
        "rustc",
        "--quiet",
        "--release",
        "-p",
        "nnue-runtime",
        "--example",
        "specimens",
    ]);
    build
        .args(target.map(|target| format!("--target={target}")))
        .env("CARGO_TARGET_DIR", &folder);
    // Same flags for both, so that the library is compiled once: one codegen unit, and v0 mangling, which
    // names the task.
    let flags = target.map_or_else(
        || "RUSTFLAGS".into(),
        |target| variable(target, "RUSTFLAGS"),
    );
    let given = std::env::var(&flags).unwrap_or_default();
    build
        .env(flags, format!("{given} -Csymbol-mangling-version=v0"))
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    // The object file, not the program: its relocations name the callees.
    build
        .arg("--")
        .arg(format!("--emit=obj={}", specimens.display()));
    repo::succeed(&mut build)?;
    let libraries = folder.join(target.unwrap_or_default()).join("release/deps");
    let library = repo::newest(&libraries, "libnnue_runtime-", ".rlib")?;
    let mut objdump = std::process::Command::new(objdump);
    objdump
        .args([
            "--disassemble",
            "--reloc",
            "--demangle",
            "--no-show-raw-insn",
        ])
        .args([library, specimens]);
    Ok(listing::parse(&repo::output(&mut objdump)?))
}

/// The number of instructions in the shells of a kernel, or what is wrong with one.
fn judge(functions: &[Function], rule: &Rule, level: &LevelRule) -> Result<usize, String> {
    let shells: Vec<&Function> = functions
        .iter()
        .filter(|function| is_shell(&function.name, rule, level))
        .collect();
    if shells.is_empty() {
        return Err("its shell is not in the program".into());
    }
    let (mnemonic, registers) = level.instruction(rule.work);
    shells
        .into_iter()
        .map(|shell| judge_shell(shell, &mnemonic, registers))
        .sum()
}

/// `..::dispatch::shell::<..::Avx2, specimens::Row>`, or `..::plain_shell::<..` for a level that all
/// processors have
fn is_shell(name: &str, rule: &Rule, level: &LevelRule) -> bool {
    let rest = [SHELL, level.token, rule.task]
        .iter()
        .try_fold(name, |name, part| Some(name.split_once(part)?.1));
    rest.is_some_and(|rest| rest.starts_with(['<', '>', ',']))
}

fn judge_shell(shell: &Function, mnemonic: &str, registers: &str) -> Result<usize, String> {
    let works = |part: &[Instruction]| {
        part.iter()
            .any(|i| i.mnemonic == mnemonic && i.operands.contains(registers))
    };
    let call = |part: &[Instruction]| listing::calls_that_return(part).map(str::to_owned).next();
    if !works(&shell.instructions) {
        return Err(format!("no `{mnemonic} {registers}`"));
    }
    let callees = shell.instructions.iter().filter_map(Instruction::callee);
    if let Some(callee) = callees
        .into_iter()
        .find(|callee| !HARMLESS.iter().any(|name| callee.contains(name)))
    {
        return Err(format!("it calls {callee}"));
    }
    let mut hot = shell
        .inner_loops()
        .into_iter()
        .map(|range| &shell.instructions[range])
        .filter(|part| works(part));
    match hot.find_map(call) {
        Some(callee) => Err(format!("its inner loop calls {callee}")),
        None => Ok(shell.instructions.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dot product in a loop that calls `inside`, followed by a call of `after`.
    fn listing(inside: &str, after: &str) -> Vec<Function> {
        let name = "runtime::simd::level::dispatch::shell::<runtime::simd::x86::avx2::Avx2, specimens::Row>";
        listing::parse(&format!(
            "0000000000000000 <{name}>:\n   0:\tvpmaddubsw (%rsi),%ymm1,%ymm0\n   9:\tcall   e <f>\n\t\t\ta: R_X86_64_PLT32\t{inside}-0x4\n  \
             e:\tjne    0 <f>\n  10:\tcall   15 <f>\n\t\t\t11: R_X86_64_PLT32\t{after}-0x4\n"
        ))
    }

    fn verdict(functions: &[Function], level: &str) -> Result<usize, String> {
        let rule = RULES
            .iter()
            .find(|rule| rule.task == "specimens::Row")
            .expect("a rule");
        judge(
            functions,
            rule,
            X86.iter().find(|rule| rule.name == level).expect("a level"),
        )
    }

    #[test]
    fn calls_are_found() {
        let operation = "core::core_arch::x86::avx2::_mm256_add_epi16";
        assert_eq!(
            verdict(&listing("memcpy", operation), "avx2"),
            Err(format!("it calls {operation}-0x4"))
        );
        assert_eq!(
            verdict(&listing("memcpy", "memcpy"), "avx2"),
            Err("its inner loop calls memcpy-0x4".into())
        );
    }

    #[test]
    fn calls_that_do_not_return_are_not_part_of_a_loop_of_wasm() {
        let listing = |after: &str| {
            listing::parse(&format!(
                "00000000 <plain_shell::<wasm::Simd128, rows::Pass>>:\n  1:\tloop    \t # label2:\n  2:\ti16x8.add\t\n  \
                 4:\tcall\t1\n\t\t\t00000005:  R_WASM_FUNCTION_INDEX_LEB\tcore::panicking::f+0\n  6:\t{after}\t\n  \
                 8:\tbr      \t0 # 0: up to label2\n"
            ))
        };
        assert_eq!(
            judge_shell(&listing("unreachable")[0], "i16x8.add", ""),
            Ok(5)
        );
        let complaint = "its inner loop calls core::panicking::f+0";
        assert_eq!(
            judge_shell(&listing("drop")[0], "i16x8.add", ""),
            Err(complaint.into())
        );
    }

    #[test]
    fn missing_instructions_and_shells_are_found() {
        let functions = listing("memcpy", "memcpy");
        assert_eq!(
            verdict(&functions, "avx512"),
            Err("its shell is not in the program".into())
        );
        assert_eq!(
            judge_shell(&functions[0], "vpdpbusd", "%ymm"),
            Err("no `vpdpbusd %ymm`".into())
        );
    }
}
