import { makeProjectPort } from "../prompt/read-project.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { digestOfFile } from "./digest-of-file.ts";

/** What the loop looks up in files by itself. */
export function lookAtFiles({ sessions }: LoopResources["state"]) {
  const workspaceOf = async (session: string) => (await sessions.get(session))?.workspace ?? null;
  return { digestOfFile, projectOf: makeProjectPort(workspaceOf) };
}
