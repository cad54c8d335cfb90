import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { RememberPorts } from "./prepare-remember.ts";

const schema = z.strictObject({ text: z.string().min(1).max(100_000) });

/** Appends a note to `inbox.org` in the notes folder, with its origin, and stores it in memory. */
export function makeRememberTool(ports: RememberPorts): Tool {
  return defineTool({
    name: "remember",
    description: "Add a note to the inbox",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-remember.ts")).prepareRemember(args, { ports, caller, labelOf }),
  });
}
