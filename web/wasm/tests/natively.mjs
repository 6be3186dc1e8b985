// For tests under node: requests to the same lab, compiled for this computer.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The program; dcube_ask is in the same build. */
export const dcube = process.env.DCUBE ?? fileURLToPath(new URL("../../../build/release/cli/dcube", import.meta.url));
const dcubeAsk = dcube.replace(/cli\/dcube$/, "web/lab/dcube_ask");

/** All answers, {ok, results: {name: text}}, in the order of the requests, which are objects or texts without ends of lines. */
export async function natively(requests) {
  const process = spawn(dcubeAsk, [], { stdio: ["pipe", "pipe", "inherit"] });
  const parts = [];
  process.stdout.on("data", (part) => parts.push(part));
  process.stdin.end(requests.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join(""));
  const [code] = await once(process, "close");
  if (code !== 0) throw new Error(`dcube_ask ended with ${code}`);
  return Buffer.concat(parts).toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}
