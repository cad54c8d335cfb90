import { existsSync } from "node:fs";
import { join } from "node:path";
import { findTools, indexTool } from "../../../act/mcp/find-tools.ts";
import type { State } from "../../../memory/state/state.ts";
import type { SkillBook } from "../../../settings/skill-book.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { Message } from "../../../signal/message.ts";
import type { FolderSkill } from "../../../signal/skill.ts";
import type { Caller } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import { builtInSkills } from "../../../skills/built-in/table.ts";
import type { TaughtText } from "../../../skills/find-triggered.ts";
import { listSkillFolders } from "../../../skills/folders/list-skill-folders.ts";
import type { KnownDigests } from "../../../skills/folders/read-skill-folder.ts";
import { beginOf } from "../../../text/cut-text.ts";
import { similarName } from "../../../text/similar-names.ts";
import type { FolderOrders } from "../../commands/folder-orders.ts";
import { skillsPlace } from "../../commands/project-skills.ts";
import { isNamed, narrowingsOf, ShownSkills, usedIn } from "./limits-of-skills.ts";
import type { OwnSkills } from "./open-own-skills.ts";

/** A skill that is a folder, as it stands. `waits`: a yes of the owner is missing. */
export type ListedFolderSkill = {
  readonly name: string;
  readonly kind: "user" | "project";
  readonly place: string;
  readonly state: "in force" | "waits" | "disabled" | "broken";
  /** What is wrong, or what a yes is missing for; null where nothing is. */
  readonly problem: string | null;
  readonly skill: FolderSkill | null;
  /** Of its words. */
  readonly label: Label;
};

/** One that may be used. */
export type UsableSkill = ListedFolderSkill & { readonly skill: FolderSkill };

/** The skills in `.agents/skills` of the home folder and of a project, for the turns of sessions. */
export type FolderSkills = {
  readonly list: (workspace: string | null) => Promise<readonly ListedFolderSkill[]>;
  readonly inForce: (workspace: string | null) => Promise<readonly UsableSkill[]>;
  /** Those whose instructions stand in the prompt of a turn, and those whose descriptions do. */
  readonly neededBy: (turn: Turn, workspace: string | null) => Promise<NeededSkills>;
  /**
   * What callers of tools may read, and what the skills allow whose instructions stand in the turn or in the
   * `past` that its prompt can hold; null where there are none.
   */
  readonly forCaller: (
    turn: Turn,
    workspace: string | null,
    past: readonly Message[],
  ) => Promise<NonNullable<Caller["skills"]> | null>;
};

/** The skills that a turn needs. */
export type NeededSkills = {
  readonly takingPart: readonly UsableSkill[];
  readonly fitting: readonly UsableSkill[];
};

/** What a turn's words bring with them: a word of a skill's name, or two of its description. */
const byWordsLimits = { most: 3, least: 2 };
/** The most characters of instructions that stand in a prompt; `use-skill` gives more. */
const mostCharacters = 20_000;
/** The most files of a skill that are named there. */
const mostFiles = 100;

/** How secret a text is that the owner prepares. */
type LabelText = (path: string, text: string) => Promise<Label>;

/** Opens the skills of folders. Nothing is loaded where there are none. */
export function openFolderSkills({
  home,
  book,
  labelText,
  orders,
}: {
  readonly home: string;
  readonly book: Pick<SkillBook, "folders" | "all">;
  readonly labelText: LabelText;
  readonly orders: Pick<FolderOrders, "skills">;
}): FolderSkills {
  const known: KnownDigests = new Map();
  const shown = new ShownSkills();
  const list: FolderSkills["list"] = async (workspace) => {
    const own = await labelAsWritten(await listUserSkills({ home, book }, known), labelText);
    const names = [
      ...own.map(({ name }) => name),
      ...book.all().flatMap(({ head, enabled }) => (enabled ? [head.name] : [])),
      ...builtInSkills.map(({ name }) => name),
    ];
    const others = workspace === null ? [] : await orders.skills(workspace);
    return [
      ...own,
      ...others.map(({ name, place, skill, label, problem, waits }): ListedFolderSkill => {
        const shadowed = shadowOf(name, names);
        const state = shadowed !== null || waits ? "waits" : problem === null ? "in force" : "broken";
        return { name, kind: "project", place, skill, label, state, problem: shadowed ?? problem };
      }),
    ];
  };
  const inForce: FolderSkills["inForce"] = async (workspace) =>
    (await list(workspace)).flatMap((one) =>
      one.state === "in force" && one.skill !== null ? [{ ...one, skill: one.skill }] : [],
    );
  return {
    list,
    inForce,
    async neededBy(turn, workspace) {
      const needed = neededOf(turn, await inForce(workspace));
      shown.add(turn.id, needed.takingPart);
      return needed;
    },
    async forCaller(turn, workspace, past) {
      const skills = await inForce(workspace);
      const used = usedIn([...past, ...turn.messages]);
      shown.add(
        turn.id,
        skills.filter(({ name }) => isNamed(turn, name) || used.has(name)),
      );
      const narrowed = narrowingsOf({ turn, past, inForce: skills, shown: shown.in(turn.id) });
      if (skills.length === 0 && narrowed.length === 0) return null;
      return { folders: skills.flatMap(readableFiles), narrowed };
    },
  };
}

/**
 * Skills that are as secret as their owner says in their `SKILL.md`, by a privacy tag for example. One that
 * cannot be read is private.
 */
async function labelAsWritten(
  skills: readonly ListedFolderSkill[],
  labelText: LabelText,
): Promise<readonly ListedFolderSkill[]> {
  if (skills.length === 0) return skills;
  const { readSkillText } = await import("../../../skills/folders/read-skill-folder.ts");
  return Promise.all(
    skills.map(async (one): Promise<ListedFolderSkill> => {
      if (one.skill === null) return one;
      const read = await readSkillText(one.skill, "SKILL.md");
      const written: Label = read.ok
        ? await labelText(join(one.skill.folder, "SKILL.md"), read.value)
        : { ...bottomLabel, secrecy: "private" };
      return { ...one, label: joinLabels(one.label, written) };
    }),
  );
}

/** Why a project's skill is not used beside those of the owner and of the program; null where it may be. */
function shadowOf(name: string, names: readonly string[]): string | null {
  if (builtInSkills.some((skill) => skill.name === name)) return "a built-in skill has this name. Rename it.";
  if (names.includes(name)) return "a skill of yours has this name, and that one counts.";
  const similar = similarName(name, names);
  return similar === null ? null : `its name looks like that of ${similar}, so it is not used. Rename it.`;
}

/** What a caller may read of a skill, with its label. */
function readableFiles({ skill, label, place }: UsableSkill): NonNullable<Caller["skills"]>["folders"] {
  return readableOf(skill).map((path) => ({
    path: join(skill.folder, path),
    written: join(place, path),
    label,
  }));
}

/** What may be read as a part of a skill, in its folder: all of it, or of a clone each of its files. */
function readableOf({ files, isClone }: FolderSkill): readonly string[] {
  return isClone ? files.map(({ path }) => path) : [""];
}

/** The skills in `.agents/skills` of the home folder, each as the owner accepted it or not. */
export async function listUserSkills(
  { home, book }: { readonly home: string; readonly book: Pick<SkillBook, "folders"> },
  known: KnownDigests,
): Promise<readonly ListedFolderSkill[]> {
  const root = join(home, skillsPlace);
  if (!existsSync(root)) return [];
  const { readSkillFolder } = await import("../../../skills/folders/read-skill-folder.ts");
  const listed: ListedFolderSkill[] = [];
  const { names, problem: unread } = await listSkillFolders(root);
  for (const name of names) {
    const place = join(root, name);
    const read = await readSkillFolder(place, name, known);
    const word = book.folders().find((one) => one.name === name) ?? null;
    const label: Label = word?.mine === true ? bottomLabel : untrusted(name);
    const about = { name, kind: "user", place, label } as const;
    if (!read.ok) listed.push({ ...about, state: "broken", problem: read.problem, skill: null });
    else if (word?.enabled === false)
      listed.push({ ...about, state: "disabled", problem: null, skill: read.skill });
    else if (word?.digest === read.skill.digest)
      listed.push({ ...about, state: "in force", problem: remarksOf(read.skill), skill: read.skill });
    else {
      const why =
        word === null ? "it was not accepted yet" : "it differs from what you accepted, so it is not used";
      const problem = `${why}. To look at it: passepartout skill show ${name}; to say yes: passepartout skill enable ${name}`;
      listed.push({ ...about, state: "waits", problem, skill: read.skill });
    }
  }
  if (unread !== null) listed.push(unreadFolders(root, unread));
  return listed;
}

function unreadFolders(place: string, problem: string): ListedFolderSkill {
  const about = { name: `~/${skillsPlace}`, kind: "user", place, label: bottomLabel } as const;
  return { ...about, state: "broken", problem, skill: null };
}

function remarksOf({ remarks }: FolderSkill): string | null {
  return remarks.length === 0 ? null : remarks.join("; ");
}

function untrusted(name: string): Label {
  return { ...bottomLabel, integrity: "untrusted", sources: [{ id: `skill:${name}`, path: "" }] };
}

function neededOf(turn: Turn, skills: readonly UsableSkill[]): NeededSkills {
  const takingPart = skills.filter(({ name }) => isNamed(turn, name));
  const used = usedIn(turn.messages);
  const others = skills
    .filter((skill) => !takingPart.includes(skill))
    .map((skill) => ({ name: skill.name, description: skill.skill.description, skill }));
  const words = new Set(
    findTools(turn.signal.text, others.map(indexTool), byWordsLimits).map(({ skill }) => skill),
  );
  return {
    takingPart,
    fitting: others.flatMap(({ skill, name }) => (words.has(skill) || used.has(name) ? [skill] : [])),
  };
}

/** The names of skills that every model may be told. */
export function namesForAll(skills: readonly UsableSkill[]): readonly string[] {
  return skills.flatMap(({ name, label }) => (label.secrecy === "public" ? [name] : []));
}

/** What the skills of a turn say in its prompt: the instructions of those that take part, the descriptions of those that fit. */
export function textsOf({ takingPart, fitting }: NeededSkills): readonly TaughtText[] {
  return [
    ...takingPart.map(({ name, skill, label }) => ({
      skill: name,
      text: `${instructionsOf(name, skill)}\n\n${filesOf(skill)}`,
      label,
    })),
    ...fitting.map(({ name, skill, label }) => ({
      skill: name,
      text: `${skill.description}\nuse-skill gives its instructions.`,
      label,
    })),
  ];
}

/** The instructions of a skill, cut at the end of a line where they are too long; then they say so. */
function instructionsOf(name: string, { body }: FolderSkill): string {
  if (body.length <= mostCharacters) return body;
  const near = beginOf(body, mostCharacters);
  const kept = near.slice(0, Math.max(near.lastIndexOf("\n"), near.lastIndexOf(" ", mostCharacters)));
  const sizes = [kept.length, body.length].map((size) => size.toLocaleString("en-US"));
  return `${kept}\n[Cut here: ${sizes.join(" of ")} characters. use-skill with {"name": "${name}"} gives all of them.]`;
}

function filesOf({ folder, files }: FolderSkill): string {
  const others = files.map(({ path }) => path).filter((path) => path !== "SKILL.md");
  const rest = others.length - mostFiles;
  const more = rest > 0 ? `, and ${rest} more, which list-files names` : "";
  const named = others.length === 0 ? "" : ` Its files: ${others.slice(0, mostFiles).join(", ")}${more}.`;
  return `Its folder is ${folder}; commands see it as it is, read-only.${named}`;
}

/** All skills that a session may know, as they stand. */
export async function listSkillsOf(
  {
    skills,
    folderSkills,
    state,
  }: {
    readonly skills: Pick<OwnSkills, "list">;
    readonly folderSkills: Pick<FolderSkills, "list">;
    readonly state: Pick<State, "sessions">;
  },
  session: string,
): Promise<readonly Pick<ListedFolderSkill, "name" | "state" | "problem">[]> {
  const workspace = (await state.sessions.get(session))?.workspace ?? null;
  return [...(await skills.list()), ...(await folderSkills.list(workspace))];
}
