import { sha256 } from "../machine/digest.ts";
import type { JailPort } from "../signal/jail-work.ts";
import { joinLabels, type Label } from "../signal/label.ts";
import { labelOfSkill } from "../signal/label-of-skill.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { describeError } from "../text/describe-error.ts";
import { builtInSkills } from "./built-in/table.ts";
import { type CheckedSkill, checkSkill } from "./check-skill.ts";
import { type LabelPieces, labelOfVersion } from "./label-of-version.ts";
import { missingYes } from "./missing-yes.ts";
import { faultSet, type ListedSkill, listWithoutFile, type SkillSet, settle } from "./settle-skills.ts";
import { openSkillJails, type SkillJails } from "./skill-jails.ts";

/** A file of the skills folder. `version` changes with every change of the file. */
export type SkillFile = {
  readonly file: string;
  readonly version: string;
  /** Where it lies, where it is a link to elsewhere: no gate keeps the agent from changing it there. */
  readonly link?: string;
};

/** What the skills need from outside. */
export type SkillPorts = {
  readonly list: () => Promise<readonly SkillFile[]>;
  readonly read: (file: string) => Promise<string>;
  /** The versions that were accepted, in a file that is read again whenever it changed. */
  readonly book: {
    /** Changes with every change of the file. */
    readonly version: () => string;
    /** Why the file cannot be used, in words; null if it can. */
    readonly fault: () => string | null;
    readonly all: () => readonly AcceptedSkill[];
    readonly keep: (skill: AcceptedSkill) => void;
  };
  readonly openJail: () => Promise<JailPort>;
  /** What is known of texts, by their hashes. */
  readonly labelPieces: LabelPieces;
  /**
   * How secret a file of the folder is by what its owner wrote into it, such as a privacy tag; also into the
   * words that a model is told.
   */
  readonly labelText: (file: string, text: string, words: readonly string[]) => Promise<Label>;
};

/** What the owner says yes to: exactly this text. `from`: where it came from; `mine`: they wrote it themselves, whatever is known of it. */
export type Acceptance = { readonly text: string; readonly from: string | null; readonly mine?: boolean };

/** A version of elsewhere that the owner said yes to, and its label. */
export type Pinned = Omit<Acceptance, "mine"> & Pick<CheckedText, "label">;

/** A version that was checked, and the label of what it was made from; undefined where all of it counts as its owner's own. */
export type CheckedText = {
  readonly text: string;
  readonly checked: CheckedSkill;
  readonly label: Label | undefined;
};

/** The skills of this agent. */
export type Skills = {
  /** Reads what changed since the last time, checks it, and puts it in force; the set before stays where a version fails. */
  readonly refresh: () => Promise<SkillSet>;
  readonly current: () => SkillSet;
  /** Accepts a version with all that it wants. Throws where the file is another one by now. */
  readonly accept: (name: string, what: Acceptance) => Promise<CheckedSkill>;
  /** Checks the file of a skill as it is now, and gives what was checked. Throws where there is none. */
  readonly check: (name: string) => Promise<CheckedText>;
  /** The label of what a version was made from, which need not be in the folder. */
  readonly labelOf: (file: string, text: string) => Promise<Label | undefined>;
  /** Records a checked version before its file is written: what lies in the folder without a record counts as the owner's own. Throws where the book cannot hold it. */
  readonly pin: (checked: CheckedSkill & { readonly ok: true }, what: Pinned) => void;
  readonly call: SkillJails["call"];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

type KnownVersion = CheckedText & { readonly version: string };

/** Opens the skills; nothing is read before the first refresh. */
export function openSkills(ports: SkillPorts): Skills {
  const jails = openSkillJails(ports.openJail);
  const known = new Map<string, KnownVersion>();
  const now: { set: SkillSet; key: string | null; running: Promise<SkillSet> | null } = {
    set: { listed: [], inForce: [], lostGates: [] },
    key: null,
    running: null,
  };
  const labelOf = (file: string, text: string) =>
    labelOfVersion({ file, text }, ports.book.all(), ports.labelPieces);
  const checkFile = async ({ file, version }: SkillFile): Promise<KnownVersion> => {
    const before = known.get(file);
    if (before?.version === version) return before;
    const text = await ports.read(file);
    const label = await labelOf(file, text);
    const checked = await checkSkill({ file, text }, ports.openJail);
    const made = { version, checked, text, label };
    known.set(file, made);
    return made;
  };
  const refresh = async (): Promise<SkillSet> => {
    const files = await ports.list().catch((error: unknown) => {
      // What was read before stays. Where nothing was, the gates that the owner accepted guard nothing yet.
      if (now.key === null) now.set = unreadSet(ports, `its folder cannot be read: ${describeError(error)}`);
      throw error;
    });
    const key = JSON.stringify([files, ports.book.version()]);
    if (key === now.key) return now.set;
    now.set = await readSet(files, ports, checkFile);
    now.key = JSON.stringify([files, ports.book.version()]);
    jails.keepOnly(now.set.inForce);
    return now.set;
  };
  return {
    refresh() {
      now.running ??= refresh().finally(() => {
        now.running = null;
      });
      return now.running;
    },
    current: () => now.set,
    async accept(name, { text, from, mine = false }) {
      const read = await checkFile(await fileOf(ports, name));
      if (read.text !== text)
        throw new Error(`${name}.org is not what was shown: it changed meanwhile. Look at it again.`);
      const label = mine ? undefined : read.label;
      if (read.checked.ok) ports.book.keep(acceptedOf(read.checked, { text, from, label }));
      return read.checked;
    },
    labelOf,
    pin: (checked, what) => ports.book.keep(acceptedOf(checked, what)),
    async check(name) {
      known.delete(`${name}.org`);
      return await checkFile(await fileOf(ports, name));
    },
    call: jails.call,
    [Symbol.asyncDispose]: () => jails[Symbol.asyncDispose](),
  };
}

async function fileOf({ list }: SkillPorts, name: string): Promise<SkillFile> {
  const found = (await list()).find(({ file }) => file === `${name}.org`);
  if (found === undefined)
    throw new Error(`There is no skill ${name}. List them with: passepartout skill list`);
  return found;
}

function acceptedOf(
  { head, declared, code }: CheckedSkill & { readonly ok: true },
  { text, from, label }: Pinned,
): AcceptedSkill {
  const accepted = { head, declared, code, digest: sha256(text), text, from, enabled: true };
  return label === undefined ? accepted : { ...accepted, label };
}

async function readSet(
  files: readonly SkillFile[],
  ports: SkillPorts,
  checkFile: (file: SkillFile) => Promise<KnownVersion>,
): Promise<SkillSet> {
  const fault = ports.book.fault();
  if (fault !== null) return faultSet(fault);
  const read: ListedSkill[] = [];
  for (const file of files) read.push(await readOne(file, ports, checkFile));
  const there = new Set(files.map(({ file }) => file));
  for (const accepted of ports.book.all())
    if (accepted.enabled && !there.has(`${accepted.head.name}.org`))
      read.push(listWithoutFile(accepted, `${accepted.head.name}.org is gone`));
  const listed: ListedSkill[] = [];
  for (const skill of read) listed.push(await asSecretAsWritten(skill, ports));
  return settle(listed);
}

/**
 * A skill that is as secret as its owner says in the version that is in force. It needs no yes for that: only
 * local models are told it.
 */
async function asSecretAsWritten(
  skill: ListedSkill,
  { labelText }: Pick<SkillPorts, "labelText">,
): Promise<ListedSkill> {
  const { accepted } = skill;
  if (accepted?.text === undefined) return skill;
  const { name, prompt, mandates, job } = accepted.head;
  const words = [prompt, ...mandates, job?.text ?? ""];
  const written = await labelText(`${name}.org`, accepted.text, words);
  if (written.secrecy === "public") return skill;
  const label = joinLabels(labelOfSkill(accepted), written);
  return { ...skill, label, accepted: { ...accepted, label } };
}

/** The skills whose files nobody could read yet: none is in force, and their gates count as lost. */
function unreadSet({ book }: SkillPorts, problem: string): SkillSet {
  const fault = book.fault();
  if (fault !== null) return faultSet(fault);
  const enabled = book.all().filter((accepted) => accepted.enabled);
  return settle(enabled.map((accepted) => listWithoutFile(accepted, problem)));
}

/** Reads one file. What was accepted and did not change is not looked at again. */
async function readOne(
  file: SkillFile,
  { read, book }: SkillPorts,
  checkFile: (file: SkillFile) => Promise<KnownVersion>,
): Promise<ListedSkill> {
  const name = file.file.replace(/\.org$/, "");
  const accepted = book.all().find(({ head }) => head.name === name) ?? null;
  const listed = (state: ListedSkill["state"], rest: Partial<ListedSkill> = {}): ListedSkill => ({
    name,
    state,
    problem: null,
    head: accepted?.head ?? null,
    accepted,
    tests: [],
    label: labelOfSkill(accepted ?? { head: { name }, from: null }),
    ...rest,
  });
  if (builtInSkills.some((skill) => skill.name === name))
    return listed("broken", { problem: `${name} is the name of a built-in skill. Rename ${file.file}.` });
  if (accepted?.enabled === false) return listed("disabled");
  try {
    if (accepted !== null && accepted.digest === sha256(await read(file.file))) return listed("in force");
    const { checked, text, label } = await checkFile(file);
    const { tests } = checked;
    const made = {
      ...(accepted ?? { head: { name }, from: null }),
      ...(label === undefined ? {} : { label }),
    };
    const about = { tests, label: labelOfSkill(made) };
    if (!checked.ok) {
      const problem = `${checked.problem}${accepted === null ? "" : " The version before it stays in force."}`;
      const head = accepted?.head ?? checked.head;
      return listed(accepted === null ? "broken" : "in force", { problem, head, ...about });
    }
    const missing = missingYes({ head: checked.head, label, link: file.link }, accepted);
    if (missing === null) {
      const now = acceptedOf(checked, { text, from: null, label });
      book.keep(now);
      return listed("in force", { accepted: now, head: now.head, ...about });
    }
    const state = accepted === null ? "waits" : "in force";
    return listed(state, { problem: missing, head: accepted?.head ?? checked.head, ...about });
  } catch (error) {
    const problem = `${file.file} could not be put in force: ${describeError(error)}`;
    return listed(accepted === null ? "broken" : "in force", { problem });
  }
}
