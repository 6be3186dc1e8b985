// Documents for tests, made of real runs: dcube runs with --trace, and its lines are packed as the page wants them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { groupsOf, layoutsOf, networkOf } from "./networks.mjs";

export const dcube = process.env.DCUBE ?? "dcube";

export function program(...args) {
  const done = spawnSync(dcube, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (done.error) throw done.error;
  return { code: done.status, text: done.stdout, errors: done.stderr };
}

/** The trace of `dcube run ARGS`, and the report for people and as JSON. */
export function traceOf(args) {
  const folder = mkdtempSync(join(tmpdir(), "dcube-page-"));
  const file = join(folder, "trace.jsonl");
  const { code, text, errors } = program("run", ...args, "--trace", file, "--format", "json");
  if (code !== 0) throw new Error(`dcube run ${args.join(" ")}: ${errors}`);
  const [head, ...lines] = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  return { head, lines, report: JSON.parse(text) };
}

export function column(values, deflate = true) {
  if (values.every((value) => value === values[0])) return values[0] ?? 0;
  const bytes = [];
  let last = 0;
  for (const value of values) {
    const difference = value - last;
    last = value;
    let code = difference >= 0 ? difference * 2 : -difference * 2 - 1;
    for (; code >= 128; code = Math.floor(code / 128)) bytes.push((code % 128) | 128);
    bytes.push(code);
  }
  const raw = Buffer.from(bytes);
  return { raw: raw.length, data: (deflate ? deflateRawSync(raw) : raw).toString("base64") };
}

const KINDS = {
  "all-to-all": { kind: "moves", pairs: "all" }, scatter: { kind: "moves", pairs: "from" }, gather: { kind: "moves", pairs: "to" },
  broadcast: { kind: "copies", origins: "root" }, "all-gather": { kind: "copies", origins: "all" },
  reduce: { kind: "sums", sums: "root" }, "reduce-scatter": { kind: "sums", sums: "each" }, "all-reduce": { kind: "sums", sums: "all" },
};

function messagesOf(head, lines, nodes) {
  const { kind, pairs, origins, sums } = KINDS[head.collective];
  const root = head.root ?? 0;
  // A part is what every piece is a multiple of.
  const size = head.bytes * head.packets;
  let part = size;
  const gcd = (a, b) => (b ? gcd(b, a % b) : a);
  for (const { pieces } of lines) for (const { offset, length } of pieces) part = gcd(gcd(part, offset), length);
  return {
    kind, parts: size / part, part_bytes: part, lengths: null,
    ...(kind === "moves" ? { pairs: pairs === "all" ? "all" : { [pairs]: root } } : {}),
    ...(kind === "copies" ? { origins: origins === "all" ? "all" : [root] } : {}),
    ...(kind === "sums" ? { sums: sums === "each" ? Array.from({ length: nodes }, (_, i) => i) : [sums === "root" ? root : null] } : {}),
  };
}

/** Who is in each sum that is sent: until a trace says so itself, a node sends all that it holds. */
function setsOf(lines, messages, nodes) {
  const held = new Map();
  const at = (node, sum, part) => held.get(`${node} ${sum} ${part}`) ?? new Set([node]);
  let arrivals = [];
  let step = 0;
  const settle = () => {
    for (const [key, set] of arrivals) held.set(key, new Set([...(held.get(key) ?? [Number(key.split(" ")[0])]), ...set]));
    arrivals = [];
  };
  for (const line of lines) {
    if (line.step !== step) settle();
    step = line.step;
    for (const piece of line.pieces) {
      const sum = messages.sums.length > 1 ? piece.target : 0;
      const part = piece.offset / messages.part_bytes;
      piece.members = at(line.from, sum, part);
      for (let i = 0; i < piece.length / messages.part_bytes; i++) arrivals.push([`${line.to} ${sum} ${part + i}`, at(line.from, sum, part + i)]);
    }
  }
  return nodes;
}

function columnsOf(lines, messages, network, sets) {
  const of = Object.fromEntries(["step", "from", "port", "start", "end", "joined", "origin", "target", "part", "count", "set"].map((name) => [name, []]));
  const relative = (node, sender) => {
    if (network.relative === "xor") return node ^ sender;
    if (network.relative === "plain") return node;
    let [value, weight] = [0, 1];
    for (const size of [...network.relative.digits].reverse()) {
      value += ((Math.floor(node / weight) - Math.floor(sender / weight)) % size + size) % size * weight;
      weight *= size;
    }
    return value;
  };
  const known = new Map();
  for (const line of lines) {
    for (const { origin, target, offset, length, members } of line.pieces) {
      of.step.push(line.step); of.from.push(line.from); of.port.push(line.port);
      of.start.push(line.start_ns ?? 0); of.end.push(line.end_ns ?? 0); of.joined.push(line.pieces.length);
      of.origin.push(messages.kind === "sums" ? -1 : relative(origin, line.from));
      const sum = messages.sums?.length > 1 ? relative(target, line.from) : 0;
      of.target.push(messages.kind === "sums" ? sum : messages.kind === "copies" ? -1 : relative(target, line.from));
      of.part.push(offset / messages.part_bytes); of.count.push(length / messages.part_bytes);
      const ranges = members ? [...members].map((node) => relative(node, line.from)).sort((a, b) => a - b).flatMap((node) => [node, node]) : [];
      const key = ranges.join();
      if (members && !known.has(key)) known.set(key, sets.push(ranges) - 1);
      of.set.push(members ? known.get(key) : 0);
    }
  }
  return { rows: of.step.length, deflate: true, of: Object.fromEntries(Object.entries(of).map(([name, values]) => [name, column(values)])) };
}

const TITLES = {
  "all-to-all": "Total exchange", broadcast: "Broadcast", scatter: "Scatter", gather: "Gather", "all-gather": "All-gather",
  reduce: "Reduce", "reduce-scatter": "Reduce-scatter", "all-reduce": "All-reduce",
};

/** One film of the run. */
export function filmOf(args) {
  const { head, lines, report } = traceOf(args);
  const network = networkOf(head.topology);
  for (const { from, to, port } of lines) {
    if (!hasLink(network, from, to, port)) throw new Error(`${head.topology}: port ${port} of node ${from} does not lead to ${to} in the tests`);
  }
  network.layouts = layoutsOf(head.topology, network);
  network.groups = groupsOf(head.topology, network.nodes);
  const messages = messagesOf(head, lines, network.nodes);
  if (messages.kind === "sums") setsOf(lines, messages, network.nodes);
  const sets = [];
  const columns = columnsOf(lines, messages, network, sets);
  const steps = lines.at(-1)?.step ?? 0;
  const timed = head.link_model === "link-bound";
  const single = messages.kind === "copies" && messages.origins !== "all";
  const count = single ? Math.min(messages.parts, 64) : messages.pairs?.from !== undefined ? 1 : network.nodes;
  const wide = 2 ** Math.ceil(Math.log2(count) / 2);
  const cells = single || count === 1 ? { columns: Math.ceil(Math.sqrt(count)), rows: Math.ceil(count / Math.ceil(Math.sqrt(count))), count } : network.cells ?? { columns: wide, rows: Math.ceil(count / wide), count };
  const use = Array(steps + 1).fill(0);
  for (const { step } of lines) use[step]++;
  const directed = (network.links.length / 5) * 2;
  const sentence = (step) => `${use[step]} packets on ${directed} links${use[step] === directed ? ": none is idle." : `, ${directed - use[step]} idle.`}`;
  return {
    name: head.algorithm, label: `${head.algorithm}: ${steps} steps`, report: Object.entries(report).map(([key, value]) => [key, String(value)]),
    clock: timed ? "time" : "steps", steps, end: timed ? Math.max(...lines.map((line) => line.end_ns)) : 0, ticks_per_ns: 1, one_port: head.ports === "one",
    verdict: { accepted: true }, network, messages, cells,
    phases: timed ? [] : [{ first: 1, last: Math.max(1, Math.floor(steps / 2)), name: "first half" }, { first: Math.floor(steps / 2) + 1, last: steps, name: "second half" }].filter(({ first, last }) => first <= last),
    sentences: timed ? [{ at: 0, text: "The message leaves the root." }]
      : ["Before step 1. Nothing has been sent.", ...use.slice(1).map((_, i) => `Every node does the same, seen from itself: its links carry blocks. ${sentence(i + 1)}`), `Done in ${steps} steps.`],
    bound: boundOf(head, report, network, steps), columns, sets: sets.length > 0 ? sets : undefined, use: null,
  };
}

function hasLink({ links }, from, to, port) {
  for (let i = 0; i < links.length; i += 5) {
    const [u, v, pu, pv] = links.slice(i, i + 4);
    if ((u === from && v === to && pu === port) || (v === from && u === to && pv === port)) return true;
  }
  return false;
}

function boundOf(head, report, network, steps) {
  if (head.collective !== "all-to-all" || network.relative !== "xor" || head.link_model !== "unit") return null;
  const half = network.nodes / 2;
  const bit = Math.log2(network.nodes) - 1;
  const links = [];
  for (let i = 0; i < network.links.length / 5; i++) if (network.links[5 * i + 4] === bit) links.push(2 * i);
  return {
    title: `Why no algorithm needs fewer than ${half} steps`, value: half, unit: "steps", met: steps === half,
    lines: [
      { words: `Blocks that must cross dimension ${bit} from left to right: ${half} senders, ${half} targets`, number: `${half} \u00d7 ${half} = ${half * half}` },
      { words: "Links that lead across", number: String(half) },
      { words: "One packet a link and step, so at least", number: `${half * half} \u00f7 ${half} = ${half} steps` },
    ],
    links, tally: { words: `{n} of {total} have crossed dimension ${bit}`, total: half * half }, after: "Every hop brought its block nearer.",
  };
}

export function documentOf(args, versus = null, other = null) {
  const film = filmOf(args);
  return {
    schema: 1, title: `${TITLES[args[0]]} on ${film.network.name}`, subtitle: `${film.network.nodes} nodes.`, command: `dcube view ${args.join(" ")} --html page.html`,
    versus, films: other ? [film, filmOf(other)] : [film],
  };
}

/** The page with the documents in it, as `dcube view` writes it. */
export function pageOf(documents, statics = "") {
  const page = readFileSync(new URL("../dist/viewer.html", import.meta.url), "utf8");
  const data = documents.map((text, i) => `<script type="application/json" class="dcube-data" id="view-${i}">${(typeof text === "string" ? text : JSON.stringify(text)).replaceAll("<", "\\u003c")}</script>`);
  return page.replace("<title>dcube</title>", () => "<title>A run</title>").replace("<!--dcube:static-->", () => statics).replace("<!--dcube:data-->", () => data.join("\n"));
}

const viewed = program("view", "--help").text.includes("--html");

/** The page of a run; `versus` is another run's arguments. Made by `dcube view` where the program has it. */
export function pageOfRun(file, args, versus = null) {
  if (viewed && !versus) {
    const { code, errors } = program("view", ...args, "--html", file);
    if (code !== 0) throw new Error(`dcube view ${args.join(" ")}: ${errors}`);
    return file;
  }
  return writePage(file, [documentOf(args, versus && { sentence: "The same message twice.", axis: args.includes("link-bound") ? "time" : "step" }, versus)]);
}

export function writePage(file, documents, statics) {
  writeFileSync(file, pageOf(documents, statics));
  return file;
}
