// The compiled module, from outside: one instance answers one request after the other. It knows no page and runs under
// node, too.

/** The calls of an instance to its surroundings. All may be left out. */
export interface Imports {
  /** While a plan is searched for: the stage, and the share of it that is done. */
  planning?(text: string, done: number, all: number): void;
  /** After each step of a run. `expected` is 0 if their number is not known. */
  step?(number: number, expected: number): void;
  /** Lets a program of one's own go on (program.ts). */
  resume?(run: number, node: number, step: number): number;
}

export interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  set_words(bytes: number): number;
  words_at(): number;
  words_size(): number;
  ask(): number;
  result(): number;
  allocate(bytes: number): number;
  release(at: number): void;
}

/** WASI's error for a missing function. */
const ENOSYS = 52;
const EBADF = 8;
/** WASI's clock with the date. */
const REALTIME = 0;

/** The part of WASI that is there: the clock, random numbers, and writing to the console. */
function wasi(memory: () => ArrayBuffer): Record<string, (...parameters: never[]) => unknown> {
  const view = (): DataView => new DataView(memory());
  const lines = ["", ""]; // of output and errors, unfinished
  return {
    clock_time_get(clock: number, _precision: bigint, at: number): number {
      const milliseconds = performance.now() + (clock === REALTIME ? performance.timeOrigin : 0);
      view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
      return 0;
    },
    random_get(at: number, size: number): number {
      crypto.getRandomValues(new Uint8Array(memory(), at, size));
      return 0;
    },
    fd_write(file: number, parts: number, count: number, written: number): number {
      if (file !== 1 && file !== 2) return EBADF;
      let total = 0;
      for (let i = 0; i < count; ++i) {
        const size = view().getUint32(parts + 8 * i + 4, true);
        lines[file - 1] += new TextDecoder().decode(
          new Uint8Array(memory(), view().getUint32(parts + 8 * i, true), size),
        );
        total += size;
      }
      const whole = lines[file - 1]!.split("\n");
      lines[file - 1] = whole.pop()!;
      for (const line of whole) (file === 1 ? console.log : console.error)(line);
      view().setUint32(written, total, true);
      return 0;
    },
    environ_sizes_get(count: number, size: number): number {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_prestat_get: () => EBADF, // no folder is open
    proc_exit(code: number): never {
      throw new Error(`the module ended with ${code}`);
    },
  };
}

export class Module {
  /** The reason why this instance is of no use any more: its error output, and its end. */
  #dead: Uint8Array | null = null;

  private constructor(readonly exports: Exports) {}

  static compile(bytes: BufferSource): Promise<WebAssembly.Module> {
    return WebAssembly.compile(bytes);
  }

  static async start(module: WebAssembly.Module, imports: Imports = {}): Promise<Module> {
    let made: Module | null = null;
    const memory = (): ArrayBuffer => made!.exports.memory.buffer as ArrayBuffer;
    const text = (at: number, size: number): string => new TextDecoder().decode(new Uint8Array(memory(), at, size));
    const surroundings: Record<string, Record<string, (...parameters: never[]) => unknown>> = {
      dcube: {
        planning: (at: number, size: number, done: number, all: number) =>
          imports.planning?.(text(at, size), done, all),
        step: (number: number, expected: number) => imports.step?.(number, expected),
        resume: (run: number, node: number, step: number): number => {
          if (!imports.resume) throw new Error("there are no programs of one's own here");
          return imports.resume(run, node, step);
        },
      },
      wasi_snapshot_preview1: wasi(memory),
    };
    // Other calls are refused: another version of the library still starts, and so does a module that has the command
    // line in it, too, whose files are not here.
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      (surroundings[from] ??= {})[name] ??= () => ENOSYS;
    }
    const instance = await WebAssembly.instantiate(module, surroundings);
    made = new Module(instance.exports as unknown as Exports);
    made.exports._initialize();
    return made;
  }

  /** True if it is done; otherwise the only result is `error`. */
  ask(request: object): boolean {
    if (this.#dead) return false;
    try {
      return this.#put(JSON.stringify(request))
        ? this.exports.ask() === 0
        : this.#end("memory", "the request is larger than the memory", 2);
    } catch (error) {
      return this.#end(...endOf(error));
    }
  }

  /** A result of the last request, in memory of its own; null if it has none of that name. */
  result(name: string): Uint8Array | null {
    if (this.#dead) return name === "error" ? this.#dead : null;
    if (!this.#put(name) || !this.exports.result()) return null;
    return new Uint8Array(this.exports.memory.buffer, this.exports.words_at(), this.exports.words_size()).slice();
  }

  /** False once an instance has ended by an error of WebAssembly itself; start another. */
  get alive(): boolean {
    return this.#dead === null;
  }

  #put(text: string): boolean {
    const bytes = new TextEncoder().encode(text);
    const at = this.exports.set_words(bytes.length);
    if (at === 0) return false;
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    return true;
  }

  #end(kind: string, message: string, exit: number): false {
    this.#dead = new TextEncoder().encode(
      JSON.stringify({ kind, message, rule: null, step: null, node: null, port: null, exit }),
    );
    return false;
  }
}

/** The error that an instance ended with. */
function endOf(error: unknown): [kind: string, message: string, exit: number] {
  if (error instanceof RangeError || (error instanceof Error && /stack|recursion/i.test(error.message))) {
    return ["memory", "the stack is full: the network or the program is too deep for this page", 2];
  }
  return ["internal", `the module has failed: ${error instanceof Error ? error.message : String(error)}`, 1];
}
