import * as z from "zod";
import { bottomLabel, isNoMoreSecretThan, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Caller, Tool } from "../../../signal/tool.ts";
import { success } from "../../../signal/tool.ts";
import { beginOf } from "../../../text/cut-text.ts";
import type { JsonObject } from "../../../text/json.ts";
import { defineTool } from "../define-tool.ts";

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

/** What to search for, with the label of the query itself. */
export type RecallQuery = {
  readonly text: string;
  readonly limit: number;
  readonly label: Label;
  /** What is private takes no part in the search. */
  readonly publicOnly: boolean;
  /** The session in which the owner typed the search; null for a search of a model. */
  readonly typedIn: string | null;
};

/** The port that searches memory, best first. */
export type RecallPorts = {
  readonly search: (query: RecallQuery) => Promise<readonly RecalledItem[]>;
  /** Says in words why the result may be incomplete; null if it is complete. */
  readonly incomplete?: (() => Promise<string | null>) | undefined;
};

const schema = z.strictObject({
  query: z.string().min(1).max(1000),
  private: z.boolean().optional(),
});
const maxItems = 10;
const maxTextLength = 2000;

/**
 * Searches memory. The result has the labels of the items found and is shown only after the judge has passed it. Private items take no part unless the call asks for
 * them: a model that is not local could not see the result. A search of private items is private whatever it finds: else a model could try words and learn which of them stand in private notes.
 */
export function makeRecallTool({ search, incomplete }: RecallPorts): Tool {
  return defineTool({
    name: "recall",
    description: "Search notes and conversations",
    schema,
    async prepare({ query, private: withPrivate = false }, caller, labelOf) {
      const label = labelOf(query);
      const typedIn = isCommandLine(query, caller) ? caller.session : null;
      const found = await search({ text: query, limit: maxItems, label, publicOnly: !withPrivate, typedIn });
      const triesWords = withPrivate && !isOwnersSearch(query, caller);
      const labels = found.map(({ id, label: known }) => {
        const named = joinLabels({ ...bottomLabel, sources: [{ id, path: "" }] }, known);
        return triesWords ? joinLabels(named, privateLabel) : named;
      });
      const asked = { ...label, secrecy: triesWords ? privateLabel.secrecy : bottomLabel.secrecy };
      const notes = [withPrivate ? "" : publicNote, (await incomplete?.()) ?? ""];
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "memory",
            realm: "own",
            operation: "recall",
            label,
            reversal: "undoable",
          },
        ],
        plan: { query, private: withPrivate },
        changes: [],
        // The query comes back with the result, and is no word of the owner for that.
        resultLabel: joinAll([asked, ...labels]),
        resultFields: labels.map((itemLabel, index) => ({ path: `/found/${index}`, label: itemLabel })),
        run: async () => {
          const note = notes.filter((text) => text !== "").join(" ");
          // The result has the label of the items found, so a query that is more secret is left out.
          const shownQuery = isNoMoreSecretThan(label, "public") ? { query } : {};
          return success({ ...shownQuery, found: found.map(shown), ...(note === "" ? {} : { note }) });
        },
      };
    },
  });
}

/** The same whatever the private notes hold. */
const publicNote = "Private notes were not searched.";
const privateLabel: Label = { ...bottomLabel, secrecy: "private" };

/** True where the owner typed this search: then no model chose its words. */
function isOwnersSearch(query: string, caller: Caller): boolean {
  return ownersWords(caller).some((words) => words.endsWith(query));
}

/**
 * True where the words of the owner are one word, such as `/search`, and the query: then they read the
 * results.
 */
function isCommandLine(query: string, caller: Caller): boolean {
  return ownersWords(caller).some(
    (words) => words.endsWith(query) && /^\s*\S+\s+$/.test(words.slice(0, -query.length)),
  );
}

function ownersWords({ known }: Caller): readonly string[] {
  return [...known.values()].flatMap(({ value, label }) =>
    typeof value === "string" && label.integrity === "user" ? [value.trimEnd()] : [],
  );
}

function shown({ id, title, file, match, text }: RecalledItem): JsonObject {
  return {
    id,
    ...(title === undefined ? {} : { title }),
    ...(typeof file === "string" ? { file } : {}),
    ...(match === undefined ? {} : { match }),
    ...(text.length > maxTextLength ? { text: beginOf(text, maxTextLength), cut: text.length } : { text }),
  };
}
