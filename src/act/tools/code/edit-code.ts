import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import type { FilePorts } from "../../files/file-ports.ts";
import { defineTool } from "../define-tool.ts";

const schema = z.strictObject({
  path: z.string().min(1),
  name: z.string().min(1).describe("of a declaration, as read-code has it"),
  new: z.string().describe("all that takes its place, with its comment; empty removes it"),
});

/** Replaces one declaration of a file of code. Every other byte stays. What would not parse any more is refused with the place. */
export function makeEditCodeTool(ports: FilePorts): Tool {
  return defineTool({
    name: "edit-code",
    description: "Replace one declaration of TypeScript, JavaScript or Lisp",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-edit-code.ts")).prepareEditCode(args, { ports, caller, labelOf }),
  });
}
