import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { defineTool } from "../define-tool.ts";

const schema = z.strictObject({
  pattern: z.string().min(1).describe("regex (RE2); a capital makes case count"),
  path: z.string().min(1).optional(),
  glob: z.string().min(1).optional(),
  context: z.int().min(0).optional().describe("lines around"),
  limit: z.int().min(1).optional(),
  literal: z.boolean().optional(),
  ignored: z.boolean().optional(),
});

/**
 * Finds the lines that a regular expression matches, in linear time. Case matters only if the pattern has capitals. Secret paths are not entered, links are not
 * followed, and `.gitignore` counts unless `ignored` is true.
 */
export function makeSearchFilesTool(ports: FilePorts): Tool {
  return defineTool({
    name: "search-files",
    description: "Find lines in files",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-search-files.ts")).prepareSearchFiles(args, { ports, caller, labelOf }),
  });
}
