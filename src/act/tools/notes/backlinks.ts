import * as z from "zod";
import { bottomLabel, isNoMoreSecretThan, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { Tool } from "../../../signal/tool.ts";
import { success } from "../../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";

/** A note that links to another one. */
export type LinkingNote = {
  readonly id: string;
  readonly title: string;
  /** The line that holds the link. */
  readonly line: string;
  readonly label: Label;
};

/** The port that finds the notes that link to a node. */
export type BacklinksPorts = {
  readonly backlinks: (id: string) => Promise<readonly LinkingNote[]>;
  /** Why some notes may be missing now, in words; null where none are. */
  readonly incomplete?: (() => Promise<string | null>) | undefined;
};

const schema = z.strictObject({
  id: z.string().min(1).max(1000),
  private: z.boolean().optional(),
});
const mostLinks = 50;

/**
 * Lists the notes that link to a node. The result has the labels of the listed notes. Private notes are listed only on request, and then the result is private
 * whether there are any or not: neither it nor its absence tells a model that is not on this machine of private notes.
 */
export function makeBacklinksTool({ backlinks, incomplete }: BacklinksPorts): Tool {
  return defineTool({
    name: "backlinks",
    description: "Notes that link to a node",
    schema,
    async prepare({ id, private: withPrivate = false }, _caller, labelOf) {
      const all = await backlinks(id);
      const allowed = withPrivate ? all : all.filter(({ label }) => isNoMoreSecretThan(label, "public"));
      const listed = allowed.slice(0, mostLinks);
      const asked = withPrivate ? privateLabel : bottomLabel;
      const notes = [
        withPrivate ? "" : publicNote,
        allowed.length > mostLinks ? `Only the first ${mostLinks} of ${allowed.length} are listed.` : "",
        (await incomplete?.()) ?? "",
      ];
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "memory",
            realm: "own",
            operation: "backlinks",
            label: labelOf(id),
            reversal: "undoable",
          },
        ],
        plan: { id, private: withPrivate },
        changes: [],
        resultLabel: joinAll([asked, ...listed.map(({ label }) => label)]),
        resultFields: listed.map(({ label }, index) => ({
          path: `/links/${index}`,
          label: joinLabels(asked, label),
        })),
        run: async () => {
          const note = notes.filter((text) => text !== "").join(" ");
          const links = listed.map(({ id: from, title, line }) => ({ id: from, title, line }));
          return success({ links, ...(note === "" ? {} : { note }) });
        },
      };
    },
  });
}

/** The same whether private notes link to the node or not. */
const publicNote = "Links in private notes are not listed.";
const privateLabel: Label = { ...bottomLabel, secrecy: "private" };
