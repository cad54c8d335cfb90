import * as z from "zod";
import type { Tool } from "../../signal/tool.ts";
import type { FilePorts } from "../files/file-ports.ts";
import { defineTool } from "./define-tool.ts";

const schema = z.strictObject({ path: z.string().min(1) });

/** Lists a folder and everything below it, nearest first, at most 300 names. Secret paths are not named and links are not followed. */
export function makeListFilesTool(ports: FilePorts): Tool {
  return defineTool({
    name: "list-files",
    description: "List a folder tree",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-list-files.ts")).prepareListFiles(args, { ports, caller, labelOf }),
  });
}
