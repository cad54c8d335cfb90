import type { ListedFolderSkill } from "../../daemon/agent/resources/folder-skills.ts";
import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes } from "../../program/io.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { describeFolderHead, describeFolderSkill } from "../../shown/describe-folder-skill.ts";
import type { FolderSkill } from "../../signal/skill.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { type Desks, findNameTaken } from "./find-name-taken.ts";
import { offerSkill } from "./install-skill-folder.ts";

/** What the kinds of folders are called in a list. */
export const kindWords: Readonly<Record<ListedFolderSkill["kind"], string>> = {
  user: "SKILL.md",
  project: "project",
};

/** A skill's folder as `--json` prints it. */
export function folderAsData({ name, kind, place, state, problem, skill, label }: ListedFolderSkill) {
  const { integrity } = label;
  if (skill === null) return { name, kind, state, problem, place, integrity };
  const { body: _, ...head } = skill;
  return { ...head, name, kind, state, problem, place, integrity };
}

/** Prints what a skill's folder says and holds. */
export function showFolder(io: Pick<Io, "out">, folder: ListedFolderSkill, json: boolean): number {
  const { name, state, problem, skill } = folder;
  const lines = [
    `${name}: ${state}${problem === null ? "" : `\n  ${problem}`}`,
    ...(skill === null ? [] : describeFolderSkill(skill)),
  ];
  const text = json ? JSON.stringify({ ...folderAsData(folder), body: skill?.body }) : lines.join("\n");
  io.out(escapeForTerminal(`${text}\n`));
  return problem === null ? exitCodes.done : exitCodes.failed;
}

/** The same of a version after one that the owner accepted, with what changed in the place of all that it says. */
function describeVersion(skill: FolderSkill, changes: readonly string[] | null): readonly string[] {
  if (changes === null || changes.length === 0) return describeFolderSkill(skill);
  return [...describeFolderHead(skill), ...changes];
}

/** Shows a skill's folder whole, and has exactly this version used after a yes. */
export async function acceptFolder(
  io: Io,
  desks: Desks,
  {
    folder,
    yes,
    mine,
  }: { readonly folder: ListedFolderSkill; readonly yes: boolean; readonly mine: boolean },
): Promise<number> {
  const { name, kind, skill, problem } = folder;
  const refuse = (text: string): number => {
    io.err(escapeForTerminal(`${text}\n`));
    return exitCodes.failed;
  };
  if (skill === null)
    return refuse(
      `The skill ${name} cannot be used: ${problem ?? "it cannot be read"}. Nothing was changed.`,
    );
  if (kind === "project")
    return refuse(
      `The skill ${name} belongs to a project: say /trust-folder in a conversation in its folder.`,
    );
  const taken = await findNameTaken(desks, { name, kind: "folder" });
  if (taken !== null) return refuse(taken);
  const { folders } = desks;
  const shown = describeVersion(skill, await folders.changes(skill));
  io.out(escapeForTerminal(`${shown.join("\n")}\n`));
  const said =
    yes || (await confirm(io, `Use the skill ${name}, as ${mine ? "your own words" : "words of others"}?`));
  if (said === null) return refuse("Nobody is here to say yes, so nothing was changed. Add --yes to say it.");
  if (!said) return refuse("Nothing was changed.");
  await folders.accept(folder, { mine });
  await tellUnrecorded(io);
  io.out(
    escapeForTerminal(
      `The skill ${name} may take part from the next turn on. Any change of its folder asks again.\n`,
    ),
  );
  return exitCodes.done;
}

/** Fetches a skill of elsewhere, shows it whole with its digest, and installs exactly this after a yes. */
export async function installFolder(
  io: Io,
  { start, desks }: { readonly start: StartContext; readonly desks: Desks },
  { source, skill: name, yes }: { readonly source: string; readonly skill: string; readonly yes: boolean },
): Promise<number> {
  const refuse = (text: string): number => {
    io.err(escapeForTerminal(`${text}\n`));
    return exitCodes.failed;
  };
  const mayReach = async (host: string): Promise<boolean> =>
    yes || (await confirm(io, `Its files lie at ${host}. Fetch them from there?`)) === true;
  const offer = await offerSkill({ start, mayReach }, source, name);
  if (!offer.ok) return refuse(offer.reason);
  const { skill, from, isInstalled, changes } = offer;
  const taken = await findNameTaken(desks, { name: skill.name, kind: "folder" });
  if (taken !== null) return refuse(taken);
  if (isInstalled) {
    io.out(escapeForTerminal(`The skill ${skill.name} is installed as it is there: nothing changed.\n`));
    return exitCodes.done;
  }
  io.out(escapeForTerminal(`${[`from: ${from}`, ...describeVersion(skill, changes)].join("\n")}\n`));
  const said = yes || (await confirm(io, `Install the skill ${skill.name}, as words of others?`));
  if (said === null) return refuse("Nobody is here to say yes, so nothing was changed. Add --yes to say it.");
  if (!said) return refuse("Nothing was changed.");
  await offer.install();
  await tellUnrecorded(io);
  io.out(
    escapeForTerminal(
      `The skill ${skill.name} is in ${skill.folder}, and may take part from the next turn on.\n`,
    ),
  );
  return exitCodes.done;
}
