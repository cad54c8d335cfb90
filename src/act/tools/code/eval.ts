import * as z from "zod";
import { joinLabels } from "../../../signal/label.ts";
import type { Tool } from "../../../signal/tool.ts";
import { defaultJailLimits, type JailLimits, runInJail } from "../../sandbox/eval-jail.ts";
import type { JailThreads } from "../../sandbox/jail-threads.ts";
import { defineTool } from "../define-tool.ts";

/** Where its jails come from, and their limits. */
export type EvalPorts = { readonly threads: JailThreads; readonly limits?: JailLimits };

const schema = z.strictObject({ code: z.string() });

/** Evaluates JavaScript in the jail and returns the last value as JSON, with the output. */
export function makeEvalTool({ threads, limits = defaultJailLimits }: EvalPorts): Tool {
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
        run: (cancel) => runInJail({ threads, code, limits }, cancel),
      };
    },
  });
}
