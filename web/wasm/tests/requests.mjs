// Broken requests: made of good ones, changed here and there, the same ones for each seed.

/** Numbers from 0 to 1, of a seed. */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const COLLECTIVES = ["broadcast", "reduce", "scatter", "gather", "all-gather", "reduce-scatter", "all-reduce", "all-to-all", "send", "exchange", "permute", "matrix-transpose", "matrix-quarter-turn", "matrix-half-turn", "matrix-relayout"];
const NETWORKS = ["hypercube:3", "hypercube:2", "torus:3x3", "ring:5*path:2", "complete:5", "petersen", "star:4", "path:1", "hypercube:0", "circulant:7,1,3", "graph:mine", "torus:3x", "hypercube:99", "mesh:2x3 without 0-1"];
const KEYS = {
  what: ["run", "list", "catalogue", "network", "board", "judge"],
  results: [["report"], ["document"], ["explain"], ["report", "document", "explain"], ["bounds"], []],
  collective: COLLECTIVES, topology: NETWORKS, faults: ["0-1", "1", "0-1,2", "0", "7-7", ""], ports: ["all", "one"],
  bytes: [1, 8, 64, "1KiB", "3B"], packets: [1, 2, 7, 12], root: [0, 1, 7, 9], peer: [0, 1, 3, 8], permutation: ["random", "rotation", "xor:1", "bit-reversal", [1, 0], [2, 0, 1], "@mine"],
  rows: [8, 16, 20, 3], columns: [8, 16, 5], layout: ["rows-blocked", "rows-striped", "submatrices", "submatrices-gray"], to_layout: ["rows-striped", "rows-blocked"],
  operation: ["sum", "min", "bit-xor"], type: ["uint8", "int64", "double"], in_place: [true, false], link_model: ["unit", "link-bound"],
  tau_ns_per_byte: [1, "5/2", 0, 0.1, "1/0"], beta_ns: [0, 10, "7/3", "9223372036854775807"], machine: ["ncube3", "infiniband-hdr"], clock: ["data-driven", "lockstep"],
  groups: [1, 2, 5], detour_groups: [1, 3], waves: ["21|0", "1..0", "2|1|0"], halvings: [0, 1, 2],
  algorithm: ["auto", "recursive-doubling", "pipelined", "spread", "unit:spread", "wave", "independent-trees", "direct", "@mine", "dimension-exchange"],
  seed: [1, 7], failing: ["0-1@1", "1@2", "0-2@3,3@1", ["0-1@9"]], versus: [{}, { algorithm: "auto" }, { topology: "complete:4", bytes: 1 }, { ports: "one" }],
  graph: [{ mine: "0 1\n1 2\n2 0\n" }, { mine: "" }, { mine: "0 0" }], program: [{ name: "mine" }, { source: 3 }],
  trace: ["", "{}", '{"dcube_trace":1,"collective":"broadcast","topology":"hypercube:1"}\n{"step":1,"from":0,"to":1,"pieces":[{}]}', '{"step":1,"from":0,"to":1}'],
};
// Large numbers are so large that nothing can be made of them: what takes long would only take long.
const STRANGE = [null, -1, 2 ** 41 + 1, 2 ** 53, 1e300, -0.5, "", " ", "18446744073709551616", "8796093022208", "\u0000", "\u{1f600}\ud800", "../../x", [], [[]], {}, { a: 1 }, true, "null", "constructor", "__proto__", "a".repeat(3000)];

/** So many requests, as texts; about a third can be done. */
export function* requests(count, seed) {
  const random = randomOf(seed);
  const one = (all) => all[Math.floor(random() * all.length)];
  for (let i = 0; i < count; ++i) {
    const request = { collective: one(COLLECTIVES), topology: one(NETWORKS) };
    if (request.collective.startsWith("matrix")) Object.assign(request, { rows: 16, columns: 16, topology: "hypercube:2" });
    if (/send|exchange/.test(request.collective)) request.peer = 1;
    if (request.collective === "permute") request.permutation = "random";
    for (let changes = Math.floor(random() * 5); changes > 0; --changes) {
      const key = one(Object.keys(KEYS));
      const within = random() < 0.1 && typeof request.versus === "object" && request.versus ? request.versus : request;
      within[random() < 0.03 ? `${key}x` : key] = structuredClone(random() < 0.12 ? one(STRANGE) : one(KEYS[key]));
    }
    let text = JSON.stringify(request);
    if (random() < 0.15) {
      const at = Math.floor(random() * text.length);
      text = text.slice(0, at) + one(["", "{", "}", '"', "[", "\\", ",", ":", "1", "\u0007", text.slice(0, 40)]) + text.slice(at + Math.floor(random() * 6));
    }
    yield text;
  }
}
