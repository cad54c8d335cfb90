import { tmpdir } from "node:os";
import type { Sandbox } from "../../act/sandbox/bubblewrap.ts";
import { findOverlayProblem } from "../../act/sandbox/overlay.ts";
import type { CommandOverlays } from "../../act/trial/command-overlays.ts";
import { OwnOutputs } from "../../act/trial/own-outputs.ts";
import {
  type AssembledTools,
  assembleTools,
  type ToolPorts,
} from "../../daemon/agent/tools/assemble-tools.ts";
import type { Policy } from "../../settings/policy.ts";
import { bottomLabel } from "../../signal/label.ts";

/** Of servers and folders nothing is known where it is left out. */
type IdleParts = Pick<ToolPorts, "skills" | "openExternal" | "folderSkills">;

/** The tools of this agent, to be declared and judged and never run: nothing is looked up or kept. Without `skills` those that were accepted are known, and none of their code is asked. */
export function assembleIdleTools(
  policy: Policy,
  sandbox: Sandbox | null,
  { skills = acceptedSkills(policy), ...others }: IdleParts = {},
): AssembledTools {
  return assembleTools(policy, {
    origins: {
      of: async () => null,
      inside: async () => bottomLabel,
      insideLarge: async () => bottomLabel,
      touched: async () => bottomLabel,
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
    jails: { take: refuse, warm: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() },
    skills,
    ...others,
    overlays: idleOverlays(),
    clock: Date.now,
    resolve: false,
    recordConnection: () => undefined,
  });
}

const refuse = () => Promise.reject(new Error("Tools that are only judged run nothing."));

function acceptedSkills({ skillBook }: Policy): NonNullable<ToolPorts["skills"]> {
  const accepted = skillBook.all().filter(({ enabled }) => enabled);
  return {
    inForce: () => accepted,
    call: refuse,
    askGates: async () => [],
    refresh: async () => undefined,
    missing: () => [],
  };
}

/** Says whether commands can be tried here, and tries none. */
function idleOverlays(): CommandOverlays {
  let tried: Promise<string | null> | null = null;
  return {
    problem() {
      tried ??= findOverlayProblem(tmpdir());
      return tried;
    },
    open: refuse,
    openPart: refuse,
    openWithCopies: refuse,
    keep: refuse,
    planDrops: async () => [],
    dropSets: refuse,
    displacedBy: async () => [],
    outputs: new OwnOutputs(),
    trials: {
      find: () => null,
      run: refuse,
      hold: refuse,
      miss: () => {},
      isMissed: () => false,
      needFolder: () => undefined,
      whyFolder: () => null,
      drop: refuse,
      close: () => Promise.resolve(),
    },
  };
}
