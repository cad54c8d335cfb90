import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadOnce } from "../../../act/load-once.ts";
import { type JailThreads, usualMemory } from "../../../act/sandbox/jail-threads.ts";
import { labelOfTexts } from "../../../memory/state/origins.ts";
import type { State } from "../../../memory/state/state.ts";
import type { Mandate } from "../../../reason/prompt/assemble-prompt.ts";
import { guardText } from "../../../reason/prompt/guard-text.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Effect } from "../../../signal/effect.ts";
import type { Facts } from "../../../signal/facts.ts";
import type { CallSkill } from "../../../signal/jail-work.ts";
import { isOwnSkill } from "../../../signal/label-of-skill.ts";
import type { Signal } from "../../../signal/signal.ts";
import type { AcceptedSkill, TaughtObjection } from "../../../signal/skill.ts";
import { builtInSkills } from "../../../skills/built-in/table.ts";
import type { CheckedSkill } from "../../../skills/check-skill.ts";
import type { TaughtText } from "../../../skills/find-triggered.ts";
import type { LabelPieces } from "../../../skills/label-of-version.ts";
import type { SkillPorts, Skills } from "../../../skills/open-skills.ts";
import { watchFailures } from "../../../skills/repair/skill-failures.ts";
import type { ListedSkill, SkillSet } from "../../../skills/settle-skills.ts";
import { describeError } from "../../../text/describe-error.ts";
import { labelRulesOf, makePreparedLabel } from "./label-rules.ts";

/** The skills of this agent, as its other parts use them. Nothing is loaded where there are none. */
export type OwnSkills = {
  /** Puts in force what changed since the last time. Never throws: what fails is reported, and the set before stays. */
  readonly refresh: () => Promise<void>;
  /** Starts a jail ahead of a call that may come. */
  readonly warm: () => void;
  /** The skills as they stand now. */
  readonly list: () => Promise<readonly ListedSkill[]>;
  readonly inForce: () => readonly AcceptedSkill[];
  /** Checks the file of a skill as it is now. Throws where there is none. */
  readonly check: (name: string) => Promise<CheckedSkill>;
  /** The skills as they were read last. */
  readonly listed: () => readonly ListedSkill[];
  readonly call: CallSkill;
  readonly mandates: () => readonly Mandate[];
  /** What the skill that takes part has to say. `tags`: those of the notes that the signal is about, asked for only where a skill waits for one. */
  readonly textFor: (signal: Signal, tags: () => Promise<ReadonlySet<string>>) => Promise<TaughtText | null>;
  /** The standing instructions that the owner's own skills make of the context of a turn. */
  readonly mandatesFor: (signal: Signal) => Promise<readonly TaughtText[]>;
  readonly askGates: (effects: readonly Effect[], facts: Facts) => Promise<readonly TaughtObjection[]>;
  readonly commands: () => readonly { readonly name: string; readonly help: string }[];
  /** The mandatory skills that are not in force: without them the agent answers but does not act. */
  readonly missing: () => readonly string[];
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

type KeepFailure = Parameters<typeof watchFailures>[1];

/** The folder of the owner's skills. */
export function skillsFolder({ config }: Pick<Policy, "config">): string {
  return join(config.places.configuration, "skills");
}

const none: SkillSet = { listed: [], inForce: [], lostGates: [] };

/** What is known of the texts of skills, and what is kept of their failures. */
export function skillMemory(
  state: Pick<State, "origins" | "skillTroubles">,
  policy: Pick<Policy, "config" | "notesPlace">,
): Pick<OwnSkillsParts, "labelPieces" | "labelText" | "keepFailure"> {
  return {
    labelPieces: (pieces) => labelOfTexts(state.origins, pieces),
    labelText: labelSkillText(policy, state),
    keepFailure: state.skillTroubles.fail,
  };
}

/** Says how secret the file of a skill is. */
export function labelSkillText(
  policy: Pick<Policy, "config" | "notesPlace">,
  state: Pick<State, "origins"> | null,
): SkillPorts["labelText"] {
  const labelText = makePreparedLabel(labelRulesOf({ policy, state }));
  return (file, text, words) => labelText(join(skillsFolder(policy), file), text, words);
}

type OwnSkillsParts = {
  readonly policy: Pick<Policy, "config" | "skillBook">;
  readonly keepFailure: KeepFailure;
  readonly jails: JailThreads;
  readonly labelPieces: LabelPieces;
  readonly labelText: SkillPorts["labelText"];
  readonly report: (message: string) => void;
};

/** Opens the skills of the configuration folder. */
export function openOwnSkills(parts: OwnSkillsParts): OwnSkills {
  const { policy, jails, labelPieces, labelText, report, keepFailure } = parts;
  const folder = skillsFolder(policy);
  const book = policy.skillBook;
  const held: { skills: Skills | null; set: SkillSet } = { skills: null, set: none };
  const news = tellNews(report);
  const load = loadOnce(() => loadSkills(folder, { book, jails, labelPieces, labelText }));
  const call = watchFailures(
    async (skill, asked, cancel) => {
      const skills = held.skills ?? (await load());
      return skills.call(skill, asked, cancel);
    },
    keepOrReport(keepFailure, report),
  );
  const read = async (): Promise<void> => {
    if (held.skills === null && book.version() === "none" && !existsSync(folder)) return;
    held.skills = await load();
    held.set = await held.skills.refresh();
    news.read(held.set);
  };
  const refresh = (): Promise<void> =>
    read().catch((error: unknown) => {
      held.set = held.skills?.current() ?? held.set;
      news.unreadable(describeError(error));
    });
  return {
    refresh,
    warm: () => warmFor(held.set, jails),
    async list() {
      await refresh();
      return held.set.listed;
    },
    inForce: () => held.set.inForce,
    check: async (name) => (await (held.skills ?? (await load())).check(name)).checked,
    listed: () => held.set.listed,
    call,
    mandates: () => mandatesOf(held.set.inForce),
    async textFor(signal, tags) {
      const { inForce } = held.set;
      if (inForce.length === 0) return null;
      // A model is about to be asked, and what it answers may call a skill.
      warmFor(held.set, jails);
      const { findTaughtText } = await import("../../../skills/find-triggered.ts");
      return findTaughtText({ inForce, call, tags, report }, signal);
    },
    async mandatesFor(signal) {
      const { inForce } = held.set;
      if (inForce.every(({ declared }) => declared.mandates !== true)) return [];
      const { findMandates } = await import("../../../skills/find-triggered.ts");
      return findMandates({ inForce, call, report }, signal);
    },
    askGates: (effects, facts) => askGatesOf(held.set, call, { effects, facts }),
    commands: () => held.set.inForce.flatMap(({ declared }) => declared.commands),
    missing: () => missingOf(policy.config.mandatorySkills, held.set, book),
    [Symbol.asyncDispose]: async () => void (await held.skills?.[Symbol.asyncDispose]()),
  };
}

/** A jail is started ahead where a skill has code. */
function warmFor({ inForce }: SkillSet, jails: JailThreads): void {
  if (inForce.some(({ code }) => code !== "")) jails.warm();
}

/** What cannot be kept is reported, and breaks no call. */
function keepOrReport(keep: KeepFailure, report: (message: string) => void): KeepFailure {
  return (failure) =>
    keep(failure).catch((error: unknown) =>
      report(`A failure of the skill ${failure.skill} could not be kept: ${describeError(error)}`),
    );
}

/** Reports what is new: skills are looked at with each turn and at each heartbeat, and what stays as it is was said. */
function tellNews(report: (message: string) => void) {
  const told = new Set<string>();
  const last: { fault: string | null } = { fault: null };
  return {
    read(set: SkillSet): void {
      last.fault = null;
      for (const problem of problemsOf(set)) if (!told.has(problem)) report(problem);
      for (const problem of problemsOf(set)) told.add(problem);
    },
    unreadable(fault: string): void {
      if (fault !== last.fault) report(`The skills could not be read: ${fault}`);
      last.fault = fault;
    },
  };
}

/** Loaded where a skill has gates. */
async function askGatesOf(
  { inForce, lostGates }: SkillSet,
  call: CallSkill,
  about: { readonly effects: readonly Effect[]; readonly facts: Facts },
): Promise<readonly TaughtObjection[]> {
  if (lostGates.length === 0 && inForce.every(({ declared }) => declared.gates.length === 0)) return [];
  const { askGates } = await import("../../../skills/ask-gates.ts");
  return askGates({ inForce, lostGates }, call, about);
}

/** The standing mandates of the owner's own skills. Those of any other are words of others, and stand with its other words. */
function mandatesOf(skills: readonly AcceptedSkill[]): readonly Mandate[] {
  return skills
    .filter(isOwnSkill)
    .flatMap(({ head }) =>
      head.mandates.map((text) => ({ name: `skill ${head.name}`, text: () => guardText(text) })),
    );
}

/** What is built in is in force unless its owner disabled it. */
function missingOf(
  names: readonly string[],
  { inForce }: SkillSet,
  book: Policy["skillBook"],
): readonly string[] {
  if (names.length === 0) return [];
  const there = new Set(inForce.map(({ head }) => head.name));
  const disabled = new Set(book.all().flatMap(({ head, enabled }) => (enabled ? [] : [head.name])));
  for (const { name } of builtInSkills) if (!disabled.has(name)) there.add(name);
  return names.filter((name) => !there.has(name));
}

function problemsOf({ listed, lostGates }: SkillSet): readonly string[] {
  return [
    ...listed.flatMap(({ problem, name }) => (problem === null ? [] : [`The skill ${name}: ${problem}`])),
    ...lostGates.map(({ effects, reason }) => `Blocked for now (${effects.join(", ")}): ${reason}`),
  ];
}

/** The skills of a folder, with the book of what was accepted. */
export async function loadSkills(
  folder: string,
  {
    book,
    jails,
    labelPieces,
    labelText,
  }: {
    readonly book: Policy["skillBook"];
    readonly jails: JailThreads;
    readonly labelPieces: LabelPieces;
    readonly labelText: SkillPorts["labelText"];
  },
): Promise<Skills> {
  const [{ openSkills }, { listSkillFiles, readSkillText }] = await Promise.all([
    import("../../../skills/open-skills.ts"),
    import("../../../skills/skill-folder.ts"),
  ]);
  return openSkills({
    list: () => listSkillFiles(folder),
    read: (file) => readSkillText(folder, file),
    book,
    labelPieces,
    labelText,
    openJail: () => jails.take(usualMemory, new AbortController().signal),
  });
}
