import { makeRandom } from "../make-random.ts";

/** A source of numbers that are the same for the same seed. */
type Dice = {
  /** From 0, below a bound. */
  readonly roll: (below: number) => number;
  readonly pick: <T>(from: readonly [T, ...T[]]) => T;
  /** True so often. */
  readonly chance: (share: number) => boolean;
};

/** Dice from a seed. */
function diceFrom(seed: number): Dice {
  const next = makeRandom(seed);
  const roll = (below: number): number => Math.floor(next() * below);
  return { roll, pick: (from) => from[roll(from.length)] ?? from[0], chance: (share) => next() < share };
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const middle = Date.UTC(2024, 0, 15);

/** A made-up file of notes around January 2024 with times of every kind that Org 9.5 and 9.8 show alike. */
export function makeAgendaNotes(seed: number): string {
  const dice = diceFrom(seed);
  const lines: string[] = [
    ...(dice.chance(0.4) ? ["#+TODO: TODO NEXT(n) WAIT(w@/!) | DONE(d!) CANCELLED"] : []),
    ...(dice.chance(0.3) ? ["#+FILETAGS: :file:work:"] : []),
    ...(dice.chance(0.2) ? ["#+CATEGORY: made"] : []),
    ...(dice.chance(0.3) ? [`Before the first heading ${stampOf(dice)}.`] : []),
  ];
  let level = 1;
  for (let count = 4 + dice.roll(10); count > 0; count -= 1) {
    level = Math.max(1, Math.min(5, level + dice.roll(3) - 1));
    lines.push(headingOf(dice, level), ...sectionOf(dice));
  }
  return `${lines.join("\n")}\n`;
}

function dayOf(dice: Dice, spread: number): string {
  const day = new Date(middle + (dice.roll(2 * spread) - spread) * 86_400_000);
  return `${day.toISOString().slice(0, 10)} ${weekdays[day.getUTCDay()] ?? ""}`;
}

function stampOf(dice: Dice): string {
  const time = dice.pick(["", "", "", " 10:00", " 18:00-19:30", " 08:15-09:00", " 23:59"]);
  const repeater = dice.pick([
    "",
    "",
    "",
    " +1d",
    " ++1w",
    " .+1m",
    " +1y",
    " +3w",
    " .+2d/4d",
    " ++2m",
    " +5h",
  ]);
  const warning = dice.pick(["", "", "", "", " -3d", " --2d", " -1w", " -1m"]);
  return `<${dayOf(dice, 40)}${time}${repeater}${warning}>`;
}

function rangeOf(dice: Dice): string {
  const start = middle + (dice.roll(40) - 20) * 86_400_000;
  const end = start + dice.roll(6) * 86_400_000;
  const [from, to] = [start, end].map((time) => {
    const day = new Date(time);
    return `<${day.toISOString().slice(0, 10)} ${weekdays[day.getUTCDay()] ?? ""}>`;
  });
  return `${from}--${to}`;
}

const words = [
  "write",
  "Meeting",
  "at 10:00",
  "report",
  "2pm-4pm",
  "call",
  "über",
  "日本",
  "[1/2]",
  "*bold*",
] as const;

function headingOf(dice: Dice, level: number): string {
  const title = Array.from({ length: 1 + dice.roll(4) }, () => dice.pick(words)).join(" ");
  const tags = Array.from({ length: dice.roll(4) }, () => dice.pick(["work", "home", "@a", "p_1", "x"]));
  return [
    "*".repeat(level),
    ...dice.pick([[], [], ["TODO"], ["TODO"], ["NEXT"], ["DONE"]]),
    ...(dice.chance(0.2) ? [`[#${dice.pick(["A", "B", "C"])}]`] : []),
    ...(dice.chance(0.06) ? ["COMMENT"] : []),
    title,
    ...(dice.chance(0.15) ? [`<${dayOf(dice, 15)}>`] : []),
    ...(dice.chance(0.05)
      ? [":ARCHIVE:"]
      : tags.length === 0 || dice.chance(0.5)
        ? []
        : [`:${tags.join(":")}:`]),
  ].join(" ");
}

function sectionOf(dice: Dice): readonly string[] {
  const planning = [
    ...(dice.chance(0.4) ? [`SCHEDULED: ${stampOf(dice)}`] : []),
    ...(dice.chance(0.35) ? [`DEADLINE: ${stampOf(dice)}`] : []),
    ...(dice.chance(0.1) ? ["CLOSED: [2024-01-12 Fri 10:00]"] : []),
  ];
  const properties = [
    ...(dice.chance(0.2) ? [`:STYLE: ${dice.pick(["habit", "other"])}`] : []),
    ...(dice.chance(0.2) ? [":CATEGORY: own"] : []),
    ...(dice.chance(0.3) ? [`:Effort: ${dice.pick(["0:30", "1:00", "2:15"])}`] : []),
  ];
  return [
    ...(planning.length === 0 ? [] : [planning.join(" ")]),
    ...(properties.length === 0 ? [] : [":PROPERTIES:", ...properties, ":END:"]),
    ...(dice.chance(0.2) ? [":LOGBOOK:", '- State "DONE" from "TODO" [2024-01-13 Sat 09:00]', ":END:"] : []),
    ...Array.from({ length: dice.roll(4) }, () => partOf(dice)).flat(),
  ];
}

function partOf(dice: Dice): readonly string[] {
  const stamp = stampOf(dice);
  return dice.pick([
    [stamp],
    [`Text ${stamp} and more.`],
    [`- item ${stamp}`],
    [`| ${stamp} | cell |`],
    [rangeOf(dice)],
    [`${stamp} and ${rangeOf(dice)}`],
    ["#+begin_src sh", stamp, "#+end_src"],
    ["#+begin_example", stamp, "#+end_example"],
    ["#+begin_quote", stamp, "#+end_quote"],
    [`# comment ${stamp}`],
    [`: fixed ${stamp}`],
    [`=${stamp}= is verbatim`],
    [":NOTES:", stamp, ":END:"],
    [`[2024-01-${10 + dice.roll(10)} Mon] is inactive`],
    ["<%%(diary-float t 4 2)> is not evaluated"],
  ]);
}
