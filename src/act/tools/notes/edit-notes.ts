import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { EditNotesPorts } from "./prepare-edit-notes.ts";
import { proposedOperationSchema } from "./proposed-operation.ts";

const schema = z.strictObject({
  file: z.string().min(1).describe("path or node ID"),
  operations: z.array(proposedOperationSchema).min(1).max(100),
});

/** Edits an Org file as Emacs's own commands would, and changes no other byte. An operation that does not fit is refused; the others are done. */
export function makeEditNotesTool(ports: EditNotesPorts): Tool {
  return defineTool({
    name: "edit-notes",
    description: "Edit an Org file",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-edit-notes.ts")).prepareEditNotes(args, { ports, caller, labelOf }),
  });
}
