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
import { dirname, join } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";

const [, , page, program, command] = process.argv;
const profile = mkdtempSync(join(tmpdir(), "nnue-page-"));

const reference = join(dirname(page), "board.png");
const second = join(profile, "second.nnue");
const files = {
  "/": [page, "text/html"],
  "/nnue_web.wasm": [program, "application/wasm"],
  "/second.nnue": [second, "application/octet-stream"],
};
// A network that arrives slowly: the first chunks, and the others when `release` is called; cut off in `/cut.nnue`.
let release = null;
async function slowly(response, isCut) {
  const bytes = readFileSync(second);
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": bytes.length });
  const chunk = 1 << 16;
  for (let at = 0; at < bytes.length; at += chunk) {
    if (at === 100 * chunk) {
      if (isCut) return response.destroy();
      await new Promise((released) => (release = released));
    }
    await new Promise((written) => response.write(bytes.subarray(at, at + chunk), written));
  }
  response.end();
}

// The page in a browser that cannot wait for promises in a program, and with the program's memory within reach.
const variants = {
  "/whole": "delete WebAssembly.Suspending;",
  "/watched": `const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...given) => {
      const made = await instantiate(...given);
      window.memory = made.instance.exports.memory;
      return made;
    };`,
};

const server = createServer((request, response) => {
  if (["/slow.nnue", "/cut.nnue"].includes(request.url)) return slowly(response, request.url === "/cut.nnue");
  const path = new URL(request.url, "http://page").pathname;
  if (path in variants) {
    response.writeHead(200, { "content-type": "text/html" });
    return response.end(readFileSync(page, "utf8").replace("<script", `<script>${variants[path]}</script><script`));
  }
  const [file, type] = files[path] ?? [];
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
    "const e = document.getElementById(arguments[0]); e.scrollIntoView({ block: 'nearest' }); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]", id);
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

// Opens the page and waits until it says this.
async function open(hash, said = "nodes per second") {
  await webdriver("POST", `${session}/url`, { url: "about:blank" });
  await webdriver("POST", `${session}/url`, { url: `http://127.0.0.1:${server.address().port}/${hash}` });
  for (let waited = 0; !(await text("status")).includes(said); waited++) {
    assert.ok(waited < 300, `the page says: ${await text("status")}`);
    await new Promise((later) => setTimeout(later, 100));
  }
}

// The picture of the board, in both colour schemes and in a narrow window: all squares have the same size, each is of its colour where it
// belongs, and the whole is like the picture of reference.
async function picture() {
  await choose("none");
  for (const [scheme, width] of [["light", 800], ["dark", 800], ["light", 500]]) {
    await webdriver("POST", `${session}/goog/cdp/execute`, {
      cmd: "Emulation.setEmulatedMedia", params: { features: [{ name: "prefers-color-scheme", value: scheme }] },
    });
    await webdriver("POST", `${session}/window/rect`, { width, height: 1000 });
    const paper = await script("return getComputedStyle(document.body).backgroundColor");
    assert.equal(paper === "rgb(28, 28, 28)", scheme === "dark", `${scheme}: ${paper}`);
    const board = decode(Buffer.from(await screenshot("board"), "base64"));
    squaresOf(board);
    const reduced = reduce(board, 8);
    if (process.env.NNUE_BLESS && scheme === "light" && width === 800) writeFileSync(reference, encode(reduced));
    likeReference(reduced, decode(readFileSync(reference)), `${scheme}, ${width} wide`);
  }
  await webdriver("POST", `${session}/window/rect`, { width: 800, height: 1000 });
  await choose("first");
}

async function screenshot(id) {
  const element = await webdriver("POST", `${session}/element`, { using: "css selector", value: `#${id}` });
  return webdriver("GET", `${session}/element/${Object.values(element)[0]}/screenshot`);
}

// In each of eight equal ranks and files, the corners of a square have its colour.
function squaresOf(board) {
  assert.ok(Math.abs(board.width - board.height) <= 1, `the board is ${board.width} by ${board.height} pixels`);
  const colors = { light: [240, 217, 181], dark: [181, 136, 99] };
  const [width, height] = [board.width / 8, board.height / 8];
  for (let place = 0; place < 64; place++) {
    const [file, rank] = [place % 8, Math.floor(place / 8)];
    const color = (file + rank) % 2 ? "dark" : "light";
    for (const [right, low] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      const x = Math.round((file + right) * width) + (right ? -4 : 3);
      const y = Math.round((rank + low) * height) + (low ? -4 : 3);
      const found = board.pixel(x, y);
      assert.ok(difference3(found, colors[color]) < 12, `${"abcdefgh"[file]}${8 - rank} is not ${color} at ${x}, ${y} of the board: ${found}`);
    }
  }
}

const difference3 = (one, other) => Math.max(...[0, 1, 2].map((part) => Math.abs(one[part] - other[part])));

// A picture of `size` by `size` pixels for each square, means of its parts.
function reduce(board, size) {
  const side = 8 * size;
  const data = Buffer.alloc(3 * side * side);
  const edge = (at, length) => Math.floor((at * length) / side);
  for (let at = 0; at < side * side; at++) {
    const [column, row] = [at % side, Math.floor(at / side)];
    const sum = [0, 0, 0];
    let count = 0;
    for (let y = edge(row, board.height); y < edge(row + 1, board.height); y++) {
      for (let x = edge(column, board.width); x < edge(column + 1, board.width); x++, count++) {
        board.pixel(x, y).forEach((value, part) => (sum[part] += value));
      }
    }
    sum.forEach((value, part) => (data[3 * at + part] = Math.round(value / count)));
  }
  return image(side, side, 3, data);
}

// Fonts differ between machines, so pieces may differ a little: a square by an eighth of the range, the board by a sixteenth.
function likeReference(found, expected, what) {
  assert.equal(found.width, expected.width, "the picture of reference has another size");
  const size = found.width / 8;
  const squares = new Array(64).fill(0);
  for (let at = 0; at < found.width ** 2; at++) {
    const [x, y] = [at % found.width, Math.floor(at / found.width)];
    squares[8 * Math.floor(y / size) + Math.floor(x / size)] += difference3(found.pixel(x, y), expected.pixel(x, y)) / size ** 2;
  }
  const worst = Math.max(...squares);
  const mean = squares.reduce((sum, square) => sum + square) / 64;
  const square = "abcdefgh"[squares.indexOf(worst) % 8] + (8 - Math.floor(squares.indexOf(worst) / 8));
  assert.ok(worst < 32 && mean < 16, `${what}: the board differs from ${reference} by ${mean.toFixed(1)}, ${square} by ${worst.toFixed(1)}`);
  console.log(`picture, ${what}: differs by ${mean.toFixed(1)} of 255, most in ${square}, by ${worst.toFixed(1)}`);
}

const image = (width, height, parts, data) => ({
  width, height, parts, data, pixel: (x, y) => [0, 1, 2].map((part) => data[parts * (y * width + x) + part]),
});

// A PNG of 8 bits a part without interlacing, which is what browsers write.
function decode(png) {
  const [width, height, depth, color] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  assert.ok(depth === 8 && (color === 2 || color === 6), `a PNG of ${depth} bits, type ${color}`);
  const parts = color === 2 ? 3 : 4;
  const chunks = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") chunks.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(chunks));
  const [line, data] = [parts * width, Buffer.alloc(parts * width * height)];
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x++) {
      const left = x >= parts ? data[y * line + x - parts] : 0;
      const above = y > 0 ? data[(y - 1) * line + x] : 0;
      const corner = x >= parts && y > 0 ? data[(y - 1) * line + x - parts] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      data[y * line + x] = raw[y * (line + 1) + 1 + x] + guess;
    }
  }
  return image(width, height, parts, data);
}

function paeth(left, above, corner) {
  const distances = [left, above, corner].map((value) => Math.abs(left + above - corner - value));
  return [left, above, corner][distances.indexOf(Math.min(...distances))];
}

function encode({ width, height, parts, data }) {
  const lines = Array.from({ length: height }, (_, y) => [Buffer.of(0), data.subarray(y * width * parts, (y + 1) * width * parts)]);
  const chunk = (name, content) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(lines.flat()))), chunk("IEND", Buffer.alloc(0))]);
}

// The position of the address is shown, and that of the board is in the address.
async function address(start) {
  await open("#4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1");
  await compare("of the address", "4k3/8/8/8/8/8/4P3/4K3 w");
  await drag("e2", "e4");
  const hash = await script("return location.hash");
  assert.equal(hash.split("_")[0], "#4k3/8/8/8/4P3/8/8/4K3");
  await open("#nonsense", "no legal position");
  await compare("no position there", start);
}

// A move by keys alone, which a screen reader follows.
async function keys() {
  const key = (value) => webdriver("POST", `${session}/actions`, {
    actions: [{ type: "key", id: "keyboard", actions: [{ type: "keyDown", value }, { type: "keyUp", value }] }],
  });
  const [enter, up, left] = ["\uE007", "\uE013", "\uE012"];
  await click("new");
  await script("document.querySelector('#board [tabindex=\"0\"]').focus()");
  const label = () => script("return document.activeElement.ariaLabel");
  assert.match(await label(), /^e2 white pawn, contributes \+\d+$/);
  for (const pressed of [left, enter, up, up]) await key(pressed);
  assert.equal(await label(), "d4 empty");
  await key(enter);
  await compare("d2 d4, by keys", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b");
  assert.match(await label(), /^d4 white pawn, contributes [+-]?\d+$/);
}

// A game in PGN with all that they have, its curve, and a place in it.
async function game() {
  const pgn = `[Event "a [game]"]
[Result "1-0"]

1. e4 {[%eval 0.3] a comment} e5 2. Nf3 $1 (2. f4 exf4 (2... d5)) Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O ; the rest
% escaped
f6 6. d4 exd4 7. Nxd4 c5 8. Nb3 Qxd1 9. Rxd1 1-0`;
  const show = (text) => script("document.querySelector('details').open = true; document.getElementById('game').value = arguments[0]", text);
  await show(pgn);
  await click("read");
  assert.equal(await text("status"), "17 half moves");
  await compare("a game", "r1b1kbnr/1pp3pp/p4p2/2p5/4P3/1N6/PPP2PPP/RNBR2K1 b");
  const points = await script("return document.querySelector('#curve polyline').getAttribute('points').split(' ').length");
  assert.equal(points, 18, "a point for each position");
  const left = await script("return Math.round(document.getElementById('curve').getBoundingClientRect().x)");
  await actions({ ...(await over("curve")), x: left + 2 }, down, up);
  await compare("its beginning", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w");
  await show("1. e4 e5 2. Ke3");
  await click("read");
  assert.equal(await text("status"), "`Ke3` is no move after 2 half moves");
  await compare("as far as it goes", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w");
}

async function play() {
  const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
  await open("");
  await picture();
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
  for (const [piece, board] of [["n", "1n3RK1"], ["q", "1q3RK1"]]) {
    await drag("b2", "b1");
    assert.equal(await script("return document.activeElement.id"), "promote-q", "the choice has the focus");
    await click(`promote-${piece}`);
    await compare("a promotion", `r3k2r/8/8/8/8/8/7P/${board} w`);
    if (piece === "n") await click("back");
  }
  for (const [fen, fault] of FAULTS) {
    await script(set, fen);
    assert.equal(await text("status"), `this is no legal position: ${fault}`);
  }
  await address(start);
  await keys();
  await game();
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

// What is wrong with positions, as the page says it.
const FAULTS = [
  ["no position", "a board has 8 ranks, found 1"],
  ["8/8/8/8/8/8/8/7 w - - 0 1", "rank 1 has 7 squares"],
  ["8/8/8/8/8/8/8/8x w - - 0 1", "`x` is no piece"],
  ["8/8/8/8/8/8/8/k7 w - - 0 1", "White has 0 kings"],
  ["kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"],
  ["k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn is on the first or the last rank"],
  ["k7/8/8/8/8/8/8/K7 x - - 0 1", "`x` is neither w nor b, who moves"],
  ["k7/8/8/8/8/8/8/4K3 w K - 0 1", "for the castling `K` king or rook is not at home"],
  ["k6R/8/8/8/8/8/8/4K3 w - - 0 1", "the side that does not move is in check, or there is nothing to take en passant"],
];

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

// A network is read while it arrives, into memory for it and a buffer, and the page goes on meanwhile.
async function arriving() {
  const url = `http://127.0.0.1:${server.address().port}/watched?net=`;
  const memory = () => script("return window.memory.buffer.byteLength");
  const until = async (is) => {
    for (let waited = 0; waited < 300; waited++) {
      const said = await text("status");
      if (is(said)) return said;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`the page says: ${await text("status")}`);
  };
  await webdriver("POST", `${session}/url`, { url: `${url}/slow.nnue` });
  await until((said) => said === "loading /slow.nnue: 31 %" && release);
  const before = await memory();
  await click("e2");
  await click("e4");
  await compare("while it is loading", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
  assert.equal(await script("return document.getElementById('second').hidden"), true);
  release();
  await until((said) => said === "/slow.nnue is loaded");
  const [[value]] = commandSays([await text("fen")], ofSecond);
  assert.equal(await text("second"), `${value} by the second network, /slow.nnue (sfnnv1)`);
  console.log(`${"arrived".padEnd(22)} ${value.padStart(5)}`);
  // Memory for the network was there before; nothing else grew with it.
  const [after, size] = [await memory(), network().length];
  assert.ok(after - before < 1 << 20, `memory grew from ${before} to ${after} while the network arrived`);
  assert.ok(after < 2 * size, `${after} bytes of memory for a network of ${size} bytes`);
  await webdriver("POST", `${session}/url`, { url: `${url}/cut.nnue` });
  await until((said) => /^\/cut\.nnue: ./.test(said));
  await webdriver("POST", `${session}/url`, { url: `${url}/missing.nnue` });
  await until((said) => said === "/missing.nnue: the server says 404 Not Found");
  await webdriver("POST", `${session}/url`, { url: `${url.replace("watched", "whole")}/second.nnue` });
  await until((said) => said === "/second.nnue is loaded");
  assert.equal(await text("second"), `${commandSays([await text("fen")], ofSecond)[0][0]} by the second network, /second.nnue (sfnnv1)`);
}

try {
  const capabilities = { alwaysMatch: { browserName: "chrome", ...chrome } };
  const { sessionId, capabilities: browser } = await webdriver("POST", "/session", { capabilities });
  session = `/session/${sessionId}`;
  console.log(`${browser.browserName} ${browser.browserVersion}`);
  await play();
  await arriving();
} finally {
  if (session) await webdriver("DELETE", session).catch(() => {});
  driver.removeAllListeners("exit").kill();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}
