import { release, type } from "node:os";
import type { LabelRules } from "../../../memory/notes/labels/labelled-index.ts";
import type { PromptSettings } from "../../../reason/prepare-prompt.ts";
import type { Mandate } from "../../../reason/prompt/assemble-prompt.ts";
import type { Place } from "../../../reason/prompt/instructions.ts";
import type { Policy } from "../../../settings/policy.ts";
import { notesFolders } from "../../../signal/facts.ts";
import { readIdentity } from "./read-identity.ts";

/** What the constant part of a prompt is made from. */
export type PromptSettingsParts = {
  readonly policy: Policy;
  readonly originsOf: LabelRules["originsOf"];
  /** The standing mandates of the owner's skills, as they are now. */
  readonly taughtMandates: () => readonly Mandate[];
  readonly version: string;
  readonly report: (message: string) => void;
};

/** The standing mandates that are always there. */
const mandates: readonly Mandate[] = [
  {
    name: "plain-words",
    text: () => "Say plainly what you do not know.",
  },
];

/** What every prompt of this agent has in common. */
export function makePromptSettings({
  policy,
  originsOf,
  taughtMandates,
  version,
  report,
}: PromptSettingsParts): Pick<PromptSettings, "version" | "identity" | "gates"> {
  const { config, gateCount } = policy;
  const labels = { privacyTags: config.privacyTags, originsOf };
  // It is read with the first prompt: most short commands make none.
  const read: { identity?: Promise<string> } = {};
  return {
    version,
    identity: {
      assistant: config.assistant,
      get text() {
        read.identity ??= readIdentity({ policy, labels, report });
        return read.identity;
      },
      get mandates() {
        return [...mandates, ...taughtMandates()];
      },
    },
    gates: gateCount,
  };
}

/** Where a session works, as the model is told. */
export function describeSurroundings(
  { folders, config }: Pick<Policy, "folders" | "config">,
  { workspace, sandbox, orders, skills }: Pick<Place, "workspace" | "sandbox" | "orders" | "skills">,
): Place {
  return {
    workspace,
    notes: notesFolders(folders),
    system: `${type()} ${release().split("-")[0]} ${process.arch}`,
    sandbox,
    orders,
    skills,
    commandSeconds: Math.round(config.shellTimeout / 1000),
  };
}
