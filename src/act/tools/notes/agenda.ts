import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { AgendaPorts } from "./prepare-agenda.ts";

const maxDays = 31;
const schema = z.strictObject({
  from: z.string().max(20).optional().describe("YYYY-MM-DD or +3d"),
  days: z.int().min(1).max(maxDays).optional(),
});

/** Shows what is due in the notes as a page. The result has the labels of all shown nodes and their ids for other tools. */
export function makeAgendaTool(ports: AgendaPorts): Tool {
  return defineTool({
    name: "agenda",
    description: "List what is due",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-agenda.ts")).prepareAgenda(args, { ports, caller, labelOf }),
  });
}
