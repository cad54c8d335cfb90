import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { TanglePorts } from "./prepare-tangle.ts";

const schema = z.strictObject({
  path: z.string().min(1).describe("of an Org file"),
  check: z.boolean().optional().describe("only say which files differ"),
  overwrite: z.boolean().optional().describe("replace files that were changed elsewhere too"),
});

/** Writes the source blocks of an Org file into the files that they name. A file that somebody changed since is named, and nothing is written. Nothing is evaluated. */
export function makeTangleTool(ports: TanglePorts): Tool {
  return defineTool({
    name: "tangle",
    description: "Write the source blocks of an Org file into the files of their :tangle arguments",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-tangle.ts")).prepareTangle(args, { ports, caller, labelOf }),
  });
}
