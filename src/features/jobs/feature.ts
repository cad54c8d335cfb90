import type { Feature } from "../../kernel/feature.ts";
import { jobsSpec } from "./command-specs.ts";

/** What runs by itself. */
export const jobsFeature: Feature = {
  commands: [
    {
      group: "Keep it running",
      spec: jobsSpec,
      load: async () => (await import("./jobs.ts")).jobsCommand,
    },
  ],
};
