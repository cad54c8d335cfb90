import type { Feature } from "../../kernel/feature.ts";
import {
  budgetSpec,
  contextSpec,
  journalSpec,
  judgeSpec,
  modelsSpec,
  secretPathsSpec,
  usageSpec,
} from "./command-specs.ts";

/** Shows what a model is sent, what was judged, done and spent. */
export const inspectFeature: Feature = {
  commands: [
    {
      group: "Read your notes",
      spec: contextSpec,
      load: async () => (await import("./context.ts")).contextCommand,
    },
    {
      group: "See what it may do, did and spent",
      spec: judgeSpec,
      load: async () => (await import("./judge.ts")).judgeCommand,
    },
    {
      group: "See what it may do, did and spent",
      spec: journalSpec,
      load: async () => (await import("./journal.ts")).journalCommand,
    },
    {
      group: "See what it may do, did and spent",
      spec: secretPathsSpec,
      load: async () => (await import("./secret-paths.ts")).secretPathsCommand,
    },
    {
      group: "See what it may do, did and spent",
      spec: budgetSpec,
      load: async () => (await import("./budget.ts")).budgetCommand,
    },
    {
      group: "See what it may do, did and spent",
      spec: usageSpec,
      load: async () => (await import("./usage.ts")).usageCommand,
    },
    {
      group: "See what it may do, did and spent",
      spec: modelsSpec,
      load: async () => (await import("./models.ts")).modelsCommand,
    },
  ],
};
