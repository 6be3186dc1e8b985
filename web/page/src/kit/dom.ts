// Elements. Text goes in as text, never as markup.

export type Child = Node | string | null | undefined | false;

type Attributes = Record<string, string>;

/** `<tag class=".." name="value">children</tag>`; `tag` may be "div.one.two", and attributes may be left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K | `${K}.${string}`,
  first?: Attributes | Child,
  ...others: Child[]
): HTMLElementTagNameMap[K] {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name as K);
  if (classes.length > 0) made.className = classes.join(" ");
  const attributes = first && typeof first === "object" && !(first instanceof Node) ? first : null;
  for (const [key, value] of Object.entries(attributes ?? {})) made.setAttribute(key, value);
  made.append(
    ...[attributes ? null : (first as Child), ...others].filter((child): child is Node | string => Boolean(child)),
  );
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** A drawing of 24 x 24 made of one path. */
export function icon(path: string, filled = false): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", filled ? "icon filled" : "icon");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

/** Sets the text only when it differs: unchanged text must not be announced or laid out again. */
export function say(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** A title, in which words such as 4-cube stay in one piece. */
export function sayTitle(target: HTMLElement, text: string): void {
  if (target.textContent === text) return;
  target.replaceChildren(
    ...text.split(/(\d+-[a-z\d]+)/).map((part, at) => (at % 2 ? element("span.whole", part) : part)),
  );
}

/** The row of a table. */
export const row = (cells: readonly Child[], of: "tr" | "tr.done" = "tr"): HTMLTableRowElement =>
  element(of, ...cells.map((cell) => element("td", cell)));

/** A table whose columns have names. */
export const table = (names: readonly string[], body: HTMLElement, caption?: HTMLElement): HTMLTableElement =>
  element(
    "table",
    caption,
    element("thead", element("tr", ...names.map((name) => element("th", { scope: "col" }, name)))),
    body,
  );

/** A labelled select; `options` are value and words. */
export function choice(
  label: string,
  options: readonly (readonly [string, string])[],
  value: string,
  change: (value: string) => void,
): HTMLLabelElement & { select: HTMLSelectElement } {
  const select = element("select");
  for (const [key, words] of options) select.append(element("option", { value: key }, words));
  select.value = value;
  select.addEventListener("change", () => change(select.value));
  return Object.assign(element("label.choice", element("span", label), select), { select });
}

export function button(label: string, key: string, content: Child, press: () => void): HTMLButtonElement {
  const made = element(
    "button",
    { type: "button", "aria-label": label, title: key ? `${label} (${key})` : label },
    content,
  );
  made.addEventListener("click", press);
  return made;
}

/** A button that says in words what it does. */
export function wordButton(
  words: string,
  press: () => void,
  as: "button" | `button.${string}` = "button",
): HTMLButtonElement {
  const made = element(as, { type: "button" }, words);
  made.addEventListener("click", press);
  return made;
}

/** Hands the reader a file, an SVG one if nothing else is said. */
export function download(content: BlobPart, name: string, type = "image/svg+xml"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
