// The documents' pages: copying, where one reads, and the search. Without this script they are the same text.

const made = (tag, attributes = {}, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
};

/** Of a session, what one types; else all of it. */
function copied(program) {
  const typed = [...program.querySelectorAll(".typed")];
  return (typed.length > 0 ? typed.map((line) => line.textContent).join("\n") : program.querySelector("pre").textContent).trimEnd() + "\n";
}

function offerCopy(program) {
  const shapes = { copy: "M9 9h11v11H9zM5 15H4V4h11v1", done: "M5 13l4.5 4.5L19 7" };
  const button = made("button", { class: "copy", "aria-label": "Copy" }, icon(shapes.copy));
  const show = (done) => {
    button.toggleAttribute("data-done", done);
    button.setAttribute("aria-label", done ? "Copied" : "Copy");
    button.replaceChildren(icon(done ? shapes.done : shapes.copy));
  };
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(copied(program));
    } catch {  // not allowed here: it is selected, for Ctrl-C
      getSelection().selectAllChildren(program.querySelector("pre"));
      return;
    }
    show(true);
    setTimeout(() => show(false), 1500);
  });
  program.append(button);
}

/** Marks the heading that is read in the list on the right. */
function followReading() {
  const links = [...document.querySelectorAll(".headings a")];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let waiting = false;
  const mark = () => {
    waiting = false;
    const now = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    links.forEach((link, i) => link.toggleAttribute("data-here", i === now));
    const { parentElement: item } = links[now] ?? {};
    const list = item?.closest(".headings");
    if (list && (item.offsetTop < list.scrollTop || item.offsetTop > list.scrollTop + list.clientHeight - 60)) list.scrollTop = item.offsetTop - 100;
  };
  addEventListener("scroll", () => { if (!waiting) waiting = requestAnimationFrame(mark) > 0; }, { passive: true });
  if (links.length > 0) mark();
}

// The search. Entries are found whose title, page and text have all words, each at the beginning of a word there.

const isLetter = (letter) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter);

/** Where `word` begins a word of `text`, from `from` on; -1: nowhere. */
function beginningOf(text, word, from = 0) {
  let at = text.indexOf(word, from);
  while (at > 0 && isLetter(text[at - 1]) && isLetter(word[0])) at = text.indexOf(word, at + 1);
  return at;
}

/** How well a word fits: a whole one more than a beginning. */
function fit(text, word) {
  const at = beginningOf(text, word);
  if (at < 0) return 0;
  return isLetter(text[at + word.length]) ? 0.6 : 1;
}

/** Each once, so that a page of text that is pasted does not take long. */
const wordsOf = (query) => [...new Set(query.toLowerCase().split(/[\s,;]+/))].filter((word) => word !== "");

/** Makes of the index what is searched: each entry with its texts in small letters. */
function prepared(pages) {
  return pages.flatMap(({ file, label, group, entries }, order) => entries.map(([anchor, title, kind, text], i) => ({
    address: file + anchor, label, group, title, kind, text, order,
    isPage: i === 0 && kind !== "word" && anchor === "", small: { title: title.toLowerCase(), label: label.toLowerCase(), text: text.toLowerCase() },
  })));
}

/** Of "dcube::Machine::run" run, of "staircase: all-to-all" staircase. */
const nameIn = (title) => title.split(": ")[0].split("::").at(-1);

function scoreOf(entry, words, query) {
  const { title, label, text } = entry.small;
  let score = 0;
  for (const word of words) {
    const here = 12 * fit(title, word) + 3 * fit(text, word);
    const there = here + 2 * fit(label, word);
    if (there === 0) return 0;
    score += there;
  }
  if (text.includes(query)) score += 3 * (words.length - 1);  // side by side
  if (title === query || nameIn(title) === query) score += 30;
  else if (title.startsWith(query)) score += 6;
  if (words.every((word) => fit(title, word) > 0)) score += (entry.isPage ? 10 : 0) + 6 * (words.length - 1);
  if (entry.kind === "word") score += 4;
  return score;
}

/** The best entries first. */
function search(entries, query, most = 30) {
  const words = wordsOf(query);
  if (words.length === 0) return { count: 0, best: [] };
  const whole = words.join(" ");
  const found = [];
  for (const entry of entries) {
    const score = scoreOf(entry, words, whole);
    if (score > 0) found.push({ entry, score });
  }
  found.sort((a, b) => b.score - a.score || a.entry.order - b.entry.order || a.entry.title.length - b.entry.title.length);
  return { count: found.length, best: found.slice(0, most).map(({ entry }) => entry) };
}

/** Text with the words marked. */
function marked(text, words) {
  const small = text.toLowerCase();
  const parts = [];
  let done = 0;
  while (done < text.length) {
    const next = words.map((word) => ({ at: beginningOf(small, word, done), word })).filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.word.length - a.word.length)[0];
    if (!next) break;
    const end = next.at + next.word.length;
    parts.push(text.slice(done, next.at), made("mark", {}, text.slice(next.at, end)));
    done = end;
  }
  return [...parts, text.slice(done)];
}

/** About 170 letters around the first word that the text has. */
function snippet(text, words) {
  const small = text.toLowerCase();
  const places = words.map((word) => beginningOf(small, word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = first < 60 ? 0 : text.indexOf(" ", first - 60) + 1;
  return (begin > 0 ? ".. " : "") + text.slice(begin, begin + 170) + (text.length > begin + 170 ? " .." : "");
}

class Search {
  #entries = null;
  #chosen = -1;
  #input = made("input", {
    type: "search", placeholder: "Search the documents", "aria-label": "Search the documents", role: "combobox", "aria-expanded": "false",
    "aria-controls": "found", "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
  });
  #list = made("div", { class: "found", id: "found", role: "listbox", "aria-label": "Results" });
  #said = made("span", { role: "status" });
  #dialog = made("dialog", { class: "search", "aria-label": "Search" });

  constructor(button) {
    const close = made("button", { type: "button", "aria-label": "Close" }, icon("M6 6l12 12M18 6L6 18"));
    const keys = made("span", { class: "keys", "aria-hidden": "true" }, made("kbd", {}, "\u2191"), " ", made("kbd", {}, "\u2193"), " choose ", made("kbd", {}, "Enter"), " open");
    const form = made("form", { role: "search" }, icon("M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM16 16l5 5"), this.#input, close);
    this.#dialog.append(form, this.#list, made("p", { class: "said" }, this.#said, keys));
    document.body.append(this.#dialog);
    button.hidden = false;
    button.addEventListener("click", () => this.open());
    close.addEventListener("click", () => this.#close());
    this.#dialog.addEventListener("click", (event) => { if (event.target === this.#dialog) this.#close(); });
    this.#list.addEventListener("click", (event) => { if (event.target.closest("a")) this.#close(); });
    this.#input.addEventListener("input", () => this.#show());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#list.children[Math.max(this.#chosen, 0)]?.click();
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, textarea, select, [contenteditable]");
      const asked = (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) ||
        (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey);
      if (!asked) return;
      event.preventDefault();
      this.open();
    });
  }

  open(query) {
    if (!this.#dialog.open) this.#dialog.showModal();
    if (query !== undefined) this.#input.value = query;
    this.#input.focus();
    this.#input.select();
    if (this.#entries) this.#show();
    else this.#load();
  }

  /** The field would keep the keyboard until the next frame, and a "/" typed before would be text. */
  #close() {
    this.#dialog.close();
    this.#input.blur();
  }

  /** The index is a script, which a page from disk may load. */
  #load() {
    if (window.dcubeSearch) return;
    this.#said.textContent = "Reading the index ..";
    window.dcubeSearch = (pages) => {
      this.#entries = prepared(pages);
      this.#show();
    };
    const script = made("script", { src: "search.js" });
    script.addEventListener("error", () => { this.#said.textContent = "The index search.js is missing."; });
    document.head.append(script);
  }

  #show() {
    if (!this.#entries) return;
    const query = this.#input.value;
    const words = wordsOf(query);
    const { count, best } = search(this.#entries, query);
    this.#list.replaceChildren(...best.map((entry, i) => this.#option(entry, words, i)));
    this.#list.scrollTop = 0;
    this.#input.setAttribute("aria-expanded", String(count > 0));
    this.#choose(best.length > 0 ? 0 : -1);
    if (words.length === 0) this.#said.textContent = "Documents, lessons, algorithms, words, keys and functions";
    else if (count === 0) this.#said.textContent = `Nothing has all of: ${words.join(" ")}`;
    else this.#said.textContent = count === 1 ? "1 result" : `${count} results${count > best.length ? `, the best ${best.length}` : ""}`;
  }

  #option(entry, words, i) {
    const title = made("b", {}, ...marked(entry.title, words));
    const option = made("a", { role: "option", id: `found-${i}`, href: entry.address, tabindex: "-1", "aria-selected": "false" },
      made("span", { class: "where" }, entry.isPage && entry.group !== "Lessons" ? entry.group : entry.label), title);
    if (entry.kind) option.append(made("span", { class: "kind" }, entry.kind));
    if (entry.text) option.append(made("p", {}, ...marked(snippet(entry.text, words), words)));
    option.addEventListener("pointermove", () => { if (this.#chosen !== i) this.#choose(i); });
    return option;
  }

  #choose(i) {
    this.#list.children[this.#chosen]?.setAttribute("aria-selected", "false");
    this.#chosen = i;
    const option = this.#list.children[i];
    option?.setAttribute("aria-selected", "true");
    if (option) this.#input.setAttribute("aria-activedescendant", option.id);
    else this.#input.removeAttribute("aria-activedescendant");
  }

  #press(event) {
    if (event.key === "Escape") {  // browsers would first empty the field
      event.preventDefault();
      this.#close();
      return;
    }
    const count = this.#list.children.length;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || count === 0) return;
    event.preventDefault();
    this.#choose((this.#chosen + by + count) % count);
    this.#list.children[this.#chosen].scrollIntoView({ block: "nearest" });
  }
}

document.addEventListener("DOMContentLoaded", () => {
  offerThemes(document.querySelector("button.theme"));
  document.querySelectorAll(".program").forEach(offerCopy);
  document.querySelectorAll(".contents a").forEach((link) => link.addEventListener("click", () => document.querySelector(".contents:popover-open")?.hidePopover()));
  document.querySelector(".contents [aria-current]")?.scrollIntoView({ block: "nearest" });
  followReading();
  const found = new Search(document.querySelector("button.to-search"));
  const asked = new URLSearchParams(location.search).get("q");  // index.html?q=antipode
  if (asked !== null) found.open(asked);
  document.body.dataset.ready = "";
});
