// Programs of one's own: a student's generator, `function* program(me)`, on every node of the machine.
//
// It runs where the module does, in the run's worker, and knows no page. Its text is the last part of the worker's own
// source, so nothing evaluates text, and lines of errors are found by counting. What comes before it leaves only the language
// in the worker (bare.ts), so the program finds neither messages nor anything that its nodes could share.
//
// A node's memory is there twice: in arrays of JavaScript, which are what the program sees and which stay valid however the
// module's memory grows, and in the machine's memory. The bytes that a call of the program reads are carried over before it,
// those that it writes after it; and lent bytes are carried over again when its turn ends, so that the machine sees a change.
// So a program cannot reach the machine's own memory either.

import { leaveBare } from "./bare";

export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;
type NumbersType<T extends Numbers> = {
  new (buffer: ArrayBuffer, offset: number, length: number): T;
  BYTES_PER_ELEMENT: number;
  name: string;
};

/** The module's exports for programs: web/wasm/programs.cpp. */
export interface ProgramExports {
  memory: { buffer: ArrayBuffer };
  allocate(bytes: number): number;
  release(at: number): void;
  own_text_at(): number;
  own_text_size(): number;
  own_left(): number;
  own_facts(): void;
  own_node(): void;
  own_failed(at: number, size: number): void;
  own_send(port: number, at: number, bytes: number, header: number): number;
  own_receive_into(port: number, at: number, bytes: number): number;
  own_receive(port: number): number;
  own_arrived(port: number): number;
  own_alive(port: number): number;
  own_neighbour(port: number): number;
  own_allocate(bytes: number): number;
  own_phase(at: number, size: number): number;
  own_copy(into: number, from: number, bytes: number): number;
  own_add(into: number, from: number, bytes: number): number;
  own_write(into: number, value: number, bytes: number): number;
  own_add_value(into: number, value: number, bytes: number): number;
}

/** A program's knowledge of its problem. */
export interface Facts {
  collective: string;
  topology: string;
  nodes: number;
  dimension: number;
  one_port: boolean;
  bytes: number;
  packets: number;
  root: number;
  peer: number;
  operation: string;
  type: string;
  permutation: number[];
  /** The program's text. */
  source: string;
}

/** A line that a program said. */
export interface Said {
  node: number;
  step: number;
  text: string;
}

/** A place in the program's source, from 1. */
export interface Place {
  line: number;
  column: number;
}

/** An error of the lab's, as far as it matters here. */
export interface OwnError {
  kind: string;
  message: string;
  rule?: string | null;
  step?: number | null;
  node?: number | null;
  port?: number | null;
  /** The packet that was not received, or not left unchanged: its sender and its step. */
  packet?: { sender: number; step: number } | null;
  line?: number;
  column?: number;
  /** The number of the program, where there are two. */
  program?: number;
  /** The lines at which nodes wait in a deadlock. */
  waiting?: { line: number; nodes: number[] }[];
}

// Programs as the last part of a worker's source, and where they stand in it. Two runs that are compared may have two.

const linesOf = (source: string): number => source.split(/\r\n|[\n\r\u2028\u2029]/).length;

/** Left by the text below for ProgramRunner: each program's number of lines before it, and the function that makes it. */
export interface Made {
  before: number;
  lines: number;
  stack: string;
  /** The program, whose global object is this one. */
  make(globals: object): unknown;
}

/** The places of programs in a script, which begin in this line. */
function placed(sources: readonly string[], first = 1): { source: string; before: number; lines: number }[] {
  let before = first;
  return sources.map((source) => {
    const one = { source, before, lines: linesOf(source) };
    before += one.lines + 2;
    return one;
  });
}

/** The programs behind another part of a script, or alone. Every node makes the program anew, so its variables are the node's. */
export function programText(sources: readonly string[], part = ""): string {
  const before = part === "" ? "" : `${part}\n`;
  return (
    before +
    placed(sources, linesOf(before))
      .map(
        ({ source, before: line, lines }, i) =>
          `${i === 0 ? "dcubeBegin()" : ""}.add({before:${line},lines:${lines},stack:new ` +
          `Error().stack,make(globalThis){"use strict";\n${source}\n;return typeof ` +
          `program==="undefined"?undefined:program;}})\n`,
      )
      .join("")
  );
}

let made: Made[] = [];

/** Lets programs follow, to which it leaves only the language. */
export function readyForPrograms(leave: typeof leaveBare | null = leaveBare): void {
  const list = {
    add(one: Made) {
      made.push(Object.freeze(one));
      return list;
    },
  };
  const begin = (): typeof list => {
    made = [];
    leave?.([Me, Received, Wait, Bytes, MachineError]);
    return Object.freeze(list);
  };
  Object.assign(globalThis, { dcubeBegin: begin });
}

/** The programs that this script ends with. */
export const madePrograms = (): readonly Made[] => made;

/** The sources that a request has. */
export function programsOf(request: { [key: string]: unknown }): string[] {
  const source = (of: unknown): unknown =>
    (of as { program?: { source?: unknown } } | null | undefined)?.program?.source;
  return [
    ...new Set([source(request), source(request.versus)].filter((one): one is string => typeof one === "string")),
  ];
}

/** "at program (blob:..:5:11)", "at blob:..:5:11"; "program@blob:..:5:11" in Firefox. */
const FRAME = /((?:\[worker eval\]|[^()\s])+):(\d+):(\d+)\)?$/;
const LONGEST_FRAME = 1_000_000;
interface Frame {
  file: string;
  line: number;
  column: number;
}
function framesOf(stack: string): Frame[] {
  return stack.split("\n").flatMap((text) => {
    const found = text.length <= LONGEST_FRAME ? FRAME.exec(text.trim()) : null; // it begins with the message
    return found ? [{ file: found[1]!.replace(/^.*@/, ""), line: Number(found[2]), column: Number(found[3]) }] : [];
  });
}

/** The same to be read only: as a module, which neither runs nor declares anything. */
export const programsToRead = (sources: readonly string[]): string => `throw "${READ}";${programText(sources)}`;
const READ = "read";

/** A browser's message about a script of programs that it cannot read; null if it can. An error that is found
    only after a program's end, such as a bracket that is never closed, is at its last line. */
export function unreadable(
  sources: readonly string[],
  { message, lineno, colno }: { message?: string; lineno?: number; colno?: number },
): OwnError | null {
  const all = placed(sources);
  if (!lineno || all.length === 0 || message?.endsWith(READ)) return null;
  const found = all.findIndex(({ before, lines }) => lineno <= before + lines + 1);
  const at = found < 0 ? all.length - 1 : found;
  const { before, lines } = all[at]!;
  const after = lineno > before + lines;
  const line = after ? lines : Math.max(1, lineno - before);
  const said = (message ?? "").replace(/^Uncaught\s+/, "") || "it cannot be read";
  return {
    kind: "program",
    step: null,
    line,
    column: after ? 1 : (colno ?? 1),
    program: at,
    message:
      `the program cannot be read: ${said}${after ? "; something that it opens is never closed" : ""} ` +
      `(line ${line} of your program)`,
  };
}

// Running it.

/** The machine refused a call. */
class MachineError extends Error {
  override name = "MachineError";
}

/** A stretch of memory that there is twice. */
interface Region {
  bytes: Uint8Array;
  at: number;
  kind: "input" | "output" | "allocated" | "packet";
}

interface Sent {
  step: number;
  port: number;
  region: Region;
  offset: number;
  size: number;
  where: Error;
}

/** The value that a program yields to wait: me.arrival(port), me.anyArrival(). */
class Wait {
  constructor(
    readonly port: number | null,
    readonly where: Error,
  ) {}
}

/** A node's bytes. Setting them from others of the node is a copy that films can follow. */
class Bytes extends Uint8Array<ArrayBuffer> {
  override set(from: ArrayLike<number>, offset = 0): void {
    const me = owners.get(this.buffer);
    if (
      me &&
      from instanceof Uint8Array &&
      Number.isInteger(offset) &&
      offset >= 0 &&
      offset + from.length <= this.length &&
      me.follows(from)
    )
      me.copy(this.subarray(offset, offset + from.length), from);
    else super.set(from, offset);
  }
}
const owners = new WeakMap<ArrayBuffer, Me>();

/** A packet that was received. */
class Received {
  constructor(
    readonly header: number,
    readonly bytes: Uint8Array,
  ) {}

  get size(): number {
    return this.bytes.length;
  }
  as<T extends Numbers>(type: NumbersType<T>): T {
    return typed(type, this.bytes);
  }
}

function typed<T extends Numbers>(type: NumbersType<T>, bytes: Uint8Array): T {
  if (bytes.length % type.BYTES_PER_ELEMENT !== 0)
    throw new RangeError(
      `${bytes.length} bytes are not whole numbers of ${type.BYTES_PER_ELEMENT} bytes (${type.name})`,
    );
  return new type(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length / type.BYTES_PER_ELEMENT);
}

const counted = (bytes: number): string => (bytes === 1 ? "1 byte" : `${bytes} bytes`);
const describe = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? `a ${(value as object).constructor?.name ?? "object"}`
        : typeof value === "function"
          ? "a function"
          : String(value);

/** The node, as its program sees it. */
export class Me {
  readonly id: number;
  /** The number of its ports. */
  readonly ports: number;
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly #machine: Machine;
  readonly #regions = new Map<ArrayBufferLike, Region>();
  /** The last two packets of each port: an earlier one has been taken, or breaks a rule. */
  readonly #sent: Sent[] = [];
  #packets: ArrayBufferLike[] = [];
  #made: { what: string; where: Error }[] = [];

  constructor(
    machine: Machine,
    node: { id: number; ports: number; input: [number, number]; output: [number, number] },
  ) {
    this.#machine = machine;
    this.id = node.id;
    this.ports = node.ports;
    this.input = this.#region("input", ...node.input);
    this.output = this.#region("output", ...node.output);
  }

  get step(): number {
    return this.#machine.step;
  }
  get nodes(): number {
    return this.#machine.facts.nodes;
  }
  get dimension(): number {
    return this.#machine.facts.dimension;
  }
  get root(): number {
    return this.#machine.facts.root;
  }
  get peer(): number {
    return this.#machine.facts.peer;
  }
  /** The facts of the problem. */
  get problem(): Facts {
    return this.#machine.facts;
  }

  inputAs<T extends Numbers>(type: NumbersType<T>): T {
    return typed(type, this.input);
  }
  outputAs<T extends Numbers>(type: NumbersType<T>): T {
    return typed(type, this.output);
  }

  neighbour(port: number): number {
    this.#turn();
    this.#do(this.#machine.exports.own_neighbour(this.#port(port)));
    return this.#machine.leftNode();
  }

  allocate(bytes: number): Uint8Array {
    this.#turn();
    if (!Number.isInteger(bytes) || bytes < 0 || bytes > 0x7fffffff)
      throw new RangeError(`me.allocate takes a number of bytes, not ${describe(bytes)}`);
    this.#do(this.#machine.exports.own_allocate(bytes));
    return this.#region("allocated", this.#machine.leftAt(), bytes);
  }
  allocateAs<T extends Numbers>(type: NumbersType<T>, count: number): T {
    return typed(type, this.allocate(count * type.BYTES_PER_ELEMENT));
  }

  send(port: number, bytes: ArrayBufferView, header = 0): void {
    this.#turn();
    if (!Number.isSafeInteger(header) || header < 0)
      throw new RangeError(`a header is a whole number from 0 to 2^53 - 1, not ${describe(header)}`);
    const place = this.#place(bytes);
    if (!place || place.region.kind === "packet")
      throw new TypeError(
        place || bytes instanceof Received
          ? "sent bytes must be the node's own memory, and a received packet is the sender's: receive it into " +
            "your own, me.receive(port, into), and send that"
          : isBytes(bytes)
            ? "sent bytes must be the node's own memory: me.input, me.output, what me.allocate(bytes) gave, or a part of them (subarray)"
            : `me.send(port, bytes) takes bytes of the node's own memory, not ${describe(bytes)}`,
      );
    const { region, offset, size } = place;
    this.#push(place);
    this.#do(this.#machine.exports.own_send(this.#port(port), region.at + offset, size, header));
    const sent = this.#sent.filter((one) => one.port === port);
    if (sent.length > 1) this.#sent.splice(this.#sent.indexOf(sent[0]!), 1);
    this.#sent.push({ step: this.step, port, region, offset, size, where: new Error() });
  }

  /** Into memory of the node's own; or without: the packet may be read, copied and added in this step. */
  receive(port: number, into?: ArrayBufferView): Received {
    this.#turn();
    const { exports } = this.#machine;
    if (into !== undefined) {
      const place = this.#writable(into, "me.receive(port, into)");
      this.#push(place);
      this.#do(exports.own_receive_into(this.#port(port), place.region.at + place.offset, place.size));
      this.#pull(place);
      return new Received(
        this.#machine.leftHeader(),
        place.region.bytes.subarray(place.offset, place.offset + place.size),
      );
    }
    this.#do(exports.own_receive(this.#port(port)));
    const [at, size, header] = [this.#machine.leftAt(), this.#machine.leftBytes(), this.#machine.leftHeader()];
    const bytes = this.#region("packet", at, size);
    this.#packets.push(bytes.buffer);
    return new Received(header, bytes);
  }

  arrived(port: number): boolean {
    this.#turn();
    this.#do(this.#machine.exports.own_arrived(this.#port(port)));
    return this.#machine.leftBytes() !== 0;
  }

  /** Whether a packet that is sent over the port now arrives: false once its link has failed. */
  alive(port: number): boolean {
    this.#turn();
    this.#do(this.#machine.exports.own_alive(this.#port(port)));
    return this.#machine.leftBytes() !== 0;
  }

  /** To be yielded: `yield me.arrival(port)`. */
  arrival(port: number): Wait {
    this.#turn();
    const wait = new Wait(this.#port(port), new Error());
    this.#made.push({ what: "yield me.arrival(port)", where: wait.where });
    return wait;
  }
  anyArrival(): Wait {
    this.#turn();
    const wait = new Wait(null, new Error());
    this.#made.push({ what: "yield me.anyArrival()", where: wait.where });
    return wait;
  }

  /** `yield* me.exchange(port, out, into)`: sends, ends the step, and receives the neighbour's packet of the same call. */
  exchange(port: number, out: ArrayBufferView, into: ArrayBufferView): Generator<undefined, Received, unknown> {
    this.#turn();
    const made = { what: "yield* me.exchange(port, out, into)", where: new Error() };
    this.#made.push(made);
    return this.#exchange(port, out, into, made);
  }
  *#exchange(
    port: number,
    out: ArrayBufferView,
    into: ArrayBufferView,
    made: { what: string; where: Error },
  ): Generator<undefined, Received, unknown> {
    this.#used(made.where);
    this.send(port, out);
    yield;
    return this.receive(port, into);
  }

  /** Copies into the node's own memory; films can follow such copies. */
  copy(into: ArrayBufferView, from: ArrayBufferView | Received): void {
    this.#turn();
    const to = this.#writable(into, "me.copy(into, from)");
    const values = this.#values(from, to.size, "me.copy(into, from)");
    const place = this.#place(values);
    if (place) {
      this.#push(to);
      this.#push(place);
      this.#do(this.#machine.exports.own_copy(to.region.at + to.offset, place.region.at + place.offset, to.size));
    } else
      this.#machine.lend(values, (at) =>
        this.#do(this.#machine.exports.own_write(to.region.at + to.offset, at, to.size)),
      );
    this.#pull(to);
  }

  /** Adds to the node's own memory, with the operation and the type of the problem. */
  add(into: ArrayBufferView, from: ArrayBufferView | Received): void {
    this.#turn();
    const to = this.#writable(into, "me.add(into, from)");
    const values = this.#values(from, to.size, "me.add(into, from)");
    const place = this.#place(values);
    this.#push(to);
    if (place) {
      this.#push(place);
      this.#do(this.#machine.exports.own_add(to.region.at + to.offset, place.region.at + place.offset, to.size));
    } else
      this.#machine.lend(values, (at) =>
        this.#do(this.#machine.exports.own_add_value(to.region.at + to.offset, at, to.size)),
      );
    this.#pull(to);
  }

  phase(name: string): void {
    this.#turn();
    const bytes = new TextEncoder().encode(String(name));
    this.#machine.lend(bytes, (at) => this.#do(this.#machine.exports.own_phase(at, bytes.length)));
  }

  /** A line for the output, under the film. */
  say(...what: unknown[]): void {
    this.#machine.say(this.id, what.map(sayable).join(" "));
  }

  /** Whether films can follow a copy of these bytes, or it is refused. */
  follows(bytes: ArrayBufferView): boolean {
    return this.#machine.turn === this && (this.#place(bytes) !== null || this.#isOthers(bytes));
  }

  // For the machine.

  static begin(me: Me): void {
    for (const buffer of me.#packets) me.#regions.delete(buffer);
    me.#packets = [];
  }

  /** Lent bytes are carried over again, and at the end the node's results. */
  static end(me: Me, finished: boolean): void {
    for (const { region, offset, size } of me.#sent) me.#push({ region, offset, size });
    if (!finished) return;
    const forgotten = me.#made[0]?.what;
    if (forgotten) throw Me.at(me, new TypeError(`${forgotten}: without ${forgotten.split(" ")[0]} it does nothing`));
    me.#push({ region: me.#regions.get(me.output.buffer)!, offset: 0, size: me.output.length });
  }

  /** The error, at the place where the program made the value that it did not use. */
  static at(me: Me, error: Error): Error {
    return Object.assign(error, { where: me.#made[0]?.where });
  }

  static waits(me: Me, wait: Wait): void {
    me.#used(wait.where);
  }

  /** The place where the packet was sent that left over the port (null: any that fits) in that step. */
  static sentAt(me: Me, step: number | null, fits: (port: number) => boolean): Error | null {
    return me.#sent.filter((one) => fits(one.port) && (step === null || one.step === step)).at(-1)?.where ?? null;
  }

  #used(where: Error): void {
    this.#made = this.#made.filter((one) => one.where !== where);
  }

  #turn(): void {
    const { turn } = this.#machine;
    if (turn !== this)
      throw new Error(
        turn
          ? `the node whose turn it is, ${turn.id}, uses the \`me\` of node ${this.id}`
          : `node ${this.id} is used when it is not its turn`,
      );
  }

  #do(refused: number): void {
    if (refused !== 0) throw new MachineError(this.#machine.text());
  }

  #port(port: number): number {
    if (!Number.isInteger(port) || port < 0 || port > 0xffffffff)
      throw new RangeError(`a port is a whole number from 0 to ${this.ports - 1}, not ${describe(port)}`);
    return port;
  }

  #region(kind: Region["kind"], at: number, size: number): Bytes {
    const bytes = new Bytes(new ArrayBuffer(size));
    Uint8Array.prototype.set.call(bytes, this.#machine.memory().subarray(at, at + size));
    this.#regions.set(bytes.buffer, { bytes: new Uint8Array(bytes.buffer), at, kind });
    owners.set(bytes.buffer, this);
    return bytes;
  }

  #place(bytes: unknown): { region: Region; offset: number; size: number } | null {
    if (!isBytes(bytes)) return null;
    const region = this.#regions.get(bytes.buffer);
    return region ? { region, offset: bytes.byteOffset, size: bytes.byteLength } : null;
  }

  #isOthers(bytes: ArrayBufferView): boolean {
    return (owners.get(bytes.buffer as ArrayBuffer) ?? this) !== this;
  }

  #writable(bytes: unknown, call: string): { region: Region; offset: number; size: number } {
    const place = this.#place(bytes);
    if (place && (place.region.kind === "output" || place.region.kind === "allocated")) return place;
    if (!isBytes(bytes)) throw new TypeError(`${call} writes to the node's own memory, not to ${describe(bytes)}`);
    throw new TypeError(
      place?.region.kind === "input"
        ? `${call}: the node's input may only be read; write to me.output or to what me.allocate(bytes) gave`
        : `${call} writes to the node's own memory: me.output, what me.allocate(bytes) gave, or a part of them (subarray)`,
    );
  }

  #values(from: unknown, size: number, call: string): ArrayBufferView {
    const values = from instanceof Received ? from.bytes : from;
    if (!isBytes(values)) throw new TypeError(`${call} reads bytes, not ${describe(from)}`);
    if (this.#isOthers(values))
      throw new TypeError(`${call} reads bytes of another node: a node has only its own, and what it receives`);
    if (values.byteLength !== size)
      throw new RangeError(`${call}: ${counted(values.byteLength)} do not fit into ${size}`);
    return values;
  }

  /** To the machine. */
  #push({ region, offset, size }: { region: Region; offset: number; size: number }): void {
    if (size === 0) return;
    const bytes = region.bytes.subarray(offset, offset + size);
    if (region.kind === "packet") {
      if (!same(bytes, this.#machine.memory(), region.at + offset))
        throw new Error("a received packet is the sender's, and may only be read");
      return;
    }
    if (same(bytes, this.#machine.memory(), region.at + offset)) return;
    this.#machine.lend(bytes, (at) => this.#do(this.#machine.exports.own_write(region.at + offset, at, size)));
  }

  /** From the machine. */
  #pull({ region, offset, size }: { region: Region; offset: number; size: number }): void {
    region.bytes.set(this.#machine.memory().subarray(region.at + offset, region.at + offset + size), offset);
  }
}

const isBytes = (value: unknown): value is ArrayBufferView => ArrayBuffer.isView(value);

function same(bytes: Uint8Array, memory: Uint8Array, at: number): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== memory[at + i]) return false;
  return true;
}

function sayable(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Received) return sayable(value.bytes);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as Uint8Array).join(" ");
  if (typeof value === "bigint") return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

// `resume`'s answers, as web/wasm/programs.cpp has them.
const FINISHED = 0;
const NEXT_STEP = 1;
const ANY_ARRIVAL = 2;
const FAILED = 3;
const ARRIVAL = 4;
/** The most lines and letters of programs' output that are kept. */
const MOST_SAID = 2000;
const MOST_LETTERS = 2000;

/** The state that all nodes share. */
class Machine {
  exports!: ProgramExports;
  facts!: Facts;
  turn: Me | null = null;
  step = 0;
  said: Said[] = [];
  unsaid = 0;
  #memory = new Uint8Array(0);
  #room = { at: 0, size: 0 };

  /** It moves when it grows. */
  memory(): Uint8Array {
    if (this.#memory.buffer !== this.exports.memory.buffer) this.#memory = new Uint8Array(this.exports.memory.buffer);
    return this.#memory;
  }
  text(): string {
    return new TextDecoder().decode(
      this.memory().slice(this.exports.own_text_at(), this.exports.own_text_at() + this.exports.own_text_size()),
    );
  }
  #left(): DataView {
    return new DataView(this.exports.memory.buffer, this.exports.own_left(), 40);
  }
  leftHeader(): number {
    return this.#left().getFloat64(0, true);
  }
  leftAt(): number {
    return this.#left().getUint32(8, true);
  }
  leftBytes(): number {
    return this.#left().getUint32(12, true);
  }
  leftNode(): number {
    return this.#left().getUint32(32, true);
  }
  node(): { id: number; ports: number; input: [number, number]; output: [number, number] } {
    this.exports.own_node();
    const left = this.#left();
    const word = (at: number): number => left.getUint32(at, true);
    return { id: word(32), ports: word(36), input: [word(16), word(20)], output: [word(24), word(28)] };
  }

  /** Lets the module read bytes that are not in its memory. */
  lend(bytes: ArrayBufferView, use: (at: number) => void): void {
    if (this.#room.size < bytes.byteLength) {
      if (this.#room.at) this.exports.release(this.#room.at);
      this.#room = { at: this.exports.allocate(bytes.byteLength), size: bytes.byteLength };
      if (this.#room.at === 0) {
        this.#room.size = 0;
        throw new RangeError("there is not enough memory");
      }
    }
    this.memory().set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), this.#room.at);
    use(this.#room.at);
  }

  say(node: number, text: string): void {
    if (this.said.length < MOST_SAID)
      this.said.push({
        node,
        step: this.step,
        text: text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}...` : text,
      });
    else this.unsaid++;
  }
}

interface Own {
  me: Me;
  task: Generator<unknown, unknown, unknown> | null;
  /** The place where it waits. */
  waits: Error | null;
  failed: unknown;
}

/** Runs programs, in one run after the other, each on every node. */
export class ProgramRunner {
  readonly #machine = new Machine();
  readonly #nodes: (Own | undefined)[] = [];
  #run = 0;
  #program = -1;

  constructor(
    private readonly sources: readonly string[],
    private readonly made: readonly Made[],
  ) {}

  /** For the import of that name. */
  readonly resume = (run: number, node: number, step: number): number => {
    try {
      if (run !== this.#run) this.#begin(run);
      this.#machine.step = step;
      const own = (this.#nodes[node] ??= {
        me: new Me(this.#machine, this.#machine.node()),
        task: null,
        waits: null,
        failed: null,
      });
      this.#machine.turn = own.me;
      return this.#resume(own);
    } catch (error) {
      const own = this.#nodes[node];
      if (own) own.failed = error;
      this.#tell(sentence(error));
      return FAILED;
    } finally {
      this.#machine.turn = null;
    }
  };

  /** Before the module is asked. */
  attach(exports: ProgramExports): void {
    this.#machine.exports = exports;
  }

  /** The programs' output. */
  get said(): Said[] {
    const { said, unsaid } = this.#machine;
    return unsaid === 0
      ? said
      : [...said, { node: said.at(-1)!.node, step: said.at(-1)!.step, text: `(and ${unsaid} more lines)` }];
  }

  #begin(run: number): void {
    this.#run = run;
    this.#nodes.length = 0;
    this.#machine.exports.own_facts();
    this.#machine.facts = Object.freeze(JSON.parse(this.#machine.text()) as Facts);
    this.#program = this.sources.indexOf(this.#machine.facts.source);
  }

  /** Nothing may be thrown through the module. */
  #tell(text: string): void {
    try {
      const bytes = new TextEncoder().encode(text);
      this.#machine.lend(bytes, (at) => this.#machine.exports.own_failed(at, bytes.length));
    } catch {
      this.#machine.exports.own_failed(0, 0);
    }
  }

  #resume(own: Own): number {
    own.waits = null;
    Me.begin(own.me);
    own.task ??= this.#task(own.me);
    const { done, value } = own.task.next();
    Me.end(own.me, done === true);
    if (done) return FINISHED;
    if (value === undefined) return NEXT_STEP;
    if (!(value instanceof Wait))
      throw Me.at(
        own.me,
        new TypeError(
          isGenerator(value)
            ? "a generator is yielded: write yield* me.exchange(..), with a star"
            : `yield takes nothing, me.arrival(port) or me.anyArrival(), not ${describe(value)}`,
        ),
      );
    Me.waits(own.me, value);
    own.waits = value.where;
    return value.port === null ? ANY_ARRIVAL : ARRIVAL + value.port;
  }

  #task(me: Me): Generator<unknown, unknown, unknown> {
    const program = this.made[this.#program]?.make(Object.create(globalThis) as object);
    if (program === undefined)
      throw new TypeError("there is no `program`: a program begins with function* program(me)");
    const task: unknown = typeof program === "function" ? program(me) : program;
    if (!isGenerator(task))
      throw new TypeError("`program` is no generator: it is written function* program(me), with a star");
    return task;
  }

  /** The error with the lines of the program that it is about. */
  explain<E extends OwnError>(error: E): E {
    try {
      return this.#explained(error);
    } catch {
      return error; // a thrown value that is no Error has no place
    }
  }

  #explained<E extends OwnError>(error: E): E {
    if (error.rule === "deadlock") {
      const waiting = this.#waiting();
      const lines = waiting.map(({ line }) => line);
      return lines.length === 0
        ? error
        : {
            ...error,
            waiting,
            line: lines[0],
            program: this.#program,
            message: `${error.message} (${lines.length > 1 ? "lines" : "line"} ${listed(lines)} of your program)`,
          };
    }
    const place = this.#place(this.#where(error));
    return place
      ? { ...error, ...place, program: this.#program, message: `${error.message} (line ${place.line} of your program)` }
      : error;
  }

  #where({ kind, rule, step, node, port, packet }: OwnError): unknown {
    if (node === null || node === undefined) return null;
    const own = this.#nodes[node];
    if (!own) return null;
    const at = port ?? null;
    const leaves = (one: number): boolean => at === null || one === at;
    switch (rule) {
      case "lent-bytes-changed":
        return packet ? Me.sentAt(own.me, packet.step, leaves) : null;
      case "channel-full":
      case "packet-lost":
        return own.failed ?? Me.sentAt(own.me, step ?? null, leaves);
      case "never-received": {
        const sender = packet && this.#nodes[packet.sender];
        return sender ? Me.sentAt(sender.me, packet.step, () => true) : null;
      }
      default:
        return own.failed ?? (kind === "program" || rule === "no-such-port" ? own.waits : null);
    }
  }

  #waiting(): { line: number; nodes: number[] }[] {
    const lines = new Map<number, number[]>();
    this.#nodes.forEach((own, node) => {
      const place = own?.waits ? this.#place(own.waits) : null;
      if (place) lines.set(place.line, [...(lines.get(place.line) ?? []), node]);
    });
    return [...lines].sort(([a], [b]) => a - b).map(([line, nodes]) => ({ line, nodes }));
  }

  #place(error: unknown): Place | null {
    const where = (error as { where?: Error } | null)?.where ?? error;
    if (!(where instanceof Error)) return null;
    const { before, lines, stack } = this.made[this.#program] ?? { before: 0, lines: 0, stack: "" };
    const file = framesOf(stack)[0]?.file;
    const frame = framesOf(where.stack ?? "").find(
      (one) => one.file === file && one.line > before && one.line <= before + lines,
    );
    return frame ? { line: frame.line - before, column: frame.column } : null;
  }
}

const isGenerator = (value: unknown): value is Generator<unknown, unknown, unknown> =>
  Object.prototype.toString.call(value) === "[object Generator]";
const listed = (numbers: number[]): string =>
  numbers.length < 2 ? numbers.join("") : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;

/** "TypeError: no", as the machine's message has it. */
function sentence(error: unknown): string {
  try {
    if (error instanceof MachineError) return error.message;
    const text = error instanceof Error ? `${error.name}: ${error.message}` : `it threw ${sayable(error)}`;
    return text.slice(0, MOST_LETTERS).replace(/\s+/g, " ").trim();
  } catch {
    return "it threw something that cannot be shown";
  }
}
