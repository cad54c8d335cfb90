import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { defineTool } from "../define-tool.ts";

const schema = z.strictObject({
  path: z.string().min(1),
  name: z.string().min(1).optional().describe("of a declaration, as the outline has it"),
});

/** Outlines a file of code by its declarations with their lines, or gives one declaration. TypeScript, JavaScript and Lisp are parsed. */
export function makeReadCodeTool(ports: FilePorts): Tool {
  return defineTool({
    name: "read-code",
    description: "Outline a file of TypeScript, JavaScript or Lisp, or read one declaration",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-read-code.ts")).prepareReadCode(args, { ports, caller, labelOf }),
  });
}
