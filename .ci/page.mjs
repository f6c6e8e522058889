// Opens the demonstration page in a headless browser and plays on it: node .ci/page.mjs PAGE PROGRAM COMMAND
//
// After each step the value on the page must be what the command `nnue` says about the position on the page. The browser is driven
// through chromedriver, in the protocol WebDriver.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , page, program, command] = process.argv;
const profile = mkdtempSync(join(tmpdir(), "nnue-page-"));

const files = { "/": [page, "text/html"], "/nnue_web.wasm": [program, "application/wasm"] };
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

// What the command says about the position on the page, `+24`.
function commandSays(fen) {
  const said = execFileSync(command, ["eval", "--fen", fen], { encoding: "utf8" });
  return said.match(/^value +(\S+) for (white|black)/m).slice(1, 3);
}

async function compare(step, piecesOfFen) {
  const [fen, value, whose] = [await text("fen"), await text("value"), await text("whose")];
  assert.equal(fen.split(" ").slice(0, 2).join(" "), piecesOfFen, step);
  const [expected, side] = commandSays(fen);
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
  const [, thousands, level] = status.match(/^(\d+) thousand nodes per second, level (\w+)$/);
  assert.ok(Number(thousands) > 0, status);
  assert.equal(level, "simd128");
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
