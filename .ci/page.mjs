// Opens the demonstration page in a headless browser and plays on it: node .ci/page.mjs PAGE PROGRAM COMMAND
//
// After each step the value on the page must be what the command `nnue` says about the position on the page, and what each piece contributes
// what the command says less what it says without the piece; the same of a network in a file that is dropped on the page. The browser is
// driven through chromedriver, in the protocol WebDriver.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , page, program, command] = process.argv;
const profile = mkdtempSync(join(tmpdir(), "nnue-page-"));

const second = join(profile, "second.nnue");
const files = {
  "/": [page, "text/html"],
  "/nnue_web.wasm": [program, "application/wasm"],
  "/second.nnue": [second, "application/octet-stream"],
};
const server = createServer((request, response) => {
  const [file, type] = files[request.url] ?? [];
  response.writeHead(file ? 200 : 404, { "content-type": type ?? "text/plain" });
  response.end(file ? readFileSync(file) : "");
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

const driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
const port = await new Promise((found, failed) => {
  let said = "";
  driver.stdout.on("data", (part) => {
    const match = (said += part).match(/started successfully on port (\d+)/);
    if (match) found(match[1]);
  });
  driver.on("exit", () => failed(new Error(`chromedriver ended: ${said}`)));
});

async function webdriver(method, path, body) {
  const content = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...content });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${path}: ${value.message}`);
  return value;
}

const flags = [
  "headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "disable-quic", "no-first-run", "disable-background-networking",
  "disable-component-update", "disable-sync", "window-size=800,1000", `user-data-dir=${profile}`,
];
const chrome = { "goog:chromeOptions": { binary: "/usr/bin/chromium", args: flags.map((flag) => `--${flag}`) } };
let session;

const script = (text, ...args) => webdriver("POST", `${session}/execute/sync`, { script: text, args });
const text = (id) => script("const e = document.getElementById(arguments[0]); return e.value ?? e.textContent", id);
const actions = (...steps) =>
  webdriver("POST", `${session}/actions`, { actions: [{ type: "pointer", id: "mouse", actions: steps }] });
const [down, up] = [{ type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];

async function over(id) {
  const [x, y] = await script(
    "const r = document.getElementById(arguments[0]).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]", id);
  return { type: "pointerMove", x: Math.round(x), y: Math.round(y) };
}
const click = async (id) => actions(await over(id), down, up);
const drag = async (from, to) => actions(await over(from), down, await over(to), up);

// What the command says about positions, `["+24", "white"]`, by its own network or by that of a file.
function commandSays(fens, net = []) {
  const positions = fens.flatMap((fen) => ["--fen", fen]);
  const said = execFileSync(command, ["eval", ...net, ...positions], { encoding: "utf8" });
  return [...said.matchAll(/^value +(\S+) for (white|black)/gm)].map((match) => match.slice(1, 3));
}
const ofSecond = ["--net", second, "--arch", "sfnnv1"];

// A file of a network with the declaration SFNNv1, as docs/file-formats.md has it, all of whose weights are by chance.
function network() {
  let state = 1;
  const chance = (most) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 16) % (2 * most + 1) - most;
  const [rows, width, layers] = [41024, 256, [[512, 32], [32, 32], [32, 1]]];
  const transformer = (0x5d69d5b8 ^ 512) >>> 0;
  let stack = (0xec42e90d ^ 512) >>> 0;
  layers.forEach(([, outputs], layer) => {
    stack = (((0xcc03dae4 + outputs) >>> 0) ^ (stack >>> 1) ^ (stack << 31)) >>> 0;
    if (layer < layers.length - 1) stack = (stack + 0x538d24c7) >>> 0;
  });
  const parts = [Uint32Array.of(0x7af32f16, (transformer ^ stack) >>> 0, 0, transformer)];
  parts.push(Int16Array.from({ length: width }, () => 40 + chance(20)), Int16Array.from({ length: rows * width }, () => chance(30)));
  parts.push(Uint32Array.of(stack));
  for (const [inputs, outputs] of layers) {
    parts.push(Int32Array.from({ length: outputs }, () => 1000 + chance(1000)), Int8Array.from({ length: inputs * outputs }, () => chance(40)));
  }
  return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer)));
}

// The position without the piece on a square, and nothing where there is none or a king.
function without(fen, square) {
  const [board, ...rest] = fen.split(" ");
  const ranks = board.split("/").map((rank) => [...rank.replace(/\d/g, (empty) => " ".repeat(empty))]);
  const [rank, file] = [8 - square[1], "abcdefgh".indexOf(square[0])];
  if (" kK".includes(ranks[rank][file])) return null;
  ranks[rank][file] = " ";
  return [ranks.map((rank) => rank.join("").replace(/ +/g, (empty) => empty.length)).join("/"), ...rest].join(" ");
}

// What every piece of the position on the page contributes is what the command says.
async function compareContributions(step, contribution) {
  const fen = await text("fen");
  const squares = [..."abcdefgh"].flatMap((file) => [..."12345678"].map((rank) => file + rank));
  const positions = squares.map((square) => without(fen, square));
  const expected = contribution([fen, ...positions.filter((position) => position)]);
  assert.ok(new Set(expected).size > expected.length / 2, `${step}: pieces differ, ${expected}`);
  const parts = await script("return arguments[0].map((id) => document.getElementById(id).dataset.part ?? null)", squares);
  let next = 1;
  squares.forEach((square, index) => {
    const part = positions[index] && expected[0] - expected[next++];
    assert.equal(parts[index] === null ? null : Number(parts[index]), part, `${step}: ${square} in ${fen}`);
  });
  console.log(`${step.padEnd(22)} ${String(next - 1).padStart(5)} pieces of ${fen}`);
}

// The values for white.
const forWhite = (said) => said.map(([value, side]) => (side === "white" ? Number(value) : -Number(value)));
const first = (fens) => forWhite(commandSays(fens));
const other = (fens) => forWhite(commandSays(fens, ofSecond));
const difference = (fens) => {
  const values = first(fens);
  return other(fens).map((value, index) => value - values[index]);
};

async function compare(step, piecesOfFen) {
  const [fen, value, whose] = [await text("fen"), await text("value"), await text("whose")];
  assert.equal(fen.split(" ").slice(0, 2).join(" "), piecesOfFen, step);
  const [[expected, side]] = commandSays([fen]);
  assert.equal(Number(value), Number(expected), `${step}: value of ${fen}`);
  assert.equal(whose, `for ${side}, who moves`, step);
  console.log(`${step.padEnd(22)} ${value.padStart(5)}  ${fen}`);
  return value;
}

async function play() {
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
  await webdriver("POST", `${session}/url`, { url: `http://127.0.0.1:${server.address().port}/` });
  for (let waited = 0; !(await text("status")).includes("nodes per second"); waited++) {
    assert.ok(waited < 300, `the page says: ${await text("status")}`);
    await new Promise((later) => setTimeout(later, 100));
  }
  const first = await compare("start", start);
  await click("e2");
  await click("e4");
  const second = await compare("e2 e4, two clicks", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
  assert.notEqual(first, second, "a move changes the value");
  await drag("d7", "d5");
  await compare("d7 d5, dragged", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w");
  await drag("e4", "d5");
  await compare("a capture", "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b");
  await drag("e8", "e6");
  await compare("an illegal move", "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b");
  await click("back");
  await compare("taken back", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w");
  const set = "const e = document.getElementById('fen'); e.value = arguments[0]; e.dispatchEvent(new Event('change'))";
  await script(set, "r3k2r/8/8/8/8/8/1p5P/4K2R w Kkq - 0 1");
  await drag("e1", "g1");
  await compare("castling", "r3k2r/8/8/8/8/8/1p5P/5RK1 b");
  await drag("b2", "b1");
  await compare("a promotion", "r3k2r/8/8/8/8/8/7P/1q3RK1 w");
  await script(set, "no position");
  assert.equal(await text("status"), "this is no legal position");
  await click("new");
  assert.equal(await compare("new game", start), first);

  const status = await text("status");
  console.log(status);
  await networks();
  const [, thousands, level] = status.match(/^(\d+) thousand nodes per second, level (\w+)$/);
  assert.ok(Number(thousands) > 0, status);
  assert.equal(level, "simd128");
}

// Drops a file on the page and waits until the page says something else.
async function drop(name, content) {
  const steps = `
    const data = new DataTransfer();
    const content = arguments[1] === null ? await (await fetch("/second.nnue")).arrayBuffer() : arguments[1];
    data.items.add(new File([content], arguments[0]));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));`;
  await webdriver("POST", `${session}/execute/async`, { script: `(async () => {${steps}})().then(arguments[2])`, args: [name, content] });
  for (let waited = 0; waited < 300; waited++) {
    const said = await text("status");
    if (said.startsWith(name)) return said;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`${name} was dropped, and the page says: ${await text("status")}`);
}

const choose = (shown) =>
  script("const e = document.getElementById('shown'); e.value = arguments[0]; e.dispatchEvent(new Event('change'))", shown);

// Contributions of pieces, a file that is dropped, two networks beside each other.
async function networks() {
  const set = "const e = document.getElementById('fen'); e.value = arguments[0]; e.dispatchEvent(new Event('change'))";
  await script(set, "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5");
  await compareContributions("contributions", first);
  await click("d2");
  await click("d3");
  await compareContributions("after a move", first);

  assert.match(await drop("letter.nnue", "Dear network"), /^letter\.nnue: .*(not|no) /);
  assert.equal(await script("return document.getElementById('second').hidden"), true);
  writeFileSync(second, network());
  assert.equal(await drop("second.nnue", null), "second.nnue is loaded");
  const [[value]] = commandSays([await text("fen")], ofSecond);
  assert.equal(await text("second"), `${value} by the second network, second.nnue (sfnnv1)`);
  for (const [shown, contribution] of [["second", other], ["difference", difference]]) {
    await choose(shown);
    await compareContributions(shown, contribution);
  }
  await click("keep");
  assert.equal(Number(await text("value")), Number(value), "the second network became the first");
  assert.equal(await text("shown"), "first");
  await compareContributions("kept", other);
  await choose("none");
  assert.equal(await script("return document.querySelectorAll('[data-part]').length"), 0);
}

try {
  const capabilities = { alwaysMatch: { browserName: "chrome", ...chrome } };
  const { sessionId, capabilities: browser } = await webdriver("POST", "/session", { capabilities });
  session = `/session/${sessionId}`;
  console.log(`${browser.browserName} ${browser.browserVersion}`);
  await play();
} finally {
  if (session) await webdriver("DELETE", session).catch(() => {});
  driver.removeAllListeners("exit").kill();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}
