// Pictures of a benchmark's page: node tests/bench-shots.mjs FILE.html FOLDER writes bench-light.png and bench-dark.png, as a
// laptop shows them.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { drawn, launch, open, SIZES } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node tests/bench-shots.mjs FILE.html FOLDER");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const dark of [false, true]) {
  const { page, problems } = await open(browser, resolve(file), { size: SIZES.laptop, dark, still: true });
  await drawn(page);
  const figures = await page.$eval(".figures", (area) => Math.ceil(area.getBoundingClientRect().bottom));
  await page.screenshot({
    path: join(folder, `bench-${dark ? "dark" : "light"}.png`),
    clip: { x: 0, y: 0, width: SIZES.laptop[0], height: figures + 16 },
    captureBeyondViewport: true,
  });
  for (const problem of problems) console.error(problem);
  await page.close();
}
await browser.close();
