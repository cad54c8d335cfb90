import { features } from "../../agent/features.ts";
import type { CommandGroup, ProgramCommand } from "../../kernel/feature.ts";
import type { CommandSpec } from "../../text/command-spec.ts";
import {
  approveSpec,
  askSpec,
  cliSpec,
  completionSpec,
  daemonSpec,
  denySpec,
  emacsSpec,
  tuiSpec,
  updateSpec,
} from "../command-specs.ts";

/** The commands of the command line itself: those by which one talks with an agent, or starts one. */
const talking: readonly ProgramCommand[] = [
  { group: "Talk", spec: tuiSpec, load: async () => (await import("../commands/tui.ts")).tuiCommand },
  {
    group: "Talk",
    spec: cliSpec,
    load: async () => (await import("../commands/converse.ts")).conversationCommand,
  },
  { group: "Talk", spec: askSpec, load: async () => (await import("../commands/ask.ts")).askCommand },
  {
    group: "Talk",
    spec: approveSpec,
    load: async () => (await import("../commands/decide.ts")).approveCommand,
  },
  { group: "Talk", spec: denySpec, load: async () => (await import("../commands/decide.ts")).denyCommand },
  {
    group: "Keep it running",
    spec: daemonSpec,
    load: async () => (await import("../commands/daemon.ts")).daemonCommand,
  },
];
const ofThisMachine: readonly ProgramCommand[] = [
  {
    group: "Set up",
    spec: emacsSpec,
    load: async () => (await import("../commands/emacs.ts")).emacsCommand,
  },
  {
    group: "Set up",
    spec: completionSpec,
    load: async () => (await import("../commands/completion.ts")).completionCommand,
  },
  {
    group: "Keep it running",
    spec: updateSpec,
    load: async () => (await import("../commands/update.ts")).updateCommand,
  },
];

/** Every command of the command line, in the order of the help. */
export const programCommands: readonly ProgramCommand[] = [
  ...talking,
  ...features.flatMap(({ commands }) => commands),
  ...ofThisMachine,
];

const groups: readonly CommandGroup[] = [
  "Talk",
  "Set up",
  "Read your notes",
  "See what it may do, did and spent",
  "Keep it running",
];

/** Every command, by what it is for. */
export const commandGroups: readonly {
  readonly title: CommandGroup;
  readonly commands: readonly CommandSpec[];
}[] = groups.map((title) => ({
  title,
  commands: programCommands.filter(({ group }) => group === title).map(({ spec }) => spec),
}));

/** Every command; those of two words stand in the parts of the first word's. */
export const commandTable: readonly CommandSpec[] = commandGroups.flatMap(({ commands }) => commands);
