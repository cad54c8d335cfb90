import type { AcceptedSkill } from "../../signal/skill.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { similarName } from "../../text/similar-names.ts";
import type { FolderDesk } from "./skill-folders.ts";
import type { SkillDesk } from "./teach-skills.ts";

/** The skills of this user, of every kind. */
export type Desks = { readonly desk: SkillDesk; readonly folders: FolderDesk };

/** A skill that is to be put in force: `brings` is what its file says. */
export type Newcomer = {
  readonly name: string;
  readonly kind: "org" | "folder";
  readonly brings?: Pick<AcceptedSkill, "head" | "declared">;
};

/** Why a skill cannot stand beside those that there are, as a sentence: another has its name or its id, a name that looks the same, or a tool or command of the same name. Null where it can. */
export async function findNameTaken(
  { desk, folders }: Desks,
  { name, kind, brings }: Newcomer,
): Promise<string | null> {
  const own = await desk.list();
  const there = [
    ...desk.builtIn().map(({ skill }) => ({ name: skill.name, kind: "built-in" })),
    ...own.map((skill) => ({ name: skill.name, kind: "org" })),
    ...(await folders.list()).flatMap((one) =>
      one.kind === "user" ? [{ name: one.name, kind: "folder" }] : [],
    ),
  ];
  const same = there.find((one) => one.name === name && one.kind !== kind);
  if (same !== undefined)
    return `There is another skill ${name} (${kindWords[same.kind] ?? same.kind}). Rename one of them. Nothing was changed.`;
  const names = there.map((one) => one.name);
  const similar = similarName(name, names);
  if (similar !== null)
    return `The name ${escapeInvisible(name)} looks like that of the skill ${escapeInvisible(similar)}, so that one could be taken for the other. Rename one of them. Nothing was changed.`;
  const id = brings?.head.id ?? null;
  const twin = own.find(({ head }) => id !== null && head?.id === id && head.name !== name);
  if (twin !== undefined)
    return `${name}.org has the same :ID: as ${twin.name}.org (${id}). Give it another one. Nothing was changed.`;
  const taken = brings === undefined ? null : await desk.findTakenName(brings);
  return taken === null ? null : `${taken}. Rename one of them. Nothing was changed.`;
}

const kindWords: Readonly<Record<string, string>> = {
  "built-in": "built in",
  org: "an Org file",
  folder: "a folder in ~/.agents/skills",
};
