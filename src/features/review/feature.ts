import type { Feature } from "../../kernel/feature.ts";

/** The inbox of proposals. */
export const reviewFeature: Feature = {
  commands: [
    {
      name: "review",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).reviewSpec,
      load: async () => (await import("./review.ts")).reviewCommand,
    },
  ],
};

/** What accepts one proposal. */
export async function loadAcceptProposal() {
  return (await import("./review.ts")).acceptProposal;
}
