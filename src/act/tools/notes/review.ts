import * as z from "zod";
import type { Tool } from "../../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { ReviewPorts } from "./prepare-review.ts";

const schema = z.strictObject({
  verb: z.enum(["file", "accept", "reject"]),
  ids: z.array(z.string().min(1)).min(1),
});

/**
 * Brings the review inbox in line with its proposals, and makes the change of an accepted proposal. The tool is internal: no model sees it, and it does only the
 * task that the turn was started for.
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
