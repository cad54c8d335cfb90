import type { Feature } from "../../kernel/feature.ts";

/** Lists, renames and deletes conversations. */
export const sessionsFeature: Feature = {
  commands: [
    {
      name: "sessions",
      group: "Talk",
      spec: async () => (await import("./command-specs.ts")).sessionsSpec,
      load: async () => (await import("./sessions.ts")).sessionsCommand,
    },
  ],
};
