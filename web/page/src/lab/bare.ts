// What a program of one's own finds in its worker: the language, and nothing else. So it cannot answer in the lab's place, and
// its nodes have nothing in common: what they could share cannot be changed.

/** Names that stay. All others are taken away: messages, storage, channels, workers, timers, the network. */
const LANGUAGE = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error
  AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis JSON Math Intl
  ArrayBuffer SharedArrayBuffer Atomics DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
  Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array BigInt Map Set WeakMap WeakSet WeakRef
  FinalizationRegistry Iterator AsyncIterator Proxy Reflect decodeURI decodeURIComponent encodeURI encodeURIComponent escape
  unescape eval isFinite isNaN TextEncoder TextDecoder crypto console performance WebAssembly`.split(/\s+/),
);

/** Of the last match of any regular expression. */
const LAST_MATCH = ["input", "$_", "lastMatch", "$&", "lastParen", "$+", "leftContext", "$`", "rightContext", "$'"];

/** Things that are only reached by using the language. */
const hidden = (): unknown[] =>
  [
    function* () {},
    async function () {},
    async function* () {},
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ""[Symbol.iterator](),
    "".matchAll(/a/g),
  ].map((one) => Object.getPrototypeOf(one));

/** Makes unchangeable whatever can be reached from there. */
function frozen(roots: readonly unknown[]): void {
  const open = [...roots];
  const seen = new Set<unknown>([globalThis]);
  while (open.length > 0) {
    const one = open.pop();
    if ((typeof one !== "object" && typeof one !== "function") || one === null || seen.has(one)) continue;
    seen.add(one);
    open.push(Object.getPrototypeOf(one));
    for (const { value, get, set } of Object.values(Object.getOwnPropertyDescriptors(one))) open.push(value, get, set);
    try {
      Object.freeze(one);
    } catch {
      // An array of bytes: there is none that all nodes can reach.
    }
  }
}

/** An object whose prototype is frozen may still have properties of these names of its own. */
function overridable(prototype: object): void {
  for (const name of ["constructor", "name", "message", "toString", "valueOf"]) {
    const value = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (value === undefined) continue;
    Object.defineProperty(prototype, name, {
      get: () => value,
      set(this: object, own: unknown) {
        Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

/** Leaves only the language, with these classes besides. */
export function leaveBare(classes: readonly unknown[]): void {
  const clock = Object.freeze({ now: performance.now.bind(performance), timeOrigin: performance.timeOrigin });
  for (let one: object | null = globalThis; one && one !== Object.prototype; one = Object.getPrototypeOf(one))
    for (const name of Reflect.ownKeys(one))
      if (typeof name === "string" && name !== "constructor" && !LANGUAGE.has(name)) Reflect.deleteProperty(one, name);
  Object.defineProperty(globalThis, "performance", { value: clock });
  for (const name of [...LAST_MATCH, ..."123456789".split("").map((digit) => `$${digit}`)])
    Reflect.deleteProperty(RegExp, name);
  for (const one of [Object, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError])
    overridable(one.prototype);
  frozen([...[...LANGUAGE].map((name) => (globalThis as Record<string, unknown>)[name]), ...hidden(), ...classes]);
  try {
    Object.freeze(globalThis);
  } catch {
    // Each node's program has a `globalThis` of its own all the same.
  }
}
