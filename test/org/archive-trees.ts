import { numbersFrom } from "./outline-notes.ts";

/** A made-up note in which the entries with the ids `me`, `me0` … are archived in this order, and the archives that are there before. */
export type ArchiveCase = {
  readonly name: string;
  readonly text: string;
  readonly archives?: Readonly<Record<string, string>>;
};

/** Makes a note with trees up from a seed. The same seed gives the same note. */
export function makeArchiveCase(seed: number): ArchiveCase {
  const random = numbersFrom(seed);
  const chance = (share: number): boolean => random() < share;
  const pick = (choices: readonly string[]): string => choices[Math.floor(random() * choices.length)] ?? "";
  const maybe = (share: number, make: () => string): string => (chance(share) ? make() : "");
  const sequence = pick(["TODO DONE", "TODO NEXT DONE CANC"]).split(" ");
  const ids = { used: 0, named: 0 };

  const properties = (level: number): string => {
    const isArchived = level > 0 && ids.used < 3 && chance(0.35);
    if (isArchived) ids.used += 1;
    ids.named += 1;
    const id = isArchived ? `me${ids.used - 1}` : `other${ids.named}`;
    const lines = [
      isArchived || chance(0.2) ? `:ID:       ${id}\n` : "",
      maybe(0.15, () => `:ARCHIVE:  ${pick(places)}\n`),
      maybe(0.1, () => `:CATEGORY: ${pick(["cat", "two words"])}\n`),
      maybe(0.1, () => `:ARCHIVE_TIME: 2020-01-01 Wed 10:00\n`),
      maybe(0.1, () => `:a: b\n`),
    ].join("");
    return lines === "" ? "" : `:PROPERTIES:\n${lines}:END:\n`;
  };
  const entry = (level: number): string =>
    `${"*".repeat(level)} ${maybe(0.6, () => `${pick(sequence)} `)}${maybe(0.2, () => `[#${pick(["A", "B"])}] `)}${pick(titles)}${maybe(0.4, () => pick(tags))}\n` +
    maybe(0.4, () => `${pick(planning)}\n`) +
    properties(level) +
    maybe(0.25, () => pick(drawers)) +
    maybe(0.5, () => pick(bodies)) +
    maybe(0.2, () => pick(["\n", "\n\n"]));
  const trees = (): string => {
    const levels = [1];
    while (levels.length < 8) levels.push(1 + Math.floor(random() * Math.min(4, (levels.at(-1) ?? 0) + 1)));
    return levels.map(entry).join("");
  };
  const head =
    maybe(0.15, () => ":PROPERTIES:\n:ID: file\n:END:\n") +
    maybe(0.5, () => `#+ARCHIVE: ${pick(places)}\n`) +
    maybe(0.3, () => `#+FILETAGS: ${pick([":house:", ":house:home:", ":work:"])}\n`) +
    maybe(0.2, () => "#+CATEGORY: file cat\n") +
    (sequence.length > 2 ? "#+TODO: TODO NEXT | DONE CANC\n" : "") +
    maybe(0.3, () => "Words above.\n\n");
  const text = (head === "" ? "# a note\n" : head) + trees();
  const archives = Object.fromEntries(
    ["old.org", "notes.org_archive"].flatMap((name) => (chance(0.5) ? [[name, pick(olds)]] : [])),
  );
  return { name: `seed ${seed}`, text, archives };
}

const places = [
  "old.org::",
  "old.org::* Finished",
  "old.org::** Finished trees",
  "::* Archived",
  "%s_done::",
  "all.org::* From %s",
  "old.org::datetree/",
  "old.org::datetree/* Finished",
  "old.org::datetree/** From %s",
  "::datetree/",
  "::datetree/* Done",
  "old.org::No stars",
  "old.org::* DONE finished",
  "notes.org::* Archived",
  "./notes.org::datetree/",
  "old.org::* 100%% of %s",
];
const titles = [
  "Beech",
  "Oak",
  "Plane 50%",
  "Wörter 日本",
  "With [[id:me0][a link]]",
  "*bold* =code=",
  "A / slash",
  "[[file:a.org]] alone",
  "A very long title that does not leave any room for tags at the usual column",
];
const tags = [" :a:", " :house:", "     :b:c:", " :a:b:", " :ARCHIVE:"];
const planning = [
  "CLOSED: [2026-01-05 Mon 10:00]",
  "CLOSED: [2025-12-31 Wed]",
  "CLOSED: [2026-11-24 Tue 09:30] SCHEDULED: <2026-01-05 Mon>",
  "DEADLINE: <2026-02-05 Thu +1w>",
];
const drawers = [
  ":LOGBOOK:\nCLOCK: [2026-01-02 Fri 10:00]--[2026-01-02 Fri 11:30] =>  1:30\n:END:\n",
  ':LOGBOOK:\n- State "DONE"       from "TODO"       [2026-01-05 Mon 10:00]\n:END:\n',
  ":NOTES:\nwords\n:END:\n",
];
const bodies = [
  "words\n",
  "- [ ] one\n- [X] two\n",
  "| a | b |\n|---+---|\n| 1 | 2 |\n",
  "#+begin_src org\n,* no heading\n#+end_src\n",
  "  indented\n\n\nwith blank lines\n",
  "[2026-01-05 Mon]\n",
];
const olds = [
  "words\n",
  "* Finished\n",
  "* DONE Finished  :a:b:\n** One\n",
  "* First\n* Finished   :x:\n** One\nx\n\n\n* Last\n",
  "\nArchived entries from file /elsewhere\n\n\n* DONE Oak\nno end",
  "#+TITLE: Old\n* 2025\n** 2025-12 December\n*** 2025-12-31 Wednesday\n**** DONE Old\nx\n* 2026\n** 2026-03 March\n*** 2026-03-01 Sunday\nend\n",
  "* 2026\n** 2026-01 January\n*** 2026-01-05 Monday\n**** Finished\n***** One\n\n\n*** 2026-01-07 Wednesday\n* Notes\n",
  "* 2026\n\n** 2026-03 March\n\n*** 2026-03-01 Sunday\n\n* Last\nwords\n",
];
