import type { FileDiff } from "../../signal/file-diff.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { shortPath, withShortHome } from "../screen/short-path.ts";
import { type Call, outcomeOf } from "./call.ts";

/** What a verdict tells of a call. */
export function knownOfVerdict(event: Extract<LoopEvent, { type: "verdict" }>, home: string): Partial<Call> {
  const { effects, trace, verdict, reason, gates = null, microseconds } = event;
  const content = withShortHome(reason, home);
  const blocked = { state: "blocked", content, code: "blocked", milliseconds: null } as const;
  return {
    effects,
    trace,
    tried: verdict === "trial",
    gates,
    judgedIn: microseconds === undefined ? null : microseconds / 1000,
    ...(verdict === "block" ? { outcome: blocked } : {}),
  };
}

/** What an outcome tells of a call. */
export function knownOfOutcome(
  event: Extract<LoopEvent, { type: "outcome" }>,
  workspace: string | null,
): Partial<Call> {
  const { milliseconds = null, changes } = event;
  return {
    ...(changes === undefined ? {} : { changes: inFolder(changes, workspace) }),
    outcome: outcomeOf(event, milliseconds),
  };
}

/** Changes with their paths as seen from the folder of the session. */
export function inFolder(changes: readonly FileDiff[], workspace: string | null): readonly FileDiff[] {
  return changes.map((change) => ({ ...change, path: shortPath(change.path, "", workspace) }));
}
