import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseVersion } from "../../src/memory/state/schema.ts";
import { makeVersion, packChanged, packCommit, packWorkingTree } from "./packed-versions.ts";

/**
 * Versions of the history: with the state of version 9, of version 16, the last that ran on its
 * installation, and the first that can go back.
 */
const history = ["11b23f2f", "38ba8331", "1a229d72", "f5ed48ca"];

/** A package, and what a user of it has. */
export type Version = {
  readonly name: string;
  readonly tarball: string;
  readonly hasJobs: boolean;
  /** Runs on a build of its own, and gives way to another one. */
  readonly keepsBuild: boolean;
};

/** The versions of a round: the history, one whose state has another form, and two that cannot take over. */
export type Versions = {
  readonly history: readonly Version[];
  readonly newer: Version;
  /** Its migration fails. */
  readonly broken: Version;
  /** It does not even start. */
  readonly dead: Version;
};

/** The changes of the sources that give the state another form, by a migration that runs each line of SQL. */
function withState(
  version: number,
  sql: readonly string[],
): Readonly<Record<string, (text: string) => string>> {
  const steps = sql.map(
    (line, index) => `  { from: ${databaseVersion + index}, apply: (to) => to.script("${line}") },\n`,
  );
  return {
    "src/memory/state/schema.ts": (text) =>
      text.replace(`databaseVersion = ${databaseVersion}`, `databaseVersion = ${version}`),
    "src/memory/state/versions.ts": (text) =>
      text.replace(/(?<=steps: readonly MigrationStep\[\] = \[[^\]]+)(?=\];)/, steps.join("")),
  };
}

/** Packs all versions of a round. */
export function makeVersions(folder: string): Versions {
  const kept = history.map((commit) => {
    const tarball = packCommit(commit);
    if (tarball === null)
      throw new Error(`this clone does not have the commit ${commit}: fetch the whole history`);
    return version(commit, tarball, commit);
  });
  const packed = packWorkingTree(folder);
  const one = "CREATE TABLE later (x)";
  return {
    history: [...kept, version("this", packed, "")],
    newer: version("0.2.0", packChanged(folder, "0.2.0", withState(databaseVersion + 1, [one])), ""),
    broken: version(
      "0.3.0",
      packChanged(folder, "0.3.0", withState(databaseVersion + 2, [one, "DROP TABLE missing"])),
      "",
    ),
    dead: version(
      "0.4.0",
      makeVersion(packed, "0.4.0", (dist) => writeFileSync(join(dist, "app.js"), 'import "./missing.js";\n')),
      "",
    ),
  };
}

function version(name: string, tarball: string, commit: string): Version {
  return { name, tarball, hasJobs: commit !== history[0], keepsBuild: !history.slice(0, 3).includes(commit) };
}
