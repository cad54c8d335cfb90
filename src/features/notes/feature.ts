import type { Feature } from "../../kernel/feature.ts";

/** Reads the notes: agenda, queries, links, Org files, and what the program remembers. */
export const notesFeature: Feature = {
  commands: [
    {
      name: "agenda",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).agendaSpec,
      load: async () => (await import("./agenda.ts")).agendaCommand,
    },
    {
      name: "query",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).querySpec,
      load: async () => (await import("./query.ts")).queryCommand,
    },
    {
      name: "backlinks",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).backlinksSpec,
      load: async () => (await import("./backlinks.ts")).backlinksCommand,
    },
    {
      name: "memory",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).memorySpec,
      load: async () => (await import("./memory.ts")).memoryCommand,
    },
    {
      name: "org",
      group: "Read your notes",
      spec: async () => (await import("./command-specs.ts")).orgSpec,
      load: async () => (await import("./org.ts")).orgCommand,
    },
  ],
};
