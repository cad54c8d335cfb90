import * as z from "zod";
import type { JsonObject } from "../../signal/json.ts";
import { bottomLabel, isNoMoreSecretThan, joinLabels, type Label } from "../../signal/label.ts";
import type { Tool } from "../../signal/tool.ts";
import { success } from "../../signal/tool.ts";
import { defineTool } from "./define-tool.ts";

/** One item that memory found. */
export type RecalledItem = {
  readonly id: string;
  /** The title of a note, or the time and speaker of a message in a session. */
  readonly title?: string;
  /** The file of a note in the notes folder. */
  readonly file?: string | null;
  /** The line that matches best, for a person. */
  readonly match?: string;
  readonly text: string;
  readonly label: Label;
};

/** The port that searches memory, best first. */
export type RecallPorts = {
  /** `label` is the label of the query itself. */
  readonly search: (query: string, limit: number, label: Label) => Promise<readonly RecalledItem[]>;
  /** Says in words why the result may be incomplete; null if it is complete. */
  readonly incomplete?: (() => string | null) | undefined;
};

const schema = z.strictObject({
  query: z.string().min(1).max(1000),
  private: z.boolean().optional(),
});
const maxItems = 10;
const maxTextLength = 2000;

/**
 * Searches memory. The result has the labels of the items found and is shown only after the judge has passed it. Private items are
 * left out unless the call asks for them: they would make the whole result private, and a model that is not local could not see it.
 */
export function makeRecallTool({ search, incomplete }: RecallPorts): Tool {
  return defineTool({
    name: "recall",
    description: "Search notes, conversations and memories",
    schema,
    async prepare({ query, private: withPrivate = false }, _asker, labelOf) {
      const all = await search(query, maxItems, labelOf(query));
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
          // The result has the label of the items found, so a query that is more secret is left out.
          const asked = isNoMoreSecretThan(labelOf(query), "public") ? { query } : {};
          return success({ ...asked, found: found.map(shown), ...(note === "" ? {} : { note }) });
        },
      };
    },
  });
}

function leftOut(count: number): string {
  return count === 0 ? "" : `Private results left out: ${count}. Use private: true to include them.`;
}

function shown({ id, title, file, match, text }: RecalledItem): JsonObject {
  return {
    id,
    ...(title === undefined ? {} : { title }),
    ...(typeof file === "string" ? { file } : {}),
    ...(match === undefined ? {} : { match }),
    ...(text.length > maxTextLength ? { text: text.slice(0, maxTextLength), cut: text.length } : { text }),
  };
}
