import * as z from "zod";
import { bottomLabel } from "../../signal/label.ts";
import { success, type Tool } from "../../signal/tool.ts";
import type { JsonObject } from "../../text/json.ts";
import { defineTool } from "./define-tool.ts";

/** What listing models needs. */
export type ListModelsPorts = {
  /** The models that are set up or known at the providers of the owner, whose names hold these words; asks nobody. */
  readonly knownModels: (about: string) => Promise<JsonObject>;
};

const schema = z.strictObject({
  about: z.string().max(100).optional().describe("part of a model's or provider's name"),
});

/** Lists the models that could be asked, with what they cost and can do, by the table that comes with the program. */
export function makeListModelsTool({ knownModels }: ListModelsPorts): Tool {
  return defineTool({
    name: "list-models",
    description: "List models that can answer here: prices, context, abilities",
    schema,
    async prepare({ about = "" }, _caller, labelOf) {
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "memory",
            realm: "own",
            operation: "list-models",
            label: labelOf(about),
            reversal: "undoable",
          },
        ],
        plan: { about },
        changes: [],
        resultLabel: bottomLabel,
        run: async () => success(await knownModels(about)),
      };
    },
  });
}
