import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { defineTool } from "../define-tool.ts";

const schema = z.strictObject({
  path: z.string().min(1).optional(),
  depth: z.int().min(1).optional(),
  glob: z.string().min(1).optional().describe("*.ts, src/**"),
  ignored: z.boolean().optional(),
});

/** Lists a folder two levels deep, or to any depth where a glob chooses, nearest first, at most 300 names. Secret paths are not named, links are not followed, and `.gitignore` counts unless `ignored` is true. */
export function makeListFilesTool(ports: FilePorts): Tool {
  return defineTool({
    name: "list-files",
    description: "List a folder",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-list-files.ts")).prepareListFiles(args, { ports, caller, labelOf }),
  });
}
