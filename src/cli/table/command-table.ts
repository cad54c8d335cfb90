import { features } from "../../agent/features.ts";
import type { CommandGroup } from "../../kernel/feature.ts";
import type { CommandSpec } from "../../text/command-spec.ts";
import {
  budgetSpec,
  journalSpec,
  judgeSpec,
  modelsSpec,
  rulesSpec,
  secretPathsSpec,
  usageSpec,
} from "./judging.ts";
import { gatewaySpec } from "./reaching.ts";
import {
  agendaSpec,
  backlinksSpec,
  contextSpec,
  gardenSpec,
  memorySpec,
  orgSpec,
  querySpec,
} from "./reading-notes.ts";
import { reviewSpec } from "./reviewing.ts";
import { daemonSpec, doctorSpec, jobsSpec } from "./running.ts";
import { completionSpec, configSpec, emacsSpec, setupSpec, vaultSpec } from "./setting-up.ts";
import { approveSpec, askSpec, cliSpec, denySpec, sessionsSpec, tuiSpec } from "./talking.ts";
import { mcpSpec, skillSpec } from "./teaching.ts";
import { updateSpec } from "./updating.ts";

const ownGroups = [
  { title: "Talk", commands: [tuiSpec, cliSpec, askSpec, approveSpec, denySpec, sessionsSpec] },
  {
    title: "Set up",
    commands: [setupSpec, configSpec, vaultSpec, skillSpec, mcpSpec, emacsSpec, gatewaySpec, completionSpec],
  },
  {
    title: "Read your notes",
    commands: [
      agendaSpec,
      querySpec,
      backlinksSpec,
      memorySpec,
      contextSpec,
      orgSpec,
      gardenSpec,
      reviewSpec,
    ],
  },
  {
    title: "See what it may do, did and spent",
    commands: [judgeSpec, journalSpec, rulesSpec, secretPathsSpec, budgetSpec, usageSpec, modelsSpec],
  },
  {
    title: "Keep it running",
    commands: [daemonSpec, jobsSpec, doctorSpec, updateSpec],
  },
] as const;

/** Every command of the command line, by what it is for, in the order of the help. */
export const commandGroups: readonly {
  readonly title: CommandGroup;
  readonly commands: readonly CommandSpec[];
}[] = ownGroups.map(({ title, commands }) => ({
  title,
  commands: [...commands, ...commandsOfFeatures(title)],
}));

function commandsOfFeatures(title: CommandGroup): readonly CommandSpec[] {
  return features.flatMap(({ commands }) =>
    commands.filter(({ group }) => group === title).map(({ spec }) => spec),
  );
}

/** The name of a command of no feature, or another name of it. */
export type CommandName =
  | (typeof ownGroups)[number]["commands"][number]["name"]
  | (typeof doctorSpec.aliases)[number];

/** Every command; those of two words stand in the parts of the first word's. */
export const commandTable: readonly CommandSpec[] = commandGroups.flatMap(({ commands }) => commands);
