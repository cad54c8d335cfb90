// Compares the pinned Node, the range of package.json, the image and each locked package with the known
// advisories: fails if any of them is open.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import manifest from "../package.json" with { type: "json" };
import { advisories, advisoriesDay } from "../src/health/advisories.ts";
import { openAdvisories } from "../src/health/open-advisories.ts";
import platforms from "./node-platforms.json" with { type: "json" };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (name: string): string => readFileSync(join(root, name), "utf8");

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
});

/** Each component with a version that is used, and where it stands. */
function listUsed(): readonly (readonly [component: string, version: string, place: string])[] {
  const locked = lockFile.parse(JSON.parse(read("package-lock.json")));
  const versionsIn = (text: string, form: RegExp) =>
    [...text.matchAll(form)].map(([, version = ""]) => version);
  return [
    ...Object.entries(platforms).map(([name, { version }]) => ["node", version, name] as const),
    ...versionsIn(manifest.engines.node, /(\d+\.\d+\.\d+)/g).map(
      (version) => ["node", version, "engines"] as const,
    ),
    ...versionsIn(read("Dockerfile"), /^FROM node:([\d.]+)/gm).map(
      (version) => ["node", version, "image"] as const,
    ),
    ...Object.entries(locked.packages).flatMap(([place, { version }]) => {
      const name = place.split("node_modules/").at(-1) ?? "";
      return name === "" || version === undefined ? [] : [[name, version, place] as const];
    }),
  ];
}

const used = listUsed();
const open = used.flatMap(([component, version, place]) =>
  openAdvisories(component, version).map(
    ({ id, about }) => `${component} ${version} (${place}): ${id}, ${about}\n`,
  ),
);
process.stdout.write(open.join(""));
process.stdout.write(
  `advisories known on ${advisoriesDay}, open: ${open.length} (${advisories.length} known, ${used.length} components)\n`,
);
if (open.length > 0) process.exitCode = 1;
