// Sets of fonts: a browser that has only those, whatever else the machine has.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "./browser.mjs";

/** Debian's folders of fonts. */
const PLACES = [
  "/usr/share/fonts/truetype/dejavu",
  "/usr/share/fonts/truetype/liberation",
  "/usr/share/fonts/truetype/liberation2",
  "/usr/share/fonts/opentype/urw-base35",
];
const SETS = { DejaVu: /^DejaVu/, "Liberation and URW": /^(Liberation|Nimbus)/ };

/** The environment of a browser with one set; null where the machine lacks it. */
function environmentOf(name) {
  const files = PLACES.filter(existsSync).flatMap((place) =>
    readdirSync(place)
      .filter((file) => SETS[name].test(file))
      .map((file) => join(place, file)),
  );
  if (files.length === 0) return null;
  const fonts = join(folder, name.replaceAll(" ", "-"));
  mkdirSync(fonts);
  for (const file of files) symlinkSync(file, join(fonts, file.split("/").at(-1)));
  const settings = join(folder, `${name.replaceAll(" ", "-")}.conf`);
  writeFileSync(
    settings,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}` +
      `</dir><cachedir>${join(folder, "cache")}</cachedir><include ` +
      `ignore_missing="yes">/etc/fonts/conf.d</include></fontconfig>`,
  );
  return { ...process.env, FONTCONFIG_FILE: settings };
}

export const FONTS = Object.keys(SETS).map((name) => [name, environmentOf(name)]);
