// Writes the notices of all that went into the bundle beside it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const folders = readdirSync("node_modules").flatMap((name) =>
  name.startsWith("@") ? readdirSync(`node_modules/${name}`).map((inner) => `${name}/${inner}`) : [name],
);
const notices = folders
  .filter((name) => !name.startsWith(".") && !name.includes("esbuild"))
  .map((name) => {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
    return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
  });
writeFileSync("../assets/codemirror.LICENSES.txt", notices.join(`\n${"-".repeat(80)}\n\n`));
