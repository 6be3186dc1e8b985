import { readAddress, watchAddress, writeAddress } from "../kit/address";
import { Unreadable } from "../kit/columns";
import { element } from "../kit/dom";
import { ComparisonPage } from "./comparison";
import { readDocument } from "./document";
import { Page } from "./page";

const host = document.querySelector("main")!;

function start(): void {
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const data = document.getElementById("view-0");
  if (!data) throw new Unreadable("this page has no document");
  const read = readDocument(data.textContent ?? "");
  const page =
    "benchmark" in read
      ? new Page(read.benchmark, host, writeAddress)
      : new ComparisonPage(read.comparison, host, writeAddress);
  document.body.classList.add("running");
  page.choose(readAddress());
  page.watch();
  watchAddress((choices) => page.choose(choices));
}

try {
  start();
} catch (error) {
  const message = error instanceof Unreadable ? `${error.message}.` : "it is not what this page expects.";
  if (!(error instanceof Unreadable)) console.error(error);
  document.querySelector(".bench")?.remove();
  document.body.classList.remove("running");
  host.append(
    element("p.verdict", { role: "alert" }, `This page's data cannot be read: ${message}`),
    element("p", "A page is made by ", element("code", "dcube bench COLLECTIVE --html FILE"), "."),
  );
}
document.body.dataset.ready = "";
