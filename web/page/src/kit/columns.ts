// Tables as the C++ side embeds them: a column is a number (all rows equal) or the differences of successive rows,
// zigzag, LEB128, perhaps raw deflate, base64. The sizes of untrusted data are checked before it is unpacked.

export type Column = number | { raw: number; data: string };

/** The embedded data is wrong; the message is for people. */
export class Unreadable extends Error {}

export function need(fine: boolean, what: string): asserts fine {
  if (!fine) throw new Unreadable(`${what} is not what it should be`);
}

/** The bytes that a page may unpack in all. */
export class Allowance {
  constructor(private left: number) {}

  take(bytes: number, what: string): void {
    need(Number.isSafeInteger(bytes) && bytes >= 0 && bytes <= this.left, `the size of ${what}`);
    this.left -= bytes;
  }
}

async function inflate(packed: Uint8Array, size: number, what: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  const reader = new Blob([packed as BlobPart])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .getReader();
  let filled = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) break;
    if (filled + value!.length > size) {
      void reader.cancel().catch(() => undefined);
      filled = -1;
      break;
    }
    bytes.set(value!, filled);
    filled += value!.length;
  }
  need(filled === size, what);
  return bytes;
}

function unpackBase64(text: string, what: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    throw new Unreadable(`${what} is not base64`);
  }
}

function numbers(bytes: Uint8Array, rows: number, what: string): Float64Array {
  const values = new Float64Array(rows);
  let at = 0;
  let last = 0;
  for (let row = 0; row < rows; row++) {
    let code = 0;
    let factor = 1;
    for (;;) {
      need(at < bytes.length && factor <= 2 ** 49, what);
      const byte = bytes[at++]!;
      code += (byte & 127) * factor;
      if (byte < 128) break;
      factor *= 128;
    }
    last += code % 2 === 0 ? code / 2 : -(code + 1) / 2;
    need(Number.isSafeInteger(last), what);
    values[row] = last;
  }
  need(at === bytes.length, what);
  return values;
}

/** The values of a column of `rows` rows. */
export async function decodeColumn(
  column: unknown,
  rows: number,
  deflate: boolean,
  allowance: Allowance,
  what: string,
): Promise<Float64Array> {
  if (typeof column === "number") {
    need(Number.isSafeInteger(column), what);
    return new Float64Array(rows).fill(column);
  }
  const { raw, data } = (column ?? {}) as { raw?: unknown; data?: unknown };
  // Every row takes at least a byte and at most eight.
  need(typeof raw === "number" && typeof data === "string" && raw >= rows && raw <= rows * 8, what);
  allowance.take(raw, what);
  const packed = unpackBase64(data, what);
  const bytes = deflate ? await inflate(packed, raw, what) : packed;
  return numbers(bytes, rows, what);
}
