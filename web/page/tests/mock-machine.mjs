// A small machine in JavaScript with the exports that web/wasm/programs.cpp has, for tests of node programs without the module: a
// hypercube, all ports, unit links. Its memory can be made to move, as the module's does when it grows.

class Refused extends Error {}

export class MockMachine {
  memory = { buffer: new ArrayBuffer(1 << 16) };
  #free = 64;
  #text = 8;
  #textSize = 0;
  #left = 16;
  #failure = "";

  constructor(dimension, { input = 8, output = 8, facts = {}, moves = false, holds = () => true } = {}) {
    const nodes = 1 << dimension;
    this.dimension = dimension;
    this.moves = moves;
    this.facts = {
      collective: "all-gather",
      topology: `hypercube:${dimension}`,
      nodes,
      dimension,
      one_port: false,
      bytes: input,
      packets: 1,
      root: 0,
      peer: 0,
      operation: "sum",
      type: "uint8",
      permutation: [],
      ...facts,
    };
    this.nodes = Array.from({ length: nodes }, (_, id) => ({
      id,
      inbox: Array.from({ length: dimension }, () => []),
      sentIn: new Array(dimension).fill(0),
      input: [this.allocate(input), holds(id) ? input : 0],
      output: [this.allocate(output), output],
      waits: null,
      ended: false,
    }));
    for (const {
      id,
      input: [at, size],
    } of this.nodes)
      for (let i = 0; i < size; i++) this.bytes()[at + i] = (id * 16 + i) & 255;
  }

  bytes() {
    return new Uint8Array(this.memory.buffer);
  }
  words() {
    return new DataView(this.memory.buffer);
  }
  /** Puts the memory elsewhere, with so many bytes more. */
  move(bytes) {
    const more = new ArrayBuffer(this.memory.buffer.byteLength + bytes);
    new Uint8Array(more).set(this.bytes());
    structuredClone(this.memory.buffer, { transfer: [this.memory.buffer] }); // earlier arrays are cut off
    this.memory.buffer = more;
  }
  allocate(size) {
    const at = this.#free;
    this.#free += (size + 15) & ~15;
    while (this.#free > this.memory.buffer.byteLength) this.move(65536);
    return at;
  }
  release() {}
  #say(text) {
    const bytes = new TextEncoder().encode(text);
    this.#text = this.allocate(bytes.length);
    this.#textSize = bytes.length;
    this.bytes().set(bytes, this.#text);
  }
  #try(work) {
    if (this.moves) this.move(0); // it need not become larger for that
    try {
      work();
      return 0;
    } catch (error) {
      this.kept ??= error;
      this.#say(error.message);
      return 1;
    }
  }
  rule(rule, node, port, detail, step = this.step) {
    return Object.assign(new Refused(`${rule} in step ${step} at node ${node}, port ${port}: ${detail}`), {
      rule,
      step,
      node,
      port,
    });
  }
  #port(port) {
    if (port >= this.dimension)
      throw this.rule("no-such-port", this.turn.id, port, `it has ports 0 to ${this.dimension - 1}`);
    return port;
  }
  #take(port) {
    const box = this.turn.inbox[this.#port(port)];
    if (box.length === 0 || box[0].step >= this.step)
      throw this.rule("nothing-arrived", this.turn.id, port, "no packet waits");
    const packet = box.shift();
    this.taken.push(packet);
    return packet;
  }

  exports = {
    memory: this.memory,
    allocate: (bytes) => this.allocate(bytes),
    release: () => undefined,
    own_text_at: () => this.#text,
    own_text_size: () => this.#textSize,
    own_left: () => this.#left,
    own_facts: () => this.#say(JSON.stringify(this.facts)),
    own_node: () => {
      const { input, output, id } = this.turn;
      [...input, ...output, id, this.dimension].forEach((word, i) =>
        this.words().setUint32(this.#left + 16 + 4 * i, word, true),
      );
    },
    own_failed: (at, size) => {
      this.#failure = new TextDecoder().decode(this.bytes().slice(at, at + size));
    },
    own_send: (port, at, size, header) =>
      this.#try(() => {
        if (this.turn.sentIn[this.#port(port)] === this.step)
          throw this.rule("link-busy", this.turn.id, port, "a second packet on one link in one step");
        this.turn.sentIn[port] = this.step;
        this.nodes[this.turn.id ^ (1 << port)].inbox[port].push({
          from: this.turn.id,
          port,
          at,
          size,
          header,
          step: this.step,
          was: this.bytes().slice(at, at + size),
        });
      }),
    own_receive_into: (port, at, size) =>
      this.#try(() => {
        const packet = this.#take(port);
        if (packet.size !== size)
          throw this.rule("size-mismatch", this.turn.id, port, `${packet.size} bytes for ${size}`);
        this.bytes().copyWithin(at, packet.at, packet.at + size);
        this.words().setFloat64(this.#left, packet.header, true);
      }),
    own_receive: (port) =>
      this.#try(() => {
        const packet = this.#take(port);
        this.words().setFloat64(this.#left, packet.header, true);
        this.words().setUint32(this.#left + 8, packet.at, true);
        this.words().setUint32(this.#left + 12, packet.size, true);
      }),
    own_arrived: (port) =>
      this.#try(() => {
        const box = this.turn.inbox[this.#port(port)];
        this.words().setUint32(this.#left + 12, box.length > 0 && box[0].step < this.step ? 1 : 0, true);
      }),
    own_alive: (port) =>
      this.#try(() => {
        this.#port(port);
        this.words().setUint32(this.#left + 12, 1, true);
      }),
    own_neighbour: (port) =>
      this.#try(() => {
        this.words().setUint32(this.#left + 32, this.turn.id ^ (1 << this.#port(port)), true);
      }),
    own_allocate: (bytes) =>
      this.#try(() => {
        this.words().setUint32(this.#left + 8, this.allocate(bytes), true);
      }),
    own_phase: () => 0,
    own_copy: (into, from, size) =>
      this.#try(() => {
        this.bytes().copyWithin(into, from, from + size);
      }),
    own_add: (into, from, size) =>
      this.#try(() => {
        for (let i = 0; i < size; i++) this.bytes()[into + i] += this.bytes()[from + i];
      }),
    own_write: (into, value, size) =>
      this.#try(() => {
        if (into >= this.turn.input[0] && into < this.turn.input[0] + this.turn.input[1])
          throw new Refused("a node's input may only be read");
        this.bytes().copyWithin(into, value, value + size);
      }),
    own_add_value: (into, value, size) =>
      this.#try(() => {
        for (let i = 0; i < size; i++) this.bytes()[into + i] += this.bytes()[value + i];
      }),
  };

  /** Runs to the end; the error as the lab has it, or the steps. */
  run(resume) {
    const program = (node, text) => ({
      kind: "program",
      message: `the program of node ${node} failed in step ${this.step}: ${text}`,
      step: this.step,
      node,
    });
    for (this.step = 1; ; this.step++) {
      this.taken = [];
      let turns = 0;
      for (const node of this.nodes) {
        const ready = (port) => node.inbox[port].length > 0 && node.inbox[port][0].step < this.step;
        if (node.ended || (node.waits && !node.waits.some(ready))) continue;
        this.turn = node;
        this.kept = undefined;
        turns++;
        const answer = resume(1, node.id, this.step);
        if (this.kept)
          return this.kept.rule
            ? { kind: "rule", ...this.kept, message: this.kept.message }
            : program(node.id, this.kept.message);
        if (answer === 3) return program(node.id, this.#failure);
        node.ended = answer === 0;
        node.waits = answer === 2 ? node.inbox.map((_, port) => port) : answer >= 4 ? [answer - 4] : null;
      }
      for (const { from, port, at, size, step, was } of this.taken)
        if (!was.every((byte, i) => byte === this.bytes()[at + i])) {
          const { message, ...error } = this.rule(
            "lent-bytes-changed",
            from,
            port,
            `bytes sent in step ${step} were changed before the end of the step in which they were received`,
          );
          return {
            kind: "rule",
            ...error,
            packet: { sender: from, step },
            message: this.rule(error.rule, from, port, `bytes sent in step ${step} were changed`).message,
          };
        }
      if (this.nodes.every(({ ended }) => ended)) return this.#left_over() ?? { steps: this.step - 1 };
      const coming = this.nodes.some(({ inbox }) => inbox.some((box) => box.some(({ step }) => step === this.step)));
      if (turns === 0 || (!coming && this.nodes.every(({ ended, waits }) => ended || waits))) {
        if (this.nodes.some(({ waits, inbox }) => waits?.some((port) => inbox[port].length > 0))) continue;
        return {
          kind: "deadlock",
          ...this.rule("deadlock", 0, 0, "nodes wait"),
          message: this.rule("deadlock", 0, 0, "nodes wait").message,
        };
      }
    }
  }
  #left_over() {
    for (const { id, inbox } of this.nodes)
      for (const box of inbox)
        for (const { from, port, step } of box) {
          const error = this.rule(
            "never-received",
            id,
            port,
            `the run ended before the packet from node ${from} was received`,
            step,
          );
          return { kind: "rule", ...error, packet: { sender: from, step }, message: error.message };
        }
    return null;
  }
  output(node) {
    const {
      output: [at, size],
    } = this.nodes[node];
    return this.bytes().slice(at, at + size);
  }
}
