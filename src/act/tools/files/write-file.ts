import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { defineTool } from "../define-tool.ts";

const schema = z.strictObject({ path: z.string().min(1), content: z.string() });

/** Writes a whole file and creates missing folders. The pre-image is kept for undo. If somebody else changed the file since it was read, the changes are merged, or nothing is written. */
export function makeWriteFileTool(ports: FilePorts): Tool {
  return defineTool({
    name: "write-file",
    description: "Create or replace a file",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-write-file.ts")).prepareWriteFile(args, { ports, caller, labelOf }),
  });
}
