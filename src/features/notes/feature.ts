import type { Feature } from "../../kernel/feature.ts";
import { agendaSpec, backlinksSpec, memorySpec, orgSpec, querySpec } from "./command-specs.ts";

/** Reads the notes: agenda, queries, links, Org files, and what the program remembers. */
export const notesFeature: Feature = {
  commands: [
    {
      group: "Read your notes",
      spec: agendaSpec,
      load: async () => (await import("./agenda.ts")).agendaCommand,
    },
    {
      group: "Read your notes",
      spec: querySpec,
      load: async () => (await import("./query.ts")).queryCommand,
    },
    {
      group: "Read your notes",
      spec: backlinksSpec,
      load: async () => (await import("./backlinks.ts")).backlinksCommand,
    },
    {
      group: "Read your notes",
      spec: memorySpec,
      load: async () => (await import("./memory.ts")).memoryCommand,
    },
    {
      group: "Read your notes",
      spec: orgSpec,
      load: async () => (await import("./org.ts")).orgCommand,
    },
  ],
};
