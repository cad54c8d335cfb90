import type { Feature } from "../../kernel/feature.ts";
import { reviewSpec } from "./command-specs.ts";

/** The inbox of proposals. */
export const reviewFeature: Feature = {
  commands: [
    {
      group: "Read your notes",
      spec: reviewSpec,
      load: async () => (await import("./review.ts")).reviewCommand,
    },
  ],
};

/** What accepts one proposal. */
export async function loadAcceptProposal() {
  return (await import("./review.ts")).acceptProposal;
}
