import * as z from "zod";
import type { Tool } from "../../signal/tool.ts";
import type { FilePorts } from "../files/file-ports.ts";
import { defineTool } from "./define-tool.ts";

const schema = z.strictObject({ path: z.string().min(1), old: z.string().min(1), new: z.string() });

/** Replaces a passage that occurs exactly once in a file. Every other byte stays. */
export function makeEditFileTool(ports: FilePorts): Tool {
  return defineTool({
    name: "edit-file",
    description: "Replace the only occurrence of `old`",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-edit-file.ts")).prepareEditFile(args, { ports, caller, labelOf }),
  });
}
