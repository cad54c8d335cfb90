import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A made-up notes folder: the same for the same seed. */
export type Memex = { readonly nodes: number; readonly bytes: number; readonly files: number };

/** How many nodes a file has, about. */
const nodesInFile = 100;

/** Writes a notes folder of a person who keeps a diary, projects, people, recipes and a reading list in Org, with about so many headlines of 500 bytes. */
export function writeMemex(folder: string, nodes: number, seed = 1): Memex {
  const random = makeRandom(seed);
  const counts = { nodes: 0, bytes: 0, files: 0 };
  while (counts.nodes < nodes) {
    const kind = kinds[counts.files % kinds.length] ?? "notes";
    const wanted = Math.min(nodesInFile, nodes - counts.nodes);
    const path = join(folder, kind, `${Math.floor(counts.files / 200)}`, `${kind}-${counts.files}.org`);
    const text = fileText({ kind, number: counts.files, wanted, random });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    counts.nodes += wanted;
    counts.bytes += Buffer.byteLength(text);
    counts.files += 1;
  }
  return counts;
}

/** Words that stand in no note of a memex: for finding one that is added. */
export const unheardWord = "quokkaberry";

type Random = {
  readonly below: (limit: number) => number;
  readonly of: <T>(list: readonly [T, ...T[]]) => T;
  readonly chance: (share: number) => boolean;
};

const kinds = ["diary", "projects", "people", "notes", "recipes", "reading"] as const;

/** Mulberry32. */
function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, of: (list) => list[below(list.length)] ?? list[0], chance: (share) => next() < share };
}

const syllables = [
  "ka",
  "ro",
  "mi",
  "ten",
  "sal",
  "ver",
  "lo",
  "dan",
  "pri",
  "ges",
  "tu",
  "han",
  "be",
  "lim",
  "os",
  "fer",
  "ain",
  "no",
  "cla",
  "wid",
  "ster",
  "pu",
  "jor",
  "el",
  "quin",
  "zar",
  "mo",
  "thi",
  "ras",
  "en",
] as const;
const common = [
  "the",
  "and",
  "to",
  "of",
  "with",
  "for",
  "we",
  "was",
  "that",
  "then",
  "about",
  "again",
  "before",
  "house",
  "garden",
  "train",
  "letter",
  "doctor",
  "school",
  "water",
  "kitchen",
  "market",
  "window",
  "call",
  "ask",
  "write",
  "repair",
  "order",
  "plan",
  "visit",
  "read",
  "cook",
  "paint",
  "move",
  "pay",
] as const;
const firstNames = [
  "Anna",
  "Björn",
  "Chloé",
  "Dmitri",
  "Elif",
  "Femi",
  "Grete",
  "Hiro",
  "Inés",
  "Jakub",
] as const;
const tags = ["home", "work", "garden", "health", "money", "travel", "family", "someday", "phone"] as const;

/** Words as rare as in real text: few are frequent, most come seldom. */
function word(random: Random): string {
  if (random.chance(0.55)) return random.of(common);
  let number = Math.floor(20_000 * random.below(1000) ** 2 * 1e-6);
  let made = "";
  do {
    made += syllables[number % syllables.length] ?? "";
    number = Math.floor(number / syllables.length);
  } while (number > 0);
  return made;
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(" ");
}

function sentence(random: Random): string {
  const text = words(random, 6 + random.below(12));
  const about = random.chance(0.1) ? ` ${random.of(firstNames)}` : "";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${about}.`;
}

function paragraph(random: Random): string {
  const sentences = Array.from({ length: 1 + random.below(5) }, () => sentence(random)).join(" ");
  return sentences.replaceAll(/(.{60,79}) /g, "$1\n");
}

function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}

function day(random: Random): { readonly date: string; readonly old: boolean } {
  const at = new Date(Date.UTC(2015, 0, 1 + random.below(4400)));
  const name = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][at.getUTCDay()] ?? "";
  return { date: `${at.toISOString().slice(0, 10)} ${name}`, old: at.getUTCFullYear() < 2026 };
}

type FileGiven = {
  readonly kind: (typeof kinds)[number];
  readonly number: number;
  readonly wanted: number;
  readonly random: Random;
};

function fileText({ kind, number, wanted, random }: FileGiven): string {
  const lines = [`#+TITLE: ${kind} ${number}`];
  if (random.chance(0.2)) lines.push(`#+FILETAGS: :${random.of(tags)}:`);
  if (kind === "projects") lines.push("#+TODO: TODO(t) NEXT(n) WAITING(w@/!) | DONE(d!) CANCELLED(c@)");
  lines.push("", paragraph(random), "");
  const ids: string[] = [];
  let level = 1;
  for (let made = 0; made < wanted; made += 1) {
    level = made === 0 ? 1 : Math.max(1, Math.min(5, level + random.of([-2, -1, -1, 0, 0, 0, 1, 1])));
    lines.push(node({ kind, level, random, ids }));
  }
  return `${lines.join("\n")}\n`;
}

type NodeGiven = {
  readonly kind: FileGiven["kind"];
  readonly level: number;
  readonly random: Random;
  readonly ids: string[];
};

function node({ kind, level, random, ids }: NodeGiven): string {
  const isTask = kind === "projects" ? random.chance(0.7) : random.chance(0.1);
  const when = day(random);
  const done = isTask && (when.old ? !random.chance(0.004) : random.chance(0.2));
  const isProject = level === 1 && kind === "projects" && random.chance(0.1);
  const state = isTask ? (done ? "DONE " : "TODO ") : "";
  const priority = isTask && random.chance(0.1) ? `[#${random.of(["A", "B", "C"])}] ` : "";
  const own = random.chance(0.15) ? ` :${random.of(tags)}:` : isProject ? " :project:" : "";
  const lines = [`${"*".repeat(level)} ${state}${priority}${title(kind, random)}${own}`];
  if (isTask && random.chance(0.5)) {
    const closed = done ? `CLOSED: [${when.date} 17:20] ` : "";
    lines.push(
      `${closed}${random.of(["SCHEDULED", "DEADLINE"])}: <${when.date}${random.chance(0.05) ? " +1w" : ""}>`,
    );
  }
  if (random.chance(0.3)) {
    const id = uuid(random);
    ids.push(id);
    lines.push(":PROPERTIES:", `:ID:       ${id}`);
    if (random.chance(0.3)) lines.push(`:Effort:   ${random.below(8)}:30`);
    lines.push(":END:");
  }
  if (isTask && random.chance(0.2)) {
    lines.push(":LOGBOOK:", `CLOCK: [${when.date} 09:00]--[${when.date} 10:30] =>  1:30`, ":END:");
  }
  for (let count = 1 + random.below(2); count > 0; count -= 1) lines.push(paragraph(random));
  if (random.chance(0.15)) lines.push(`- [ ] ${sentence(random)}`, `- [X] ${sentence(random)}`);
  const known = ids[random.below(ids.length + 1)];
  if (known !== undefined && random.chance(0.2)) lines.push(`See [[id:${known}][${words(random, 2)}]].`);
  if (random.chance(0.05)) lines.push(`Met on <${day(random).date} 18:00>.`);
  if (random.chance(0.02)) lines.push("#+begin_src sh", `echo ${words(random, 4)}`, "#+end_src");
  return lines.join("\n");
}

function title(kind: FileGiven["kind"], random: Random): string {
  if (kind === "diary") return day(random).date;
  const text = words(random, 2 + random.below(4));
  return kind === "people"
    ? `${random.of(firstNames)} ${text}`
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
