import { digestOfFile } from "./digest-of-file.ts";
import type { LoopResources } from "./loop-resources.ts";
import { makeProjectPort } from "./read-project.ts";

/** What the loop looks up in files by itself. */
export function lookAtFiles({ sessions }: LoopResources["state"]) {
  const workspaceOf = async (session: string) => (await sessions.get(session))?.workspace ?? null;
  return { digestOfFile, projectOf: makeProjectPort(workspaceOf) };
}
