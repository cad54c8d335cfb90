import type { Feature } from "../../kernel/feature.ts";
import { doctorSpec } from "./command-specs.ts";

/** Looks whether all works that the agent depends on. */
export const healthFeature: Feature = {
  commands: [
    {
      group: "Keep it running",
      spec: doctorSpec,
      load: async () => (await import("./doctor.ts")).doctorCommand,
    },
  ],
};
