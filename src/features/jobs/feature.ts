import type { Feature } from "../../kernel/feature.ts";

/** What runs by itself. */
export const jobsFeature: Feature = {
  commands: [
    {
      name: "jobs",
      group: "Keep it running",
      spec: async () => (await import("./command-specs.ts")).jobsSpec,
      load: async () => (await import("./jobs.ts")).jobsCommand,
    },
  ],
};
