import type { Feature } from "../../kernel/feature.ts";

/** Looks whether all works that the agent depends on. */
export const healthFeature: Feature = {
  commands: [
    {
      name: "doctor",
      aliases: ["diagnostics"],
      group: "Keep it running",
      spec: async () => (await import("./command-specs.ts")).doctorSpec,
      load: async () => (await import("./doctor.ts")).doctorCommand,
    },
  ],
};
