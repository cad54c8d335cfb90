import { existsSync, realpathSync } from "node:fs";
import { findSandbox } from "../../act/sandbox/bubblewrap.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Action } from "../../signal/action.ts";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { Verdict } from "../../signal/verdict.ts";
import { assembleIdleTools } from "./idle-tools.ts";

/** The verdict on one action as `passepartout judge` prints it. */
type JudgedAction = {
  readonly verdict: Verdict["decision"];
  readonly reason: string;
  readonly effects: readonly Effect[];
  readonly trace: Verdict["trace"];
};

/** The judge alone: nothing is run, looked up or kept. */
export type OfflineJudge = { readonly judge: (action: Action) => Promise<JudgedAction> };

/** Opens the judge for a workspace, which need not exist; null means no workspace. */
export async function openOfflineJudge(start: StartContext, folder: string | null): Promise<OfflineJudge> {
  const policy = loadPolicy(start.environment);
  const { acting } = assembleIdleTools(policy, await findSandbox());
  const workspace = folder !== null && existsSync(folder) ? realpathSync(folder) : folder;
  return {
    async judge(action) {
      const prepared = await acting.prepare(
        action,
        {
          turn: "judge",
          session: "judge",
          person: "owner",
          source: "cli",
          startedBy: "person",
          workspace,
          known: new Map(),
          promptLabel: bottomLabel,
        },
        [],
      );
      if (!prepared.ok) return { verdict: "block", reason: prepared.message, effects: [], trace: [] };
      const { decision, reason, trace } = policy.judge(prepared.effects, prepared.facts);
      return { verdict: decision, reason, effects: prepared.effects, trace };
    },
  };
}
