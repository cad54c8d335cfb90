import * as z from "zod";
import type { Tool } from "../../signal/tool.ts";
import { defineTool } from "./define-tool.ts";
import type { ProposePlanPorts } from "./prepare-propose-plan.ts";

const forms = "lines: [3x ]run CMD, write/read PATH, fetch URL";

const schemaOf = (steps: string) =>
  z.strictObject({
    steps: z.string().min(1).max(100_000).describe(steps),
    minutes: z.int().min(1).optional(),
    dollars: z.number().optional(),
  });

/** Proposes a flight plan: the owner answers once for the steps of a job, and each later call that a step names passes as often as the plan says. */
export function makeProposePlanTool(ports: ProposePlanPorts): Tool {
  return defineTool({
    name: "propose-plan",
    description: "Ask once for steps",
    schema: schemaOf(ports.tellsOfServices ? `${forms}, call TOOL {ARGUMENTS}` : forms),
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-propose-plan.ts")).prepareProposePlan(args, { ports, caller, labelOf }),
  });
}

/**
 * Works out what the lines of a job's entry allow to its runs. The tool is internal: no model sees it, and
 * the owner approves the job itself.
 */
export function makeAllowStepsTool(ports: ProposePlanPorts): Tool {
  return {
    ...defineTool({
      name: "allow-steps",
      description: "Works out what a job may do without a question",
      schema: z.strictObject({ lines: z.array(z.string()) }),
      prepare: async ({ lines }, caller, labelOf) =>
        (await import("./prepare-propose-plan.ts")).prepareJobSteps(lines, { ports, caller, labelOf }),
    }),
    internal: true,
  };
}
