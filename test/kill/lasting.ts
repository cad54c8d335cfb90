import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runsFile } from "./scenarios.ts";
import type { World } from "./world.ts";

/** What the agent's acts left in the workspace and the notes folder: the evidence that they happened. */
export type Lasting = {
  /** Contents by the file's name, without the file that the approved program writes. */
  readonly files: ReadonlyMap<string, string>;
  /** How many times the approved program ran. */
  readonly runs: number;
  /** Headlines of the inbox. */
  readonly notes: readonly string[];
};

/** Reads what a world holds outside the state folder. */
export function readLasting({ workspace, inbox }: World): Lasting {
  const files = new Map(
    // The lock of a writer that was killed is a link that leads nowhere.
    readdirSync(workspace, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink())
      .map(({ name }) => [name, readFileSync(join(workspace, name), "utf8")] as const),
  );
  const runs = files.get(runsFile) ?? "";
  files.delete(runsFile);
  const kept = existsSync(inbox) ? readFileSync(inbox, "utf8") : "";
  const notes = [...kept.matchAll(/^\* (.*)$/gm)].map(([, title = ""]) => title);
  return { files, runs: runs.split("\n").length - 1, notes };
}
