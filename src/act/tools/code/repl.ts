import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { ReplPorts } from "./prepare-repl.ts";

const text = z.string().min(1).optional();
const schema = z
  .strictObject({
    code: text,
    load: text.describe("path of a file, whose text is kept as the variable `as`"),
    as: z
      .string()
      .regex(/^[A-Za-z_$][\w$]*$/)
      .optional(),
    inspect: text.describe("an expression"),
    list: z.literal(true).optional().describe("the variables"),
    end: z.literal(true).optional(),
  })
  .refine(
    ({ code, load, inspect, list, end }) =>
      [code, load, inspect, list, end].filter((one) => one !== undefined).length === 1,
    "give exactly one of code, load, inspect, list and end",
  )
  .refine(({ load, as }) => (load === undefined) === (as === undefined), "load and as go together");

/** Evaluates JavaScript in a session of the conversation that keeps its variables, in the jail. Whatever once went into the session labels all that comes out of it. */
export function makeReplTool(ports: ReplPorts): Tool {
  return defineTool({
    name: "repl",
    description: "JavaScript in a session that keeps its variables, without files or network",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-repl.ts")).prepareRepl(args, { ports, caller, labelOf }),
  });
}
