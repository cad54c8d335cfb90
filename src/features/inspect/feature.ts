import type { Feature } from "../../kernel/feature.ts";

/** Shows what a model is sent, what was judged, done and spent. */
export const inspectFeature: Feature = {
  commands: [
    {
      name: "context",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).contextSpec,
      load: async () => (await import("./context.ts")).contextCommand,
    },
    {
      name: "judge",
      group: "See what it may do, did and spent",
      spec: async () => (await import("./command-specs.ts")).judgeSpec,
      load: async () => (await import("./judge.ts")).judgeCommand,
    },
    {
      name: "journal",
      group: "See what it may do, did and spent",
      spec: async () => (await import("./command-specs.ts")).journalSpec,
      load: async () => (await import("./journal.ts")).journalCommand,
    },
    {
      name: "secret-paths",
      group: "See what it may do, did and spent",
      spec: async () => (await import("./command-specs.ts")).secretPathsSpec,
      load: async () => (await import("./secret-paths.ts")).secretPathsCommand,
    },
    {
      name: "budget",
      group: "See what it may do, did and spent",
      spec: async () => (await import("./command-specs.ts")).budgetSpec,
      load: async () => (await import("./budget.ts")).budgetCommand,
    },
    {
      name: "usage",
      group: "See what it may do, did and spent",
      spec: async () => (await import("./command-specs.ts")).usageSpec,
      load: async () => (await import("./usage.ts")).usageCommand,
    },
    {
      name: "models",
      group: "See what it may do, did and spent",
      spec: async () => (await import("./command-specs.ts")).modelsSpec,
      load: async () => (await import("./models.ts")).modelsCommand,
    },
  ],
};
