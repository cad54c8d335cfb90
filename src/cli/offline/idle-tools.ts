import type { Sandbox } from "../../act/sandbox/bubblewrap.ts";
import { type AssembledTools, assembleTools } from "../../daemon/agent/assemble-tools.ts";
import type { Policy } from "../../settings/policy.ts";
import { bottomLabel } from "../../signal/label.ts";

/** The tools of this agent, to be declared and judged and never run: nothing is looked up or kept. */
export function assembleIdleTools(policy: Policy, sandbox: Sandbox | null): AssembledTools {
  return assembleTools(policy, {
    origins: {
      of: async () => null,
      inside: async () => bottomLabel,
      insideLarge: async () => bottomLabel,
      lifted: async () => [],
      keep: async () => undefined,
    },
    privateText: { ready: async () => undefined, holdsPrivate: () => false },
    keepPreImage: async () => "",
    planPreImage: async () => [],
    isTrusted: async () => false,
    keepObject: async () => undefined,
    search: async () => [],
    fileOfNode: async () => null,
    lostNotes: async () => null,
    tell: () => false,
    sandbox,
    clock: Date.now,
    resolve: false,
    recordConnection: () => undefined,
  });
}
