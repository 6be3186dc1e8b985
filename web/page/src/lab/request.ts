// Requests to the module, and their form in an address: #topology=torus:6x6&packets=4, only what differs from the defaults.

import { KEYS } from "./keys";

export type Value = string | number | boolean | Request | Record<string, string> | readonly string[];
/** The keys are the report's. */
export interface Request {
  [key: string]: Value | undefined;
}

/** The request of a page without an address. */
export const FIRST: Request = { collective: "all-to-all", topology: "hypercube:4" };

/** Keys of the page, not of the request. */
const PAGE_KEYS = new Set(["film", "theme", "embed", "panel"]);
/** Objects within a request: "versus.algorithm=wave". */
const NESTED = new Set(["versus", "graph", "program"]);

/** A text as the key's value: numbers that are written as such become numbers, all else stays for the module to judge. */
export function valueOf(name: string, text: string): Value {
  const kind = KEYS.find(({ key }) => key === name)?.kind;
  if (kind === "flag" && (text === "true" || text === "false")) return text === "true";
  return kind === "number" && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/** The request of an address; unknown keys stay in it, and the module refuses them. null: the address has none. */
export function fromAddress(hash: string): Request | null {
  const request: Request = {};
  for (const [key, text] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (PAGE_KEYS.has(key)) continue;
    const [outer, inner] = [key.slice(0, key.indexOf(".")), key.slice(key.indexOf(".") + 1)];
    if (key.includes(".") && NESTED.has(outer)) {
      const nested = (
        Object.hasOwn(request, outer) && typeof request[outer] === "object" ? request[outer] : {}
      ) as Record<string, Value>;
      own(nested, inner, outer === "versus" ? valueOf(inner, text) : text);
      own(request, outer, nested as Request);
    } else own(request, key, valueOf(key, text));
  }
  if (Object.keys(request).length === 0) return null;
  if (request.collective !== "") return { ...FIRST, ...request };
  const { collective: _, ...free } = request;
  return { topology: FIRST.topology!, ...free };
}

/** Sets a property whatever its name is; "__proto__" is a key as any other. */
function own(target: object, key: string, value: Value): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether two requests ask the same, in whatever order their keys are. */
export const same = (a: unknown, b: unknown): boolean => inOrder(a) === inOrder(b);
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.entries(one)
          .filter(([, of]) => of !== undefined)
          .sort(([x], [y]) => (x < y ? -1 : 1))
      : one,
  ) ?? "";

/** Signs that need no code in an address, so that it can be read. */
const readable = (text: string): string =>
  text.replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%40/g, "@").replace(/%2F/g, "/");

/** The request as an address has it, without "#"; `film` has the choices in the film. */
export function toAddress(request: Request, film: Record<string, string> = {}): string {
  const pairs = new URLSearchParams();
  // A program of one's own may have no collective.
  if (request.collective === undefined && request.program) pairs.append("collective", "");
  for (const [key, value] of Object.entries(request)) {
    if (value === undefined || key === "results" || same(value, FIRST[key])) continue;
    if (typeof value === "object")
      for (const [inner, one] of Object.entries(value)) pairs.append(`${key}.${inner}`, String(one));
    else pairs.append(key, String(value));
  }
  const choices = filmText(film);
  if (choices) pairs.append("film", choices);
  return readable(pairs.toString());
}

/** "step.3_colour.target" */
const filmText = (film: Record<string, string>): string =>
  Object.entries(film)
    .map(([key, value]) => `${key}.${value}`)
    .join("_");

/** An address's choices in the film. A key is a word and a full stop: a board's moves have "_" in them, too. */
export function filmOf(hash: string): Record<string, string> {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get("film") ?? "";
  return Object.fromEntries(
    text
      .split(/_(?=[a-z]+\.)/)
      .filter((part) => part.includes("."))
      .map((part) => [part.slice(0, part.indexOf(".")), part.slice(part.indexOf(".") + 1)]),
  );
}
