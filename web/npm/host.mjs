// The surroundings of dcube's command line in WebAssembly: what cli/alone/host.hpp asks for, and the part of WASI that
// is there (output, clock, environment, random numbers). All else of WASI is refused.

import { randomFillSync } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isatty } from "node:tty";
import { deflateRawSync } from "node:zlib";

/** Errors as WASI numbers them. */
const ERRNO = {
  EACCES: 2, EBUSY: 10, EDQUOT: 19, EEXIST: 20, EFBIG: 22, EINVAL: 28, EISDIR: 31, ELOOP: 32, EMFILE: 33,
  ENAMETOOLONG: 37, ENOENT: 44, ENOMEM: 48, ENOSPC: 51, ENOTDIR: 54, ENXIO: 60, EPERM: 63, EPIPE: 64, EROFS: 69,
  ERR_FS_FILE_TOO_LARGE: 22,
};
const EBADF = 8;
const EIO = 29;
const ENOSYS = 52;

/** 0, or the error of what is done. */
function errorOf(action) {
  try {
    action();
    return 0;
  } catch (error) {
    if (error instanceof RangeError) return ERRNO.ENOMEM;
    if (error.code === undefined) throw error; // a mistake of this file
    return ERRNO[error.code] ?? EIO;
  }
}

/** Does it again where a pipe is not ready. */
function patiently(action) {
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function writeAll(descriptor, bytes) {
  for (let at = 0; at < bytes.length; ) at += patiently(() => fs.writeSync(descriptor, bytes, at));
}

/** Ends as a program does whose reader has gone: `npx dcube list | head`. */
function writeToStream(descriptor, bytes) {
  try {
    writeAll(descriptor, bytes);
  } catch (error) {
    if (error.code === "EPIPE") process.exit(141);
    throw error;
  }
}

function standardInput() {
  const parts = [];
  for (;;) {
    const part = Buffer.alloc(1 << 16);
    let size = 0;
    try {
      size = patiently(() => fs.readSync(0, part));
    } catch (error) {
      if (error.code !== "EOF") throw error; // Windows' end of a pipe
    }
    if (size === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, size));
  }
}

/** Undefined if there is nothing, or nothing that can be seen. */
function statusOf(path) {
  try {
    return fs.statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Equal for all names of one file but hard links, also one that is not there yet, to which links may lead. */
function realPath(path) {
  let full = resolve(path);
  for (let links = 0; links < 40 && !fs.existsSync(full); ++links) {
    try {
      full = resolve(dirname(full), fs.readlinkSync(full));
    } catch {
      break;
    }
  }
  try {
    return fs.existsSync(full) ? fs.realpathSync(full) : join(fs.realpathSync(dirname(full)), basename(full));
  } catch {
    return full;
  }
}

function isSame(one, other) {
  if (realPath(one) === realPath(other)) return true;
  const [a, b] = [statusOf(one), statusOf(other)];
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** A file in memory, which gets its name when it is whole. */
class WholeFile {
  #target;
  #mode; // of the file that it replaces
  #bytes = new Uint8Array(1 << 12);
  #size = 0;

  constructor(path, replaced) {
    this.#target = realPath(path);
    this.#mode = replaced && Number(replaced.mode & 0o777n);
    fs.accessSync(dirname(this.#target), fs.constants.W_OK);
  }

  write(offset, bytes) {
    const at = offset < 0 ? this.#size : offset;
    this.resize(Math.max(this.#size, at + bytes.length));
    this.#bytes.set(bytes, at);
  }

  resize(size) {
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.fill(0, Math.min(size, this.#size), this.#size);
    this.#size = size;
  }

  /** Others never see a part of it: it is written under another name in the same folder. */
  commit() {
    const [temporary, descriptor] = this.#opened();
    try {
      try {
        writeAll(descriptor, this.#bytes.subarray(0, this.#size));
        if (this.#mode !== undefined) fs.fchmodSync(descriptor, this.#mode);
      } finally {
        fs.closeSync(descriptor);
      }
      fs.renameSync(temporary, this.#target);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error;
    }
  }

  release() {}

  #opened() {
    for (let number = 0; ; ++number) {
      const temporary = `${this.#target}.${process.pid}-${number}`;
      try {
        return [temporary, fs.openSync(temporary, "wx")];
      } catch (error) {
        if (error.code !== "EEXIST") throw error;
      }
    }
  }
}

/** A pipe or a device: what is written is there at once. */
class Stream {
  #descriptor;

  constructor(path) {
    this.#descriptor = fs.openSync(path, "w");
  }

  write(_offset, bytes) {
    writeAll(this.#descriptor, bytes);
  }

  resize() {}

  commit() {
    this.release();
  }

  release() {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

function created(path) {
  let there;
  try {
    there = fs.statSync(path, { bigint: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  if (there?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  return there && !there.isFile() ? new Stream(path) : new WholeFile(path, there);
}

/** The functions of cli/alone/host.hpp. `bytesAt` shows the module's memory, `module` are its own bytes. */
function files(bytesAt, module) {
  const text = (at, size) => new TextDecoder().decode(bytesAt(at, size));
  const open = new Map();
  let last = 0;
  let kept = null;
  const keep = (bytes) => {
    kept = bytes;
    return bytes.length;
  };
  return {
    kind(at, size) {
      const status = statusOf(text(at, size));
      if (status === undefined) return 0;
      return status.isFile() ? 1 : 2;
    },
    is_same: (one, size, other, otherSize) => Number(isSame(text(one, size), text(other, otherSize))),
    read(at, size) {
      const path = text(at, size);
      const error = errorOf(() => keep(path === "-" ? standardInput() : fs.readFileSync(path)));
      return error === 0 ? kept.length : -error;
    },
    take(at, size) {
      bytesAt(at, size).set(kept.subarray(0, size));
      kept = null;
    },
    create(at, size) {
      const error = errorOf(() => open.set(last + 1, created(text(at, size))));
      return error === 0 ? ++last : -error;
    },
    write: (file, offset, at, size) => errorOf(() => open.get(file).write(offset, bytesAt(at, size))),
    resize: (file, size) => errorOf(() => open.get(file).resize(size)),
    commit: (file) => errorOf(() => open.get(file).commit()),
    release(file) {
      open.get(file)?.release();
      open.delete(file);
    },
    deflate: (at, size) => keep(deflateRawSync(bytesAt(at, size), { level: 9, memLevel: 8 })),
    module: () => keep(module),
  };
}

/** `write` gets what goes to standard output (1) and standard error (2). */
function wasi(bytesAt, write, environment) {
  const view = () => new DataView(bytesAt(0).buffer);
  const variables = Object.entries(environment).map(([name, value]) => new TextEncoder().encode(`${name}=${value}\0`));
  const isStream = (descriptor) => descriptor === 1 || descriptor === 2;
  return {
    clock_time_get(clock, _precision, at) {
      const realtime = 0;
      view().setBigUint64(at, clock === realtime ? BigInt(Date.now()) * 1000000n : process.hrtime.bigint(), true);
      return 0;
    },
    random_get(at, size) {
      randomFillSync(bytesAt(at, size));
      return 0;
    },
    fd_write(descriptor, parts, count, written) {
      if (!isStream(descriptor)) return EBADF;
      let total = 0;
      const error = errorOf(() => {
        for (let i = 0; i < count; ++i) {
          const size = view().getUint32(parts + 8 * i + 4, true);
          if (size > 0) write(descriptor, bytesAt(view().getUint32(parts + 8 * i, true), size));
          total += size;
        }
      });
      view().setUint32(written, total, true);
      return error;
    },
    // A terminal is a character device in which nothing can be sought; a file is not told from a pipe.
    fd_fdstat_get(descriptor, at) {
      if (!isStream(descriptor)) return EBADF;
      const [terminal, unknown] = [2, 0];
      bytesAt(at, 24).fill(0);
      view().setUint8(at, write === writeToStream && isatty(descriptor) ? terminal : unknown);
      return 0;
    },
    fd_prestat_get: () => EBADF, // no folder is open
    environ_sizes_get(count, size) {
      view().setUint32(count, variables.length, true);
      view().setUint32(size, variables.reduce((sum, one) => sum + one.length, 0), true);
      return 0;
    },
    environ_get(pointers, at) {
      for (const [i, one] of variables.entries()) {
        view().setUint32(pointers + 4 * i, at, true);
        bytesAt(at, one.length).set(one);
        at += one.length;
      }
      return 0;
    },
    proc_exit(code) {
      throw new Error(`the module ended with ${code}`);
    },
  };
}

/** The width of lines follows the terminal. */
function environmentOfProcess() {
  const width = isatty(1) ? { COLUMNS: String(process.stdout.columns) } : {};
  return { ...width, ...process.env };
}

/** What is said of an instance that has ended by an error of WebAssembly itself, and the exit code. */
function end(error) {
  if (error instanceof RangeError || /stack|recursion/i.test(error.message)) {
    return ["the stack is full: the network is too deep for WebAssembly", 2];
  }
  return [`the module has failed: ${error.message}`, 1];
}

export class Program {
  #bytes;
  #module;

  /** `bytes`: the module. */
  constructor(bytes) {
    this.#bytes = bytes;
    this.#module = new WebAssembly.Module(bytes);
  }

  /** Executes a command line and returns its exit code. */
  run(words, { write = writeToStream, environment = environmentOfProcess() } = {}) {
    let memory = null;
    const bytesAt = (at, size) => new Uint8Array(memory.buffer, at, size);
    const imports = {
      dcube: { planning() {}, step() {} },
      host: files(bytesAt, this.#bytes),
      wasi_snapshot_preview1: wasi(bytesAt, write, environment),
    };
    for (const { module, name } of WebAssembly.Module.imports(this.#module)) imports[module][name] ??= () => ENOSYS;
    const { exports } = new WebAssembly.Instance(this.#module, imports);
    memory = exports.memory;
    try {
      exports._initialize();
      const line = new TextEncoder().encode(words.map((word) => `${word}\0`).join(""));
      const at = exports.allocate(line.length);
      bytesAt(at, line.length).set(line);
      return exports.command_line(at, line.length);
    } catch (error) {
      const [message, code] = end(error);
      write(2, new TextEncoder().encode(`dcube: ${message}\n`));
      return code;
    }
  }
}
