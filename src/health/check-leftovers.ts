import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HealthCheck } from "./health-check.ts";

/** Milliseconds after which nothing still works on a file of the configuration folder. */
const staleAfter = 60_000;

/** Finds what commands that were killed left in the configuration folder: locks, and files that were not finished. */
export function checkLeftovers(folder: string, now: number): readonly HealthCheck[] {
  const names =
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
  return names
    .filter((name) => /\.(?:lock|tmp)$/.test(name))
    .map((name) => join(folder, name))
    .filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > staleAfter)
    .map((path) => ({
      name: "files",
      result: "finding",
      text: `a command that was killed left ${path}. Nothing needs it. Move it away: passepartout doctor --fix`,
      fix: { kind: "set-aside", path },
    }));
}
