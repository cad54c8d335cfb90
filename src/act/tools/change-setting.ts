import * as z from "zod";
import type { SettingLines } from "../../signal/effect.ts";
import { success, type Tool } from "../../signal/tool.ts";
import { problem } from "../files/fallible.ts";
import { defineTool } from "./define-tool.ts";

/** What changing a setting needs. */
export type ChangeSettingPorts = {
  /** Prepares a change of the settings file; null takes the setting out. `ownersAlone`: why the agent may not propose it. */
  readonly prepareSetting: (
    name: string,
    value: string | null,
  ) =>
    | {
        readonly ok: true;
        readonly before: string;
        readonly lines: readonly string[];
        readonly warning: string | null;
        readonly ownersAlone: string | null;
        readonly make: () => Promise<void>;
      }
    | { readonly ok: false; readonly reason: string };
};

const schema = z.strictObject({
  name: z.string().min(1).max(100).describe("such as BUDGET_PER_DAY"),
  value: z.string().max(1000).optional().describe("none: its default"),
});

/** Proposes a change of one setting: the owner is always asked, with the setting before and after. It counts from the next start. */
export function makeChangeSettingTool({ prepareSetting }: ChangeSettingPorts): Tool {
  return defineTool({
    name: "change-setting",
    description: "Change a setting of this agent",
    schema,
    async prepare({ name, value = null }, _caller, labelOf) {
      const change = prepareSetting(name, value);
      if (!change.ok) return problem("invalid-setting", change.reason);
      if (change.ownersAlone !== null)
        return problem("owners-alone", `${change.ownersAlone} Nothing was written. Tell the owner.`);
      if (change.lines.length === 0) return problem("unchanged", `${name} is set so already.`);
      const setting: SettingLines = { name, before: change.before, after: value };
      // The names of settings are the program's own.
      const label = labelOf(value ?? name);
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "settings",
            realm: "files",
            operation: "change a setting",
            setting,
            label,
            reversal: "compensable",
          },
        ],
        plan: { ...setting, lines: [...change.lines] },
        changes: [],
        resultLabel: label,
        async run() {
          await change.make();
          const back = `/config set ${name} ${change.before}`;
          return success({
            written: [...change.lines],
            note: [
              `It counts from the next start. To take it back the owner types: ${back}`,
              change.warning ?? "",
            ]
              .join(" ")
              .trim(),
          });
        },
      };
    },
  });
}
