// node build.mjs [FOLDER]: bundles src/ into viewer.js and viewer.css, the same bytes on every machine.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL(".", import.meta.url), out = process.argv[2] ?? new URL("../src/dalembert/viewer/", here).pathname;
const hash = createHash("sha256");
for (const name of ["build.mjs", "package.json", ...readdirSync(new URL("src/", here)).sort().map((x) => `src/${x}`)]) {
  hash.update(name + "\0").update(readFileSync(new URL(name, here))).update("\0");
}
mkdirSync(out, { recursive: true });
process.chdir(new URL(".", here).pathname);
await build({
  entryPoints: { viewer: "src/main.js" }, outdir: out, bundle: true, minify: true, format: "iife", target: "es2022",
  legalComments: "inline", charset: "ascii", banner: { js: `/* built from viewer/src, sha256 ${hash.digest("hex")} */` },
});
await build({ entryPoints: { viewer: "src/style.css" }, outdir: out, minify: true });
copyFileSync("node_modules/three/LICENSE", `${out}/LICENSE.three`);
