import { features } from "../../agent/features.ts";
import type { CommandGroup } from "../../kernel/feature.ts";
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
} from "./own-specs.ts";

/** The commands of no feature, in the order of the help: before those of features, and behind them. */
const before = [tuiSpec, cliSpec, askSpec, approveSpec, denySpec, daemonSpec] as const;
const behind = [emacsSpec, completionSpec, updateSpec] as const;

/** The name of a command of no feature. */
export type OwnCommand = (typeof before | typeof behind)[number]["name"];

type Told = { readonly group: CommandGroup; readonly spec: CommandSpec };

const groupOfOwn: Readonly<Record<OwnCommand, CommandGroup>> = {
  tui: "Talk",
  cli: "Talk",
  ask: "Talk",
  approve: "Talk",
  deny: "Talk",
  daemon: "Keep it running",
  emacs: "Set up",
  completion: "Set up",
  update: "Keep it running",
};

const ofFeatures: readonly Told[] = await Promise.all(
  features.flatMap(({ commands }) =>
    commands.map(async ({ group, spec }) => ({ group, spec: await spec() })),
  ),
);
const told: readonly Told[] = [
  ...before.map((spec) => ({ group: groupOfOwn[spec.name], spec })),
  ...ofFeatures,
  ...behind.map((spec) => ({ group: groupOfOwn[spec.name], spec })),
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
  commands: told.filter(({ group }) => group === title).map(({ spec }) => spec),
}));

/** Every command; those of two words stand in the parts of the first word's. */
export const commandTable: readonly CommandSpec[] = commandGroups.flatMap(({ commands }) => commands);
