// Networks and simple layouts for tests; those of the program are better.

const hypercube = (d) => {
  const links = [];
  for (let u = 0; u < 2 ** d; u++) for (let bit = 0; bit < d; bit++) if (!(u >> bit & 1)) links.push(u, u | 1 << bit, bit, bit, bit);
  return { nodes: 2 ** d, links, relative: "xor" };
};

function torus(sizes, wrap) {
  const nodes = sizes.reduce((a, b) => a * b, 1);
  const strides = sizes.map((_, i) => sizes.slice(i + 1).reduce((a, b) => a * b, 1));
  // The last factor's ports come first; in a ring the link upwards comes first.
  const portsOf = [];
  for (let u = 0; u < nodes; u++) {
    portsOf.push([]);
    sizes.map((size, i) => [size, i]).reverse().forEach(([size, i]) => {
      const digit = Math.floor(u / strides[i]) % size;
      for (const by of size === 2 && wrap ? [1] : [1, -1]) {
        const next = digit + by;
        if (!wrap && (next < 0 || next >= size)) continue;
        portsOf[u].push([u + (((next % size) + size) % size - digit) * strides[i], i]);
      }
    });
  }
  const links = [];
  for (let u = 0; u < nodes; u++) {
    portsOf[u].forEach(([v, dim], port) => {
      if (u < v) links.push(u, v, port, portsOf[v].findIndex(([w]) => w === u), dim);
    });
  }
  return { nodes, links, relative: wrap ? { digits: sizes } : "plain", cells: { columns: sizes.at(-1), rows: nodes / sizes.at(-1), count: nodes } };
}

export function networkOf(name) {
  const [kind, rest] = name.split(":");
  const sizes = rest.split("x").map(Number);
  const made = kind === "hypercube" ? hypercube(sizes[0]) : kind === "torus" || kind === "ring" ? torus(sizes, true) : kind === "mesh" || kind === "path" ? torus(sizes, false) : null;
  if (!made) throw new Error(`no such network in the tests: ${name}`);
  return { name, groups: null, ...made };
}

const boxed = (variant, extra = 0) => ({
  stretch: 1.3, bends: {}, stubs: [], ...variant,
  box: [Math.min(...variant.x) - extra, Math.min(...variant.y) - extra, Math.max(...variant.x) + extra, Math.max(...variant.y) + extra],
});

const SHAPES = { 0: 0, 1: 0.47, 2: 0.6 };

/** Low bits to the right, high bits downwards; the second bit of an axis is an arc. */
function lattice(d) {
  const low = Math.ceil(d / 2);
  const [columns, pitch] = [2 ** low, 1.3];
  const nodes = 2 ** d;
  const x = Array.from({ length: nodes }, (_, v) => (v % columns) * pitch);
  const y = Array.from({ length: nodes }, (_, v) => Math.floor(v / columns));
  const bends = {};
  const { links } = hypercube(d);
  for (let i = 0; i < links.length / 5; i++) {
    const [u, v, , , bit] = links.slice(5 * i, 5 * i + 5);
    const level = bit < low ? bit : bit - low;
    if (level === 0) continue;
    const high = SHAPES[level];
    bends[i] = [Array.from({ length: 25 }, (_, k) => {
      const t = k / 24;
      const bulge = high * Math.sin(Math.PI * t) ** 0.62;
      return [x[u] + (x[v] - x[u]) * t - (bit < low ? 0 : bulge * pitch), y[u] + (y[v] - y[u]) * t - (bit < low ? bulge : 0)];
    }).flat()];
  }
  const made = boxed({ x, y, bends, stretch: 1.7 });
  for (const pieces of Object.values(bends)) for (let k = 0; k < pieces[0].length; k += 2) {
    made.box[0] = Math.min(made.box[0], pieces[0][k]);
    made.box[1] = Math.min(made.box[1], pieces[0][k + 1]);
  }
  return { name: "lattice", variants: [made] };
}

function cube(d) {
  const V = d > 3 ? [[1, 0], [0, -0.9], [0.586, -0.191]] : [[1, 0], [0, -0.64], [0.48, -0.32]];
  const nodes = 2 ** d;
  const place = (axis) => Array.from({ length: nodes }, (_, v) => {
    const sum = [0, 1, 2].slice(0, Math.min(d, 3)).reduce((total, k) => total + ((v >> k & 1) - 0.5) * V[k][axis], 0);
    return d > 3 && v >> 3 & 1 ? sum * 0.472 : sum;
  });
  return { name: d > 3 ? "cube in cube" : "cube", variants: [boxed({ x: place(0), y: place(1) })] };
}

function circle(nodes) {
  const at = (turn, f, r) => Array.from({ length: nodes }, (_, v) => r * f((2 * Math.PI * v) / nodes + turn));
  return { name: "circle", variants: [boxed({ x: at(-Math.PI / 2, Math.cos, 1.3), y: at(-Math.PI / 2, Math.sin, 1) })] };
}

function grid(sizes, network, wrap) {
  const columns = sizes.at(-1);
  const x = Array.from({ length: network.nodes }, (_, v) => v % columns);
  const y = Array.from({ length: network.nodes }, (_, v) => Math.floor(v / columns));
  const bends = {};
  const stubs = [];
  for (let i = 0; wrap && i < network.links.length / 5; i++) {
    const [u, v] = network.links.slice(5 * i, 5 * i + 2);
    if (Math.abs(x[u] - x[v]) + Math.abs(y[u] - y[v]) < 2) continue;
    const [dx, dy] = [Math.sign(x[v] - x[u]) * 0.62, Math.sign(y[v] - y[u]) * 0.62];
    bends[i] = [[x[u], y[u], x[u] - dx, y[u] - dy], [x[v] + dx, y[v] + dy, x[v], y[v]]];
    stubs.push([i, x[u] - dx, y[u] - dy, v], [i, x[v] + dx, y[v] + dy, u]);
  }
  return { name: wrap ? "torus" : "mesh", variants: [boxed({ x, y, bends, stubs, stretch: 1.7 }, wrap ? 0.62 : 0)] };
}

/** Large hypercubes: groups of the nodes with the same high four bits. */
export function groupsOf(name, nodes) {
  if (!name.startsWith("hypercube:") || nodes <= 64) return null;
  const size = nodes / 16;
  const { links } = hypercube(4);
  return {
    of: Array.from({ length: nodes }, (_, v) => Math.floor(v / size)), names: Array.from({ length: 16 }, (_, g) => `${g * size}-${(g + 1) * size - 1}`),
    layout: cube(4), links: links.filter((_, i) => i % 5 < 2),
  };
}

export function layoutsOf(name, network) {
  const [kind, rest] = name.split(":");
  const sizes = rest.split("x").map(Number);
  if (network.nodes > 64) return [];
  if (kind === "hypercube") return sizes[0] <= 3 ? [cube(sizes[0]), circle(network.nodes)] : sizes[0] === 4 ? [cube(4), lattice(4)] : [lattice(sizes[0])];
  if (sizes.length === 2) return [grid(sizes, network, kind === "torus")];
  return [circle(network.nodes)];
}
