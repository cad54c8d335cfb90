import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runsFile } from "./scenarios.ts";

/** What the agent's acts left in the workspace: the evidence that they happened. */
export type Lasting = {
  /** Contents by the file's name, without the file that the approved program writes. */
  readonly files: ReadonlyMap<string, string>;
  /** How many times the approved program ran. */
  readonly runs: number;
};

/** Reads the files of a workspace. */
export function readLasting(workspace: string): Lasting {
  const files = new Map(
    readdirSync(workspace).map((name) => [name, readFileSync(join(workspace, name), "utf8")] as const),
  );
  const runs = files.get(runsFile) ?? "";
  files.delete(runsFile);
  return { files, runs: runs.split("\n").length - 1 };
}
