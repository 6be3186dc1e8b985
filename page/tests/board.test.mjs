// Boards. The rules in the page say of random schedules what dcube verify says; the board is played as a person plays it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { documentOf, program } from "./documents.mjs";

const folder = mkdtempSync(join(tmpdir(), "dcube-board-"));
test.after(() => rmSync(folder, { recursive: true }));

/** The page's sources, as node can import them. */
async function sources(...files) {
  const file = join(folder, "sources.mjs");
  const contents = files.map((name) => `export * from "./${name}";`).join("\n");
  await build({ stdin: { contents, loader: "ts", resolveDir: fileURLToPath(new URL("../src", import.meta.url)) }, bundle: true, format: "esm", platform: "node", target: "es2022", outfile: file });
  return import(file);
}

const { checkBoard, networkOf, taskOf, Position, isWrong, missing, traceLines, sorted, countOf } = await sources("board/document", "board/rules");

/** The same numbers every time. */
function randomly(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const boardOf = (args) => checkBoard(documentOf(["--board", ...args])).board;

/** Plays random moves, now and then any move whatever, until all is done, something is wrong or the steps are up. */
function played(task, random, wild) {
  const steps = [];
  let position = Position.first(task);
  while (!position.complete && steps.length < 12) {
    const moves = [];
    for (let tries = 0; tries < 40; tries++) {
      const link = random(task.links.directed);
      const there = [...Array(countOf(task)).keys()].filter((packet) => position.has(task.links.from[link], packet));
      const move = { link, packet: there.length > 0 && random(2) ? there[random(there.length)] : random(countOf(task)) };
      // Judged with those before it: a move that breaks a rule is kept once in a while.
      if (!isWrong(position.after([...moves, move])) || random(1000) < wild) moves.push(move);
    }
    steps.push(moves);
    const next = position.after(moves);
    if (isWrong(next)) return { steps, wrong: next, moves: steps.slice(0, -1).flat().length + sorted(task, moves).indexOf(next.move) };
    position = next;
  }
  return { steps, position };
}

test("a board's rules accept and reject as dcube verify does, in its words", () => {
  const networks = [["--dim", "2"], ["--dim", "3"], ["--dim", "4"], ["--topology", "ring:5"], ["--topology", "mesh:3x3"], ["--topology", "petersen"]];
  const verdicts = new Set();
  let seed = 1;
  for (const collective of ["broadcast", "scatter", "all-gather", "all-to-all", "reduce"]) {
    for (const network of networks) {
      const board = boardOf([collective, ...network, ...(collective === "broadcast" ? ["--packets", "2"] : [])]);
      for (const wild of [0, 3, 30, 60]) {
        const onePort = seed % 3 === 0;
        const task = taskOf(board, networkOf(board), onePort);
        const { steps, wrong, moves, position } = played(task, randomly(seed++), wild);
        const file = join(folder, "board.jsonl");
        writeFileSync(file, [JSON.stringify({ ...board.head, ports: onePort ? "one" : "all" }), ...traceLines(task, steps), ""].join("\n"));
        const { code, errors } = program("verify", file);
        const lacks = wrong ? "" : missing(position);
        const words = wrong ? `line ${moves + 2}: ${wrong.words}` : lacks;
        assert.equal(errors, words === "" ? "" : `dcube: ${file}: ${words}\n`, `${collective} ${network.join(" ")} ${onePort ? "one port" : "all ports"}, seed ${seed - 1}`);
        assert.equal(code, words === "" ? 0 : 1);
        verdicts.add(wrong?.rule ?? (lacks ? "missing" : "right"));
      }
    }
  }
  for (const verdict of ["busy", "port", "absent", "home", "twice", "counted", "missing", "right"]) assert.ok(verdicts.has(verdict), verdict);
});
