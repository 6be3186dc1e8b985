// The compiled module, from outside. It knows no page: it runs under node too.

export interface Imports {
  planning?(text: string, done: number, all: number): void;
  step?(number: number): void;
  /** Lets a node's program go on: page/src/lab/program.ts. */
  resume?(run: number, node: number, step: number): number;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  set_words(bytes: number): number;
  words_at(): number;
  words_size(): number;
  ask(): number;
  result(): number;
}

export class Module {
  private constructor(readonly exports: Exports) {}

  static compile(bytes: BufferSource): Promise<WebAssembly.Module> {
    return WebAssembly.compile(bytes);
  }

  static async start(module: WebAssembly.Module, imports: Imports = {}): Promise<Module> {
    let made: Module | null = null;
    const text = (at: number, size: number): string => new TextDecoder().decode(new Uint8Array(made!.exports.memory.buffer, at, size));
    const instance = await WebAssembly.instantiate(module, {
      dcube: { planning: (at: number, size: number, done: number, all: number) => imports.planning?.(text(at, size), done, all), step: (number: number) => imports.step?.(number), resume: (...of: [number, number, number]) => imports.resume?.(...of) ?? 0 },
    });
    made = new Module(instance.exports as unknown as Exports);
    made.exports._initialize();
    return made;
  }

  ask(request: object): boolean {
    this.#put(JSON.stringify(request));
    return this.exports.ask() === 0;
  }

  result(name: string): Uint8Array | null {
    this.#put(name);
    return this.exports.result() ? new Uint8Array(this.exports.memory.buffer, this.exports.words_at(), this.exports.words_size()).slice() : null;
  }

  #put(text: string): void {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(this.exports.memory.buffer, this.exports.set_words(bytes.length), bytes.length).set(bytes);
  }
}
