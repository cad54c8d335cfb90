import * as z from "zod";
import { textsOf } from "../../shown/texts-of.ts";
import { bottomLabel, joinLabels, type LabelledValue } from "../../signal/label.ts";
import type { Outcome, Tool } from "../../signal/tool.ts";
import { failure, success } from "../../signal/tool.ts";
import { beginOf } from "../../text/cut-text.ts";
import type { Json } from "../../text/json.ts";
import { defineTool } from "./define-tool.ts";

const schema = z.strictObject({
  result: z.string().min(1).max(100),
  from: z.int().optional(),
});
/** Characters that one call gives. */
const most = 16_000;

/**
 * Reads on in a result of this conversation that a model got a part of, from any character. The part has the
 * label of its result.
 */
export function makeReadResultTool(): Tool {
  return defineTool({
    name: "read-result",
    description: "Read a long result",
    schema,
    async prepare({ result, from = 0 }, caller, labelOf) {
      const kept = caller.known.get(result) ?? null;
      const label = labelOf(result);
      const source = { ...bottomLabel, sources: [{ id: result, path: "" }] };
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "memory",
            realm: "own",
            operation: "read-result",
            label,
            reversal: "undoable",
          },
        ],
        plan: { result, from },
        changes: [],
        resultLabel: joinLabels(source, kept?.label ?? bottomLabel),
        run: async () => read(result, kept, from),
      };
    },
  });
}

function read(id: string, kept: LabelledValue<Json> | null, from: number): Outcome {
  if (kept === null)
    return failure({
      code: "no-result",
      message: `No result of this conversation has the id ${beginOf(id, 100)}. Call its tool again.`,
    });
  const text = textsOf(kept.value).join("\n");
  const part = text.slice(from, from + most).toWellFormed();
  const to = from + part.length;
  const rest = to < text.length ? ` Read on with from: ${to}.` : "";
  return success({ text: part, note: `Characters ${from} to ${to} of ${text.length}.${rest}` });
}
