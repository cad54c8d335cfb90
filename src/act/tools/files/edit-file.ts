import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { defineTool } from "../define-tool.ts";

const passage = z.string().min(1);
const edit = z.strictObject({ old: passage, new: z.string(), all: z.boolean().optional() });
const schema = z
  .strictObject({
    path: z.string().min(1),
    old: passage.optional(),
    new: z.string().optional(),
    all: z.boolean().optional(),
    edits: z.array(edit).min(1).max(200).optional().describe("several, all or none"),
  })
  .refine(
    ({ old, new: by, all, edits }) =>
      edits === undefined
        ? old !== undefined && by !== undefined
        : old === undefined && by === undefined && all === undefined,
    "give either old and new, or edits: [{old, new}, …]",
  );

/** Replaces passages of a file, one after the other: all of them or none. Each occurs exactly once, unless `all` is true. Every other byte stays. */
export function makeEditFileTool(ports: FilePorts): Tool {
  return defineTool({
    name: "edit-file",
    description: "Replace `old`, which must occur once (or all of it)",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-edit-file.ts")).prepareEditFile(args, { ports, caller, labelOf }),
  });
}
