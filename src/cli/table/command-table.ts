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
import {
  backupSpec,
  daemonSpec,
  doctorSpec,
  jobsSpec,
  purgeSpec,
  restoreSpec,
  serviceSpec,
} from "./running.ts";
import { completionSpec, configSpec, emacsSpec, setupSpec, vaultSpec } from "./setting-up.ts";
import { approveSpec, askSpec, cliSpec, denySpec, sessionsSpec, tuiSpec } from "./talking.ts";
import { mcpSpec, skillSpec } from "./teaching.ts";
import { updateSpec } from "./updating.ts";

/** Every command of the command line, by what it is for, in the order of the help. */
export const commandGroups = [
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
    commands: [daemonSpec, serviceSpec, jobsSpec, doctorSpec, updateSpec, backupSpec, restoreSpec, purgeSpec],
  },
] as const;

/** The name of a command, or another name of it. */
export type CommandName =
  | (typeof commandGroups)[number]["commands"][number]["name"]
  | (typeof doctorSpec.aliases)[number];

/** Every command; those of two words stand in the parts of the first word's. */
export const commandTable: readonly CommandSpec[] = commandGroups.flatMap(
  ({ commands }): readonly CommandSpec[] => commands,
);
