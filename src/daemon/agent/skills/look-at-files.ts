import type { FileChange } from "../../../signal/tool.ts";
import { makeProjectPort } from "../prompt/read-project.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { stateOfFile } from "./state-of-file.ts";

/** What the loop looks up in files by itself. */
export function lookAtFiles({ state, editors }: Pick<LoopResources, "state" | "editors">) {
  const workspaceOf = async (session: string) => (await state.sessions.get(session))?.workspace ?? null;
  return {
    stateOfFile: (change: FileChange) => stateOfFile(state, editors.buffers, change),
    projectOf: makeProjectPort(workspaceOf),
  };
}
