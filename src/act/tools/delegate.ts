import * as z from "zod";
import { delegateName } from "../../signal/sub-task.ts";
import type { Tool } from "../../signal/tool.ts";
import { defineTool } from "./define-tool.ts";
import type { DelegatePorts } from "./prepare-delegate.ts";

/** Sub-tasks of one call. */
const mostAtOnce = 4;

const schema = z.strictObject({
  tasks: z
    .array(
      z.strictObject({
        task: z.string().min(1).max(20_000).describe("all that it must know"),
        tools: z.array(z.string().max(100)).max(50).describe("what it may call"),
        folder: z.string().max(4096).optional(),
        dollars: z.number().positive().optional(),
        calls: z.int().min(1).optional().describe("of a model, at most"),
      }),
    )
    .min(1)
    .max(mostAtOnce),
});

/** Hands tasks to turns of their own, with a part of what this turn may. They run side by side, and their answers come back with their labels. */
export function makeDelegateTool(ports: DelegatePorts): Tool {
  return defineTool({
    name: delegateName,
    description: `Give up to ${mostAtOnce} tasks to helpers side by side. Each knows its task alone, and asks nobody`,
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-delegate.ts")).prepareDelegate(args, { ports, caller, labelOf }),
  });
}
