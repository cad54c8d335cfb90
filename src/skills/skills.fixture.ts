import { locateJailWorker } from "../act/sandbox/jail.ts";
import { openJailThreads, usualMemory } from "../act/sandbox/jail-threads.ts";
import { bottomLabel, joinLabels, type Label } from "../signal/label.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { type Acceptance, openSkills, type Skills } from "./open-skills.ts";

/** Skills in memory, with real jails: the files by name, and what was accepted. */
export type SkillWorld = {
  readonly skills: Skills;
  readonly files: Map<string, string>;
  readonly book: Map<string, AcceptedSkill>;
  /** What is known of texts, by their hashes. */
  readonly origins: Map<string, Label>;
  /** The owner's yes to a file as it is. */
  readonly accept: (name: string, how?: Partial<Acceptance>) => ReturnType<Skills["accept"]>;
  /** How many jails were opened. */
  readonly opened: () => number;
  /** From now on the folder cannot be read, for this reason; with null it can again. */
  readonly fail: (reason: string | null) => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** Opens skills on these files. */
export function makeSkillWorld(
  given: Readonly<Record<string, string>> = {},
  book = new Map<string, AcceptedSkill>(),
): SkillWorld {
  const files = new Map(Object.entries(given));
  const threads = openJailThreads(locateJailWorker());
  const opened = { count: 0 };
  const origins = new Map<string, Label>();
  const failing: { reason: string | null } = { reason: null };
  const skills = openSkills({
    list: async () => {
      if (failing.reason !== null) throw new Error(failing.reason);
      return [...files].map(([file, text]) => ({ file, version: text }));
    },
    read: async (file) => files.get(file) ?? "",
    book: {
      version: () => JSON.stringify([...book.values()]),
      fault: () => null,
      all: () => [...book.values()],
      keep: (skill) => void book.set(skill.head.name, skill),
    },
    labelPieces: async (pieces) =>
      joinLabels(bottomLabel, ...pieces.flatMap((piece) => origins.get(piece) ?? [])),
    labelText: async () => bottomLabel,
    openJail: () => {
      opened.count++;
      return threads.take(usualMemory, new AbortController().signal);
    },
  });
  return {
    skills,
    files,
    book,
    origins,
    accept: (name, how) => skills.accept(name, { text: files.get(`${name}.org`) ?? "", from: null, ...how }),
    opened: () => opened.count,
    fail(reason) {
      failing.reason = reason;
    },
    async [Symbol.asyncDispose]() {
      await skills[Symbol.asyncDispose]();
      await threads[Symbol.asyncDispose]();
    },
  };
}

/** A skill's file: keywords, then blocks of code, then tests. */
export function skillFile(
  keywords: readonly string[],
  code: string,
  tests: Readonly<Record<string, string>> = {},
): string {
  const blocks = Object.entries(tests).map(
    ([name, body]) => `#+begin_src typescript :test ${name}\n${body}\n#+end_src\n`,
  );
  return [
    ...keywords.map((line) => `#+${line}`),
    "",
    "What it teaches.",
    "",
    ...(code === "" ? [] : [`#+begin_src typescript\n${code}\n#+end_src\n`]),
    ...blocks,
  ].join("\n");
}
