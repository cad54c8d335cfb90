import * as z from "zod";
import type { Tool } from "../../signal/tool.ts";
import type { FilePorts } from "../files/file-ports.ts";
import { defineTool } from "./define-tool.ts";

const schema = z.strictObject({ pattern: z.string().min(1), path: z.string().min(1).optional() });

/** Finds the lines with a literal text. Case matters only if the text has capitals. Secret paths are not entered and links are not followed. */
export function makeSearchFilesTool(ports: FilePorts): Tool {
  return defineTool({
    name: "search-files",
    description: "Find lines with a literal text",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-search-files.ts")).prepareSearchFiles(args, { ports, caller, labelOf }),
  });
}
