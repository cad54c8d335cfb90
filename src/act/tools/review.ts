import * as z from "zod";
import type { Tool } from "../../signal/tool.ts";
import { defineTool } from "./define-tool.ts";
import type { ReviewPorts } from "./prepare-review.ts";

const schema = z.strictObject({
  verb: z.enum(["file", "accept", "reject"]),
  ids: z.array(z.string().min(1)).min(1),
});

/**
 * Brings the review inbox in line with its proposals, and makes the change of one that the owner accepts. It is the program's own: no model is told of it, and it
 * does only what the turn was begun for.
 */
export function makeReviewTool(ports: ReviewPorts): Tool {
  return {
    ...defineTool({
      name: "review",
      description: "Decide on a proposal of the review inbox",
      schema,
      prepare: async (args, caller) =>
        (await import("./prepare-review.ts")).prepareReview(args, { ports, caller }),
    }),
    internal: true,
  };
}
