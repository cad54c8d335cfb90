import * as z from "zod";
import { joinLabels } from "../../signal/label.ts";
import type { Tool } from "../../signal/tool.ts";
import { defaultJailLimits, type JailLimits, runInJail } from "../sandbox/eval-jail.ts";
import { defineTool } from "./define-tool.ts";

/** The jail's worker and its limits. */
export type EvalPorts = { readonly worker: URL; readonly limits?: JailLimits };

const schema = z.strictObject({ code: z.string() });

/** Evaluates JavaScript in the jail and returns the last value as JSON, with the output. */
export function makeEvalTool({ worker, limits = defaultJailLimits }: EvalPorts): Tool {
  return defineTool({
    name: "eval",
    description: "Run JavaScript without files or network",
    schema,
    async prepare({ code }, _asker, labelOf) {
      const label = labelOf(code);
      return {
        ok: true,
        effects: [
          {
            kind: "evaluate",
            target: "JavaScript",
            language: "javascript",
            jailed: true,
            label,
            reversal: "undoable",
          },
        ],
        plan: { code },
        changes: [],
        resultLabel: joinLabels(label, { integrity: "agent", secrecy: "public", sources: [] }),
        run: (cancel) => runInJail({ worker, code, limits }, cancel),
      };
    },
  });
}
