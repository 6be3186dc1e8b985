// Boards. The rules in the page judge random schedules as dcube verify does; the board is played as a person plays it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { launch, open, violations } from "./browser.mjs";
import { documentOf, pageOfRun, program, writePage } from "./documents.mjs";
import { sources } from "./sources.mjs";
import { some } from "./thorough.mjs";

const folder = mkdtempSync(join(tmpdir(), "dcube-board-"));
const browser = await launch();
test.after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const {
  checkBoard,
  networkOf,
  taskOf,
  Position,
  isWrong,
  missing,
  traceLines,
  sorted,
  countOf,
  Game,
  Hints,
  Allowance,
  loadFilm,
  questionFor,
  readDraft,
  linkFile,
  drawnBoard,
  label,
  packetWords,
  Symmetry,
  leastLeft,
  wayOut,
  questionWords,
  soFar,
  filmOf,
  toAddress,
} = await sources(
  folder,
  "board/document",
  "board/rules",
  "board/game",
  "board/hints",
  "kit/columns",
  "viewer/film",
  "predict/questions",
  "board/draft",
  "board/words",
  "board/symmetry",
  "board/least",
  "lab/request",
);

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
      const move = {
        link,
        packet: there.length > 0 && random(2) ? there[random(there.length)] : random(countOf(task)),
      };
      // Judged with those before it: a move that breaks a rule is kept once in a while.
      if (!isWrong(position.after([...moves, move])) || random(1000) < wild) moves.push(move);
    }
    steps.push(moves);
    const next = position.after(moves);
    if (isWrong(next))
      return { steps, wrong: next, moves: steps.slice(0, -1).flat().length + sorted(task, moves).indexOf(next.move) };
    position = next;
  }
  return { steps, position };
}

test("a board's rules accept and reject as dcube verify does, in its words", () => {
  const few = [
    ["--dim", "3"],
    ["--topology", "ring:5"],
    ["--topology", "mesh:3x3"],
  ];
  const networks = some([...few, ["--dim", "2"], ["--dim", "4"], ["--topology", "petersen"]], few);
  const verdicts = new Set();
  let seed = 1;
  const questions = [
    ["broadcast", "--packets", "2"],
    ["scatter"],
    ["all-gather"],
    ["all-to-all"],
    ["reduce"],
    ["gather", "--counts", "poisson:2"],
    ["all-gather", "--counts", "zipf:1:2"],
    ["all-to-all", "--counts", "zipf:1:1"],
    ["reduce-scatter", "--counts", "poisson:2"],
  ];
  for (const [collective, ...sizes] of questions) {
    for (const network of networks) {
      const board = boardOf([collective, ...network, ...sizes]);
      for (const wild of [0, 3, 30, 60]) {
        const onePort = seed % 3 === 0;
        const task = taskOf(board, networkOf(board), onePort);
        const { steps, wrong, moves, position } = played(task, randomly(seed++), wild);
        const file = join(folder, "board.jsonl");
        writeFileSync(
          file,
          [JSON.stringify({ ...board.head, ports: onePort ? "one" : "all" }), ...traceLines(task, steps), ""].join(
            "\n",
          ),
        );
        const { code, errors } = program("verify", file);
        const lacks = wrong ? "" : missing(position);
        const words = wrong ? `line ${moves + 2}: ${wrong.words}` : lacks;
        assert.equal(
          errors,
          words === "" ? "" : `dcube: ${file}: ${words}\n`,
          `${[collective, ...network, ...sizes].join(" ")} ${onePort ? "one port" : "all ports"}, seed ${seed - 1}`,
        );
        assert.equal(code, words === "" ? 0 : 1);
        verdicts.add(wrong?.rule ?? (lacks ? "missing" : "right"));
      }
    }
  }
  for (const verdict of ["busy", "port", "absent", "home", "twice", "counted", "missing", "right"])
    assert.ok(verdicts.has(verdict), verdict);
});

test("a network that was drawn is what --topology graph:FILE reads, and its bounds are none too many", () => {
  const draft = readDraft("50.5_90.40_70.65_30.65_10.40_50.35__0.1_1.2_2.3_3.4_0.4_0.5_2.5");
  const links = join(folder, "network.txt");
  writeFileSync(links, linkFile(draft));
  let seed = 100;
  for (const collective of [
    "broadcast",
    "scatter",
    "gather",
    "all-gather",
    "all-to-all",
    "reduce",
    "reduce-scatter",
    "send",
  ]) {
    const own = drawnBoard(
      boardOf([collective, "--dim", "3", ...(collective === "send" ? ["--peer", "4", "--packets", "3"] : [])]),
      draft,
    );
    for (const onePort of [false, true]) {
      const task = taskOf(own, networkOf(own), onePort);
      const { steps, wrong, moves, position } = played(task, randomly(seed++), onePort ? 0 : 20);
      const file = join(folder, "own.jsonl");
      writeFileSync(
        file,
        [
          JSON.stringify({ ...own.head, ports: onePort ? "one" : "all", topology: `graph:${links}` }),
          ...traceLines(task, steps, false),
          "",
        ].join("\n"),
      );
      const { errors } = program("verify", file);
      const words = wrong ? `line ${moves + 2}: ${wrong.words}` : missing(position);
      assert.equal(errors, words === "" ? "" : `dcube: ${file}: ${words}\n`, collective);
      const known = boardOf([
        collective,
        "--topology",
        `graph:${links}`,
        ...(collective === "send" ? ["--peer", "4", "--packets", "3"] : []),
      ]).bounds[onePort ? "one" : "all"];
      const simple = own.bounds[onePort ? "one" : "all"];
      assert.ok(
        simple.steps.value > 0 && simple.steps.value <= known.steps.value,
        `${collective}: ${simple.steps.value} steps, of ${known.steps.value}`,
      );
      assert.equal(simple.packets.value, known.packets.value, collective);
    }
  }
});

test("the ends of a message stay on a network that was drawn", () => {
  const draft = readDraft("50.5_90.40_70.65_30.65__0.1_1.2_2.3");
  const send = drawnBoard(boardOf(["send", "--dim", "2", "--root", "1", "--peer", "3"]), draft);
  assert.deepEqual(send.film.messages.pairs, [1, 3]);
  assert.deepEqual([send.root, send.peer, send.head.root, send.head.peer], [1, 3, 1, 3]);
  const gather = drawnBoard(boardOf(["gather", "--dim", "2", "--root", "2"]), draft);
  assert.deepEqual([gather.root, gather.peer, gather.head.peer], [2, null, undefined]);
});

test("a packet's name has what tells it from others", () => {
  const task = (kind, origin, target, packets) => ({ messages: { kind, origin, target }, packets });
  const names = (of, packet, sender) => [label(of, packet, sender), packetWords(of, packet, sender)];
  const broadcast = (packets) => task("copies", [0], [-1], packets);
  assert.deepEqual(names(broadcast(1), 0), ["message", "the message"]);
  assert.deepEqual(names(broadcast(4), 1), ["packet 2", "packet 2"]);
  const exchange = task("moves", [0, 0, 1, 1], [0, 1, 0, 1], 2);
  assert.deepEqual(names(exchange, 2), ["from 0 for 1, packet 1", "the packet from 0 for 1, packet 1"]);
  assert.deepEqual(names(exchange, 2, 0), ["for 1, packet 1", "the packet for 1, packet 1"]);
  assert.deepEqual(names(task("sums", [-1], [3], 1), 0), ["sum", "its sum"]);
  assert.deepEqual(names(task("sums", [-1, -1], [0, 1], 2), 3), ["sum for 1, packet 2", "its sum for 1, packet 2"]);
});

// In a browser, as a person: taps near the sender, buttons by their words.
const boardPage = (name, ...args) => pageOfRun(join(folder, `${name}.html`), ["--board", ...args]);
const boardState = (page) =>
  page.evaluate(() => {
    const { game } = window.dcube.exhibit().table;
    return {
      moves: game.moves.length,
      sent: game.sent,
      complete: game.complete,
      wrong: game.wrong?.words ?? "",
      said: document.querySelector(".board .sentence").textContent,
    };
  });
const press = (page, words) =>
  page.evaluate(
    (words) =>
      [...document.querySelectorAll(".board button")]
        .find((one) => one.textContent === words && one.offsetParent)
        .click(),
    words,
  );

/** Taps the link from one node to another, near the first. */
async function tap(page, from, to) {
  const { x, y } = await page.evaluate(
    (from, to) => {
      const board = window.dcube.exhibit();
      const { network } = board.table;
      const link = [...network.from.keys()].find((one) => network.from[one] === from && network.to[one] === to);
      const { x, y } = board.placeOf(link);
      const canvas = document.querySelector(".board .stage canvas");
      const box = canvas.getBoundingClientRect();
      const place = { x: box.left + x, y: box.top + y };
      if (document.elementFromPoint(place.x, place.y) !== canvas) throw new Error("something lies over the link");
      return place;
    },
    from,
    to,
  );
  await page.mouse.click(x, y);
}

const TREE = [
  [[0, 1]],
  [
    [0, 2],
    [1, 3],
  ],
  [
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ],
];

const BEST =
  "3 steps, 7 packets: as few steps and as few packets as possible. Nobody will ever do better: that is proved.";

async function playTree(page) {
  for (const step of TREE) {
    for (const [from, to] of step) await tap(page, from, to);
    await press(page, "End of step");
  }
}

test("an optimal broadcast by taps meets both bounds, and its file is what dcube verify takes; at every size", async () => {
  const file = boardPage("broadcast", "broadcast", "--dim", "3");
  const few = [
    [1280, 900],
    [390, 520],
    [844, 390],
  ];
  const all = [...few, [820, 1180], [390, 844], [640, 480]];
  for (const size of some(all, few)) {
    const { page, problems } = await open(browser, file, { size, still: true, hash: `#as=${size[0]}` });
    await playTree(page);
    const { said, complete, sent } = await boardState(page);
    assert.equal(said, BEST, String(size));
    assert.ok(complete && sent === 7);
    const fits = await page.evaluate(() =>
      [".sentence", ".transport", ".count"]
        .map((name) => document.querySelector(`.board ${name}`).getBoundingClientRect())
        .every(({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight),
    );
    assert.ok(fits, `sentence and buttons are in sight at ${size}`);
    assert.deepEqual(problems, []);
  }
  const { page } = await open(browser, file, { still: true });
  await playTree(page);
  const trace = join(folder, "tapped.jsonl");
  writeFileSync(trace, await page.evaluate(() => document.querySelector(".schedule-lines pre").textContent));
  assert.equal(program("verify", trace).code, 0);
  const link = await page.evaluate(() => location.hash);
  const { page: other } = await open(browser, file, { hash: link });
  assert.equal((await boardState(other)).complete, true, "the address brings the board back");
});

test("a wrong step is judged in the judge's words and can be undone; axe finds nothing, light and dark", async () => {
  const file = boardPage("scatter", "scatter", "--dim", "3");
  for (const dark of some([false, true], [true])) {
    const { page } = await open(browser, file, { dark, still: true });
    await tap(page, 1, 3);
    await press(page, "End of step");
    assert.match(
      (await boardState(page)).said,
      /^Not there yet\. The judge: node 1 sends byte 0 of the message from node 0 to node \d in step 1 but does not have it yet\.$/,
    );
    assert.deepEqual(await violations(page), []);
    await press(page, "Undo");
    await press(page, "Hint");
    assert.equal(
      (await boardState(page)).said,
      "Which packet of node 0 has farthest to go? Press Hint again to be told.",
    );
    await press(page, "Hint");
    const { moves, wrong, said } = await boardState(page);
    assert.deepEqual([moves, wrong], [0, ""]);
    assert.match(
      said,
      /^Try: node 0 sends the packet for \d to node \d\. That is part of a schedule of 3 steps, and none is shorter\.$/,
    );
    await tap(page, 0, 1);
    assert.deepEqual(await violations(page), []);
  }
});

test("a link is tapped at both ends to send both ways, and what was hinted at comes with one tap", async () => {
  const file = boardPage("exchange", "all-to-all", "--dim", "2");
  const { page } = await open(browser, file, { still: true, hash: "#choose=1" });
  await tap(page, 0, 1);
  await tap(page, 1, 0);
  const links = () =>
    page.evaluate(() =>
      window.dcube
        .exhibit()
        .table.game.moves.map(({ link }) => link)
        .toSorted((a, b) => a - b),
    );
  const [one, other] = await links();
  assert.equal(other, one ^ 1);
  await press(page, "Start over");
  await press(page, "Hint");
  await press(page, "Hint");
  const { said } = await boardState(page);
  const [, from, words, to] = /^Try: node (\d+) sends (.*) to node (\d+)\./.exec(said);
  await tap(page, Number(from), Number(to));
  assert.equal((await boardState(page)).said, `Node ${from} sends ${words} to node ${to}.`);
});

test("the keyboard schedules, and a network is drawn by taps, played on, and kept in the address", async () => {
  const file = boardPage("keyboard", "broadcast", "--dim", "2");
  const { page } = await open(browser, file, { still: true });
  await page.focus(".board .list button");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.equal((await boardState(page)).moves, 2);
  await press(page, "Draw your own");
  const paper = await page.$eval(".drawing canvas", (canvas) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [left, top, width, height];
  });
  const at = (x, y) => page.mouse.click(paper[0] + paper[2] * x, paper[1] + paper[3] * y);
  const places = [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.5, 0.8],
  ];
  for (const [x, y] of places) await at(x, y);
  for (const node of [0, 1, 1, 2]) await at(...places[node]);
  assert.deepEqual(await violations(page), []);
  await press(page, "Play on it");
  for (const [from, to] of [
    [0, 1],
    [1, 2],
  ]) {
    await tap(page, from, to);
    await press(page, "End of step");
  }
  assert.match((await boardState(page)).said, /^2 steps, 2 packets: as few steps and as few packets as possible/);
  const { page: other } = await open(browser, file, { hash: await page.evaluate(() => location.hash) });
  assert.equal((await boardState(other)).complete, true);
  assert.equal(
    await other.$eval(".board h1", (title) => title.textContent),
    "Your turn: broadcast on your own network",
  );
});

test("a board that is none is refused with a message, and nonsense in an address changes nothing", async () => {
  const right = documentOf(["--board", "broadcast", "--dim", "2"]);
  const wrong = [
    {},
    { ...right.board, bounds: {} },
    { ...right.board, packets: 2 ** 23 },
    { ...right.board, film: { ...right.board.film, network: null } },
  ];
  for (const [i, board] of wrong.entries()) {
    const { page } = await open(browser, writePage(join(folder, `wrong-${i}.html`), [{ ...right, board }]));
    assert.match(await page.$eval("[role=alert]", (alert) => alert.textContent), /^This page's data cannot be read: /);
  }
  const file = writePage(join(folder, "right.html"), [right]);
  for (const hash of [
    "#moves=99p99.9999999___x_0p0.5",
    "#net=1.1_2.2__0.9",
    "#net=",
    "#moves=__".padEnd(9000, "_"),
    "#ports=two",
  ]) {
    const { page, problems } = await open(browser, file, { hash, still: true });
    assert.equal((await boardState(page)).sent, 0, hash.slice(0, 40));
    assert.equal(await page.$eval(".board h1", (title) => title.textContent), "Your turn: broadcast on a 2-cube");
    assert.deepEqual(problems, []);
  }
});

test("hints alone lead to a best schedule", async () => {
  for (const [words, steps] of [
    ["broadcast --dim 3", 3],
    ["scatter --dim 4", 4],
    ["all-gather --dim 3", 3],
    ["all-to-all --dim 3", 4],
    ["all-to-all --topology ring:5", 3],
    ["reduce --dim 3", 3],
    ["reduce --topology petersen", 2],
    ["send --dim 3 --peer 7 --packets 3", 3],
    ["all-gather --dim 3 --without-link 0-1", 4],
    ["all-to-all --dim 2 --counts zipf:1:2", 5],
    ["gather --topology ring:5 --counts 1,2,0,1,1", 2],
    ["all-gather --dim 3 --counts 2,0,1,0,3,0,0,1", 3],
  ]) {
    const board = boardOf(words.split(" "));
    const network = networkOf(board);
    const task = taskOf(board, network, false);
    const hints = new Hints(task, network);
    const game = new Game(task, network);
    while (!game.complete && game.steps.length < 20) {
      const hint = hints.next(game.position(), game.steps, game.moves, board.bounds.all.steps.value);
      assert.ok(hint, words);
      if (hint.move) game.toggle(hint.move);
      else assert.ok(game.end(), words);
    }
    assert.equal(game.steps.length, steps, words);
  }
});

test("predict: the film stops and asks, tapping answers, the answer is marked, and an address brings the question back", async () => {
  const file = writePage(join(folder, "film.html"), [documentOf(["broadcast", "--dim", "3"])]);
  const { page, problems } = await open(browser, file, { still: true, hash: "#predict=1.4" });
  const words = (what) => page.$eval(`.predict ${what}`, (element) => element.textContent);
  const asked = await words("p b");
  assert.match(asked, /in step 1/);
  // Nothing on the page tells the answer.
  for (const place of [".proof", ".transport .of"])
    assert.equal(await page.$eval(place, (one) => one.checkVisibility()), false, place);
  const before = await page.evaluate(() => window.dcube.exhibit().player.now);
  assert.equal(before, 0);
  assert.deepEqual(await violations(page), []);
  await page.evaluate(() => document.querySelector(".predict .answers button").click());
  assert.match(await words(".why"), /^(Right|No)\. /);
  assert.equal(await page.$$eval(".predict .answers .right", (all) => all.length > 0), true);
  assert.deepEqual(await violations(page), []);
  const others = some(30, 8);
  for (let i = 0; i < others; i++) {
    await page.evaluate(() =>
      [...document.querySelectorAll(".predict button")].find((one) => one.textContent === "Next").click(),
    );
    await page.evaluate(() => document.querySelector(".predict .answers button").click());
  }
  assert.match(await words(".score"), new RegExp(`^\\d+ of ${others + 1} right$`));
  await page.keyboard.press("Escape");
  assert.equal(await page.$(".predict"), null);
  await page.evaluate(() => window.dcube.choose({ predict: "1.4", step: "0" }));
  await page.evaluate(() => window.dcube.seek(2));
  await page.waitForFunction(() => !document.querySelector(".predict")); // who steps on has no more need of it
  const again = await open(browser, file, { still: true, hash: "#predict=1.4" });
  assert.equal(await again.page.$eval(".predict p b", (element) => element.textContent), asked);
  assert.deepEqual(problems, []);
});

test("questions have a right and a wrong answer at every step and level", async () => {
  for (const args of [
    ["broadcast", "--dim", "3"],
    ["all-to-all", "--dim", "3"],
    ["reduce", "--dim", "3"],
    ["scatter", "--topology", "petersen"],
    ["send", "--dim", "3", "--peer", "7", "--packets", "3"],
    ["all-gather", "--topology", "ring:5"],
  ]) {
    const [data] = documentOf(args).films;
    const film = await loadFilm(data, new Allowance(2 ** 26));
    for (let level = 1; level <= 3; level++)
      for (let step = 1; step <= film.length; step++)
        for (let seed = 0; seed < 30; seed++) {
          const question = questionFor(film, step, level, seed);
          const right = question.options.filter((option) => option.right).length;
          assert.ok(right > 0 && right < question.options.length, `${args.join(" ")}: ${JSON.stringify(question)}`);
          assert.equal(new Set(question.options.map((option) => option.words)).size, question.options.length);
          assert.deepEqual(questionFor(film, step, level, seed), question);
          assert.notEqual(questionFor(film, step, level, seed + 1, question.kind).kind, question.kind);
        }
  }
});

/** The staircase on a cube: the hops of node 0's blocks, step by step. */
function staircase(d, network) {
  const length = 2 ** (d - 1);
  const steps = Array.from({ length }, () => []);
  for (let mask = 1; mask < 2 ** d; mask++) {
    const pair = (mask >= length ? ~mask : mask) & (length - 1);
    const hops = [...Array(d).keys()].filter((port) => mask & (1 << port));
    let node = 0;
    for (const port of hops.sort((a, b) => ((pair + a) % length) - ((pair + b) % length))) {
      steps[(pair + port) % length].push({ link: network.linkOf(node, port), packet: mask });
      node ^= 1 << port;
    }
  }
  return steps;
}

test("everybody does the same: a total exchange takes 12 taps on a 3-cube, and 32 on a 4-cube", () => {
  for (const [d, taps] of [
    [3, 12],
    [4, 32],
  ]) {
    const board = boardOf(["all-to-all", "--dim", String(d)]);
    const network = networkOf(board);
    const task = taskOf(board, network, false);
    const symmetry = Symmetry.of(board, task);
    const game = new Game(task, network);
    let made = 0;
    for (const moves of staircase(d, network)) {
      for (const move of moves) {
        game.toggle(move, (one) => symmetry.images(one));
        made++;
      }
      assert.equal(symmetry.ofZero(game.moves).length, d);
      assert.ok(game.end());
    }
    assert.ok(game.complete);
    assert.equal(made, taps);
    assert.equal(game.steps.length, board.bounds.all.steps.value);
    assert.equal(game.sent, board.bounds.all.packets.value);
    // One tap is taken back by one.
    game.undo();
    game.undo();
    assert.equal(game.moves.length, (d - 1) * 2 ** d);
    assert.equal(symmetry.ofZero(game.moves.slice(1)), null);
  }
});

test("everybody does the same only where nodes look alike, and no node is the root", () => {
  const there = (words) => {
    const board = boardOf(words.split(" "));
    return Symmetry.of(board, taskOf(board, networkOf(board), false)) !== null;
  };
  for (const words of ["all-to-all --topology torus:3x3", "all-gather --dim 3", "reduce-scatter --topology ring:5"])
    assert.ok(there(words), words);
  for (const words of ["broadcast --dim 3", "all-to-all --topology mesh:2x3", "all-gather --dim 3 --without-link 0-1"])
    assert.ok(!there(words), words);
});

test("the images of a hop keep ports and ways, and a hop is the image of one at node 0", () => {
  const board = boardOf(["all-to-all", "--topology", "torus:3x4"]);
  const network = networkOf(board);
  const task = taskOf(board, network, false);
  const symmetry = Symmetry.of(board, task);
  for (const move of [
    { link: 5, packet: 17 },
    { link: 20, packet: 99 },
  ]) {
    const images = symmetry.images(move);
    assert.equal(new Set(images.map(({ link }) => network.from[link])).size, 12);
    assert.deepEqual(new Set(images.map(({ link }) => network.port[link])), new Set([network.port[move.link]]));
    assert.deepEqual(new Set(images.map(({ packet }) => symmetry.way(packet))), new Set([symmetry.way(move.packet)]));
    const zero = symmetry.atZero(move);
    assert.equal(network.from[zero.link], 0);
    assert.deepEqual(
      symmetry.images(zero).some(({ link, packet }) => link === move.link && packet === move.packet),
      true,
    );
  }
});

test("the least that a position needs is never more than a best schedule takes", () => {
  for (const words of [
    "broadcast --dim 3",
    "scatter --dim 3",
    "all-gather --dim 3",
    "all-to-all --dim 3",
    "reduce --dim 3",
    "send --dim 3 --peer 7 --packets 3",
    "all-to-all --dim 2 --counts poisson:2",
  ]) {
    const board = boardOf(words.split(" "));
    const network = networkOf(board);
    const task = taskOf(board, network, false);
    const hints = new Hints(task, network);
    const game = new Game(task, network);
    const left = [leastLeft(game.position(), network)];
    while (!game.complete) {
      const hint = hints.next(game.position(), game.steps, game.moves, board.bounds.all.steps.value);
      if (hint.move) game.toggle(hint.move);
      else {
        game.end();
        left.push(leastLeft(game.position(), network));
      }
    }
    const steps = game.steps.length;
    left.forEach((least, step) => assert.ok(least <= steps - step, `${words}: ${left}`));
    assert.equal(left.at(-1), 0, words);
    assert.ok(left[0] > 0, words);
  }
  // A wasted step of a broadcast: node 7 is three hops away still.
  const board = boardOf(["broadcast", "--dim", "3"]);
  const network = networkOf(board);
  const game = new Game(taskOf(board, network, false), network);
  game.end();
  assert.equal(game.steps.length + leastLeft(game.position(), network), 4);
});

/** A game on the board of a run. */
function gameOn(words) {
  const board = boardOf(words.split(" "));
  const network = networkOf(board);
  const task = taskOf(board, network, false);
  return { board, network, task, game: new Game(task, network) };
}

test("a tap places the only candidate, and leaves a choice to the person; another packet takes the place of the first", () => {
  const { game, network, task, board } = gameOn("all-to-all --dim 2");
  const link = network.linkOf(0, 0);
  assert.equal(game.tap(link, false), "choose");
  assert.equal(game.sent, 0, "nothing is chosen");
  for (const packet of [1, 3, 2]) {
    game.toggle({ link, packet });
    assert.deepEqual(game.on(link), [{ link, packet }], "a link carries one packet");
  }
  assert.equal(game.tap(link, false), "choose", "a tap from elsewhere only opens the choice");
  assert.equal(game.sent, 1);
  assert.equal(game.tap(link, true), null);
  assert.equal(game.sent, 0);
  const everybody = (move) => Symmetry.of(board, task).images(move);
  game.toggle({ link, packet: 1 }, everybody);
  game.toggle({ link, packet: 3 }, everybody);
  assert.deepEqual([game.sent, new Set(game.moves.map((move) => move.link)).size], [4, 4]);
  const broadcast = gameOn("broadcast --dim 2");
  const first = broadcast.network.linkOf(0, 0);
  assert.deepEqual(broadcast.game.tap(first, false), { link: first, packet: 0 });
  broadcast.game.tap(first, false);
  assert.equal(broadcast.game.sent, 0, "without a choice a second tap takes it off");
});

test("a step that the judge refuses has a way out in words", () => {
  const { game, network, task } = gameOn("scatter --dim 3");
  const off = (from, port, packet) =>
    wayOut(task, game.position().after([{ link: network.linkOf(from, port), packet }]));
  assert.equal(off(1, 1, 3), "First take the packet for 3 off link 1 \u2192 3: node 1 does not have it yet.");
  const link = network.linkOf(0, 0);
  const busy = [1, 3].map((packet) => ({ link, packet }));
  assert.equal(wayOut(task, game.position().after(busy)), "First take one of the two packets off link 0 \u2192 1.");
  const ways = [1, 2].map((port) => ({ link: network.linkOf(0, port), packet: 7 }));
  assert.ok(!isWrong(game.position().after(ways)));
  const twice = [
    { link: network.linkOf(0, 0), packet: 1 },
    { link: network.linkOf(0, 1), packet: 7 },
  ];
  assert.ok(!isWrong(game.position().after(twice)));
  game.toggle(twice[0]);
  game.end();
  assert.match(off(0, 0, 1), /^First take the packet for 1 off link 0 \u2192 1: node 1 has it, or gets it/);
  assert.equal(
    questionWords(task, network, game.position(), { link: network.linkOf(0, 1), packet: 7 }).slice(0, 23),
    "Which packet of node 0 ",
  );
  assert.match(
    questionWords(task, network, game.position(), { link: network.linkOf(0, 1), packet: 3 }),
    /^Link 0 \u2192 2 is idle/,
  );
});

test("the end of a step tells how many hops are done", () => {
  const { game, network } = gameOn("all-to-all --dim 3");
  for (const move of staircase(3, network)[0]) game.toggle(move);
  game.end();
  assert.equal(soFar(game), "Step 1 is over: 3 of 96 hops done.");
  game.toggle({ link: network.linkOf(0, 0), packet: 1 });
});

test("a board's moves go through the lab's address and back", () => {
  const film = { same: "1", moves: "0p0.7_0p1.3_0p2.5__0p0.1_0p1__", ports: "one", net: "10.20_90.20__0.1" };
  const request = { what: "board", collective: "all-to-all", topology: "hypercube:3" };
  assert.deepEqual(filmOf(toAddress(request, film)), film);
  assert.deepEqual(filmOf("film=step.3_colour.target_follow.0-7.1_names.port_0,the_bridge"), {
    step: "3",
    colour: "target",
    follow: "0-7.1",
    names: "port_0,the_bridge",
  });
});

/** A lesson whose beat has the document as its figure. */
const lessonOf = (name, args, state = "") =>
  writePage(
    join(folder, `${name}.html`),
    [documentOf(["--board", ...args])],
    `<article class="text" data-lesson="5"><section class="beat" data-view="0" ${state}>` +
      `<h2>Your turn</h2><p>Play.</p></section></article>`,
  );

const pressed = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".chooser [aria-pressed=true]")].map((one) => one.textContent));

test("a tap opens the choice with nothing chosen, chips replace each other, and the switch stays in the address", async () => {
  const { page, problems } = await open(browser, boardPage("choose", "all-to-all", "--dim", "2"), { still: true });
  await tap(page, 0, 1);
  assert.equal((await boardState(page)).said, "Which packet shall node 0 send to node 1? Choose one.");
  assert.deepEqual(await pressed(page), []);
  for (const chip of ["for 3", "for 1"]) {
    await press(page, chip);
    assert.deepEqual([await pressed(page), (await boardState(page)).sent], [[chip], 1]);
  }
  assert.deepEqual(await violations(page), []);
  await page.click("#for-me");
  await tap(page, 3, 1);
  assert.equal((await boardState(page)).sent, 2);
  assert.match(await page.evaluate(() => location.hash), /choose=1/);
  assert.deepEqual(problems, []);
});

test("an empty step is asked about before it passes, a hint leads out of a refusal, and a missed tap says so", async () => {
  const { page } = await open(browser, boardPage("asks", "scatter", "--dim", "3"), { still: true });
  const steps = () => page.evaluate(() => window.dcube.exhibit().table.game.steps.length);
  const said = async () => (await boardState(page)).said;
  await press(page, "End of step");
  assert.deepEqual(
    [await steps(), await said()],
    [0, "Nothing is scheduled. Press End of step again to let a step pass."],
  );
  await press(page, "End of step");
  assert.deepEqual(
    [await steps(), await said()],
    [1, "Step 1 is over: 0 of 12 hops done. 3 steps are no longer possible. 4 steps are still possible."],
  );
  await tap(page, 1, 3);
  await press(page, "End of step");
  assert.match(await said(), /^Not there yet\. The judge/);
  await press(page, "Hint");
  assert.match(await said(), /^First take the packet for \d off link 1 \u2192 3: node 1 does not have it yet\.$/);
  await press(page, "Start over");
  const box = await page.$eval(".board .stage canvas", (one) => {
    const { left, top } = one.getBoundingClientRect();
    return [left, top];
  });
  await page.mouse.click(box[0] + 3, box[1] + 3);
  assert.equal(await said(), "There is no link there. Tap a line, near the node that is to send.");
  const crossing = await page.evaluate(() => {
    const board = window.dcube.exhibit();
    const { network } = board.table;
    const middle = (link) =>
      [board.placeOf(link), board.placeOf(link ^ 1)].reduce((a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }));
    return middle(network.linkOf(0, 0));
  });
  await page.mouse.click(box[0] + crossing.x, box[1] + crossing.y);
  // Only node 0 has something to send over this link.
  assert.match(await said(), /^Which packet shall node 0 send to node 1/);
});

test("hints speak to node 0 where everybody does the same, and lead to a best schedule", async () => {
  const { page } = await open(browser, boardPage("same", "all-to-all", "--dim", "3"), { still: true, hash: "#same=1" });
  let taps = 0;
  for (let i = 0; i < 40 && !(await boardState(page)).complete; i++) {
    await press(page, "Hint");
    if (/^This step is good/.test((await boardState(page)).said)) {
      await press(page, "End of step");
      continue;
    }
    await press(page, "Hint");
    const [, to] = /^Try: node 0 sends .* to node (\d)\./.exec((await boardState(page)).said);
    await tap(page, 0, Number(to));
    taps++;
  }
  const { said, complete } = await boardState(page);
  assert.ok(complete, said);
  assert.match(said, /^4 steps, 96 packets: as few steps/);
  assert.equal(taps, 12);
});

test("the picture keeps its size from frame to frame and from tap to tap, and nothing overlaps in the header", async () => {
  const file = lessonOf("sizes", ["all-to-all", "--dim", "3"], 'data-same="1"');
  const few = [
    [1366, 768],
    [390, 844],
  ];
  for (const size of some([...few, [1280, 900], [1440, 900]], few)) {
    const { page, problems } = await open(browser, file, { size, hash: `#beat=1&at=${size[0]}` });
    const sizes = new Set();
    const look = async () => {
      const seen = await page.evaluate(
        () =>
          new Promise((done) => {
            const all = [];
            const watch = () => {
              const { clientWidth, clientHeight } = document.querySelector(".board .stage");
              all.push(`${clientWidth} x ${clientHeight}`);
              if (all.length < 8) requestAnimationFrame(watch);
              else done(all);
            };
            watch();
          }),
      );
      seen.forEach((one) => sizes.add(one));
    };
    await look();
    for (const row of [0, 1, 2]) {
      await page.evaluate((row) => document.querySelectorAll(".same button")[row].click(), row);
      await look();
      await page.evaluate(() => document.querySelector(".chooser button:not(.of-no-use)").click());
      await look();
    }
    assert.equal(sizes.size, 1, `${size}: ${[...sizes]}`);
    assert.ok(Number([...sizes][0].split(" x ")[1]) >= 150, `${size}: ${[...sizes]}`);
    const header = await page.evaluate(() => {
      const title = document.querySelector(".board .title").getBoundingClientRect();
      const tools = [...document.querySelectorAll(".board .tools > *")].filter((one) => one.checkVisibility());
      return {
        title: title.height > 0,
        same: tools.some((one) => one.querySelector("#same")),
        below: tools.every((one) => one.getBoundingClientRect().top >= title.bottom - 1),
        cut: tools.some((one) => one.scrollHeight > one.clientHeight + 1 || one.getBoundingClientRect().height > 48),
      };
    });
    assert.deepEqual(header, { title: true, same: true, below: true, cut: false }, String(size));
    assert.equal(await page.$("button.try"), null, "no run takes the board away");
    assert.deepEqual(problems, []);
  }
});

test("on a phone a board of everybody's has a picture of some height", async () => {
  const file = boardPage("phone", "all-to-all", "--dim", "3");
  const { page } = await open(browser, file, { size: [390, 740], hash: "#same=1", still: true });
  const height = await page.$eval(".board .stage", (one) => one.clientHeight);
  assert.ok(height >= 150, `${height} px`);
  assert.match(
    await page.$eval(".same-words", (one) => one.textContent),
    /^111 = for the node whose number differs in all three bits: for node 0 that is 7$/,
  );
});
