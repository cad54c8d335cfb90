import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { locateJailWorker } from "../../act/sandbox/jail.ts";
import { openJailThreads, usualMemory } from "../../act/sandbox/jail-threads.ts";
import { labelSkillText, loadSkills, skillsFolder } from "../../daemon/agent/resources/open-own-skills.ts";
import { openPieceLabels } from "../../program/label-pieces.ts";
import { loadPolicy } from "../../settings/policy.ts";
import { replaceFile } from "../../settings/replace-file.ts";
import type { SkillBook } from "../../settings/skill-book.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { JailPort } from "../../signal/jail-work.ts";
import type { AcceptedSkill } from "../../signal/skill.ts";
import type { BuiltInSkill } from "../../skills/built-in/built-in-skill.ts";
import { builtInSkills } from "../../skills/built-in/table.ts";
import { type CheckedSkill, checkSkill } from "../../skills/check-skill.ts";
import { firstFile } from "../../skills/first-file.ts";
import type { Skills } from "../../skills/open-skills.ts";
import { nothingDeclared } from "../../skills/read-declaration.ts";
import { skillName } from "../../skills/read-skill-file.ts";
import { findTakenName, type ListedSkill } from "../../skills/settle-skills.ts";
import { readSkillText, writeNewSkill } from "../../skills/skill-folder.ts";
import { type CheckedFile, openSkillDrafts, type SkillDrafts } from "./skill-drafts.ts";

/** A skill of the program itself, and whether its tools and words are in use. */
export type ListedBuiltIn = { readonly skill: BuiltInSkill; readonly enabled: boolean };

/** The skills of this user, without an agent. */
export type SkillDesk = SkillDrafts & {
  readonly folder: string;
  /** All skills as they stand now; what needs no yes is put in force. */
  readonly list: () => Promise<readonly ListedSkill[]>;
  readonly builtIn: () => readonly ListedBuiltIn[];
  /** Takes the tools and words of a skill of the program itself out of use, or back. Throws where it has none. */
  readonly switchBuiltIn: (name: string, on: boolean) => void;
  /** Checks the file of a skill as it is now. `install` puts exactly this in force. Throws where there is none. */
  readonly check: (name: string) => Promise<CheckedFile>;
  /** Reads and checks a file that need not be in the folder. `install` copies the text that was checked into the folder and puts it in force, pinned; it throws where the folder has another skill of this name. */
  readonly fetch: (path: string) => Promise<CheckedFile>;
  /** Puts a file in force that has this text now. `mine`: the owner wrote it themselves, whatever is known of it. */
  readonly enable: (
    name: string,
    what: { readonly text: string; readonly mine?: boolean | undefined },
  ) => Promise<CheckedSkill>;
  /** The first tool or command of a skill that the program or another skill in force has already, in words; null where it has none. */
  readonly findTakenName: (skill: Pick<AcceptedSkill, "head" | "declared">) => Promise<string | null>;
  /** False where there is no such skill. */
  readonly disable: (name: string) => Promise<boolean>;
  /** Writes a first file, and gives its path. Throws where there is one, or where the name is none. */
  readonly create: (name: string) => Promise<string>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Opens the skills of this user. */
export async function openSkillDesk({ environment }: StartContext): Promise<SkillDesk> {
  const policy = loadPolicy(environment);
  const folder = skillsFolder(policy);
  const book = policy.skillBook;
  const jails = openJailThreads(locateJailWorker());
  const labels = {
    labelPieces: openPieceLabels(policy),
    labelText: labelSkillText(policy, null),
  };
  const skills = await loadSkills(folder, { book, jails, ...labels });
  const acceptedOf = (name: string) => book.all().find(({ head }) => head.name === name) ?? null;
  const enable: SkillDesk["enable"] = (name, { text, mine = false }) =>
    skills.accept(name, { text, from: mine ? null : (acceptedOf(name)?.from ?? null), mine });
  const openJail = () => jails.take(usualMemory, new AbortController().signal);
  return {
    folder,
    list: async () => (await skills.refresh()).listed,
    builtIn: () =>
      builtInSkills.map((skill) => ({ skill, enabled: acceptedOf(skill.name)?.enabled ?? true })),
    switchBuiltIn: (name, on) => switchBuiltIn(book, name, on),
    async check(name) {
      const read = await skills.check(name);
      const install: CheckedFile["install"] = (how) => enable(name, { text: read.text, ...how });
      return { ...read, before: acceptedOf(name), install };
    },
    fetch: (path) => fetchFile({ folder, skills, acceptedOf, openJail }, path),
    enable,
    findTakenName: async (skill) => findTakenName(skill, (await skills.refresh()).listed),
    disable: async (name) => disableSkill(book, (await skills.refresh()).listed, name),
    async create(name) {
      if (!skillName.test(name))
        throw new Error(
          "The name of a skill has small letters, digits and hyphens, and begins with a letter.",
        );
      return await writeNewSkill(folder, `${name}.org`, firstFile(name));
    },
    ...openSkillDrafts(folder, skills, openJail),
    async [Symbol.asyncDispose]() {
      await skills[Symbol.asyncDispose]();
      await jails[Symbol.asyncDispose]();
    },
  };
}

type Fetching = {
  readonly folder: string;
  readonly skills: Skills;
  readonly acceptedOf: (name: string) => AcceptedSkill | null;
  readonly openJail: () => Promise<JailPort>;
};

async function fetchFile(
  { folder, skills, acceptedOf, openJail }: Fetching,
  path: string,
): Promise<CheckedFile> {
  if (!existsSync(path)) throw new Error(`There is no file ${path}. Nothing was done.`);
  const file = basename(path);
  const text = await readSkillText(dirname(path), file);
  const from = realpathSync(path);
  const name = file.replace(/\.org$/, "");
  const place = join(folder, file);
  const checked = await checkSkill({ file, text }, openJail);
  const label = await skills.labelOf(file, text);
  return {
    text,
    checked,
    label,
    before: acceptedOf(name),
    async install() {
      if (existsSync(place) && acceptedOf(name)?.from !== from)
        throw new Error(`${place} is another skill of this name. Rename one of them.`);
      if (!checked.ok) return checked;
      skills.pin(checked, { text, from, label });
      replaceFile(place, text);
      return checked;
    },
  };
}

function disableSkill(book: SkillBook, listed: readonly ListedSkill[], name: string): boolean {
  const found = listed.find((skill) => skill.name === name);
  const before = book.all().find(({ head }) => head.name === name);
  const accepted = before ?? (found === undefined ? null : emptyVersion(found));
  if (accepted === null) return false;
  book.keep({ ...accepted, enabled: false });
  return true;
}

function switchBuiltIn(book: SkillBook, name: string, on: boolean): void {
  const { tools = [], prompt = "" } = builtInSkills.find((skill) => skill.name === name) ?? {};
  if (tools.length === 0 && prompt === "")
    throw new Error(
      `The skill ${name} is built in and has no tools, so there is nothing to enable or disable.`,
    );
  if (on) book.drop(name);
  else book.keep({ ...emptyVersion({ name, head: null }), enabled: false });
}

/** What is kept of a skill that was never in force, so that it stays out. */
function emptyVersion({ name, head }: Pick<ListedSkill, "name" | "head">): AcceptedSkill {
  const nothing = {
    name,
    title: name,
    id: null,
    dependsOn: [],
    priority: 50,
    capabilities: [],
    guards: [],
    hooks: [],
    crons: [],
    mandates: [],
    trigger: null,
    prompt: "",
  };
  const digest = "0".repeat(64);
  return { head: head ?? nothing, declared: nothingDeclared, digest, code: "", enabled: true, from: null };
}
