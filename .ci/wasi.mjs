// Runs a program compiled for wasm32-wasip1: node wasi.mjs PROGRAM ARGUMENT...
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [, , program, ...args] = process.argv;
const wasi = new WASI({
  version: "preview1",
  args: [program, ...args],
  env: process.env,
  preopens: { "/": "/" },
  returnOnExit: true,
});
const module = await WebAssembly.compile(readFileSync(program));
// Not by process.exit, with which node 20.20 was seen to crash once, after the last line of the tests.
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
