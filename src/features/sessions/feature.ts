import type { Feature } from "../../kernel/feature.ts";
import { sessionsSpec } from "./command-specs.ts";

/** Lists, renames and deletes conversations. */
export const sessionsFeature: Feature = {
  commands: [
    {
      group: "Talk",
      spec: sessionsSpec,
      load: async () => (await import("./sessions.ts")).sessionsCommand,
    },
  ],
};
