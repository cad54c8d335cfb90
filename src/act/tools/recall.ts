import * as z from "zod";
import type { JsonObject } from "../../signal/json.ts";
import { bottomLabel, isNoMoreSecretThan, joinLabels, type Label } from "../../signal/label.ts";
import type { Tool } from "../../signal/tool.ts";
import { success } from "../../signal/tool.ts";
import { defineTool } from "./define-tool.ts";

/** One thing that memory found. */
export type RecalledItem = {
  readonly id: string;
  /** Of a note its title; of what was said in a session when, and by whom. */
  readonly title?: string;
  readonly text: string;
  readonly label: Label;
};

/** The port that searches memory, best first. */
export type RecallPorts = {
  /** The label says who may see the query itself. */
  readonly search: (query: string, limit: number, label: Label) => Promise<readonly RecalledItem[]>;
  /** Why there may be more than is found now, in words; null where there is not. */
  readonly incomplete?: (() => string | null) | undefined;
};

const schema = z.strictObject({
  query: z.string().min(1).max(1000),
  private: z.boolean().optional().describe("private notes too"),
});
const mostFound = 10;
const longestText = 2000;

/**
 * Searches memory. The result has the labels of what was found; nothing is found out before the judge has passed it. What is private is left out unless it is asked for:
 * it would withhold the rest, too, from a model that is not on this machine.
 */
export function makeRecallTool({ search, incomplete }: RecallPorts): Tool {
  return defineTool({
    name: "recall",
    description: "Search the notes and all that was said or kept",
    schema,
    async prepare({ query, private: withPrivate = false }, _asker, labelOf) {
      const all = await search(query, mostFound, labelOf(query));
      const found = withPrivate ? all : all.filter(({ label }) => isNoMoreSecretThan(label, "public"));
      const notes = [leftOut(all.length - found.length), incomplete?.() ?? ""];
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "memory",
            realm: "own",
            operation: "recall",
            label: labelOf(query),
            reversal: "undoable",
          },
        ],
        plan: { query, private: withPrivate },
        changes: [],
        resultLabel: joinLabels(bottomLabel, ...found.map(({ label }) => label)),
        run: async () => {
          const note = notes.filter((text) => text !== "").join(" ");
          // The result has the label of what was found: a query that is more secret than that stays out of it.
          const asked = isNoMoreSecretThan(labelOf(query), "public") ? { query } : {};
          return success({ ...asked, found: found.map(shown), ...(note === "" ? {} : { note }) });
        },
      };
    },
  });
}

function leftOut(count: number): string {
  return count === 0 ? "" : `${count} of what was found is private and left out; private: true gives it too.`;
}

function shown({ id, title, text }: RecalledItem): JsonObject {
  const named = title === undefined ? { id } : { id, title };
  return text.length > longestText
    ? { ...named, text: text.slice(0, longestText), cut: text.length }
    : { ...named, text };
}
