import type { Effect } from "../../../signal/effect.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import type { FileChange, Outcome } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import { makeProjectPort } from "../prompt/read-project.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { stateOfFile } from "./state-of-file.ts";

/** What the loop looks up in files by itself. */
export function lookAtFiles({ state, editors }: Pick<LoopResources, "state" | "editors">) {
  const workspaceOf = async (session: string) => (await state.sessions.get(session))?.workspace ?? null;
  return {
    stateOfFile: (change: FileChange) => stateOfFile(state, editors.buffers, change),
    projectOf: makeProjectPort(workspaceOf),
    async filesRead({ session, signal, startedAt }: Turn, effects: readonly Effect[], outcome: Outcome) {
      const { findFilesRead } = await import("../resources/files-read.ts");
      const workspace = subTaskOf(signal)?.folder ?? (await workspaceOf(session));
      return findFilesRead({ effects, outcome }, { workspace, began: startedAt });
    },
  };
}
