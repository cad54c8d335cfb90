import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { defineTool } from "../define-tool.ts";

const schema = z.strictObject({
  path: z.string().min(1),
  offset: z.int().min(1).optional().describe("first line"),
  limit: z.int().min(1).optional(),
});

/**
 * Reads a text file from any line, at most 32 KB at once, and says how to read on. Binary files are
 * described, not shown.
 */
export function makeReadFileTool(ports: FilePorts): Tool {
  return defineTool({
    name: "read-file",
    description: "Read a text file",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-read-file.ts")).prepareReadFile(args, { ports, caller, labelOf }),
  });
}
