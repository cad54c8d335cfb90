import type { Operation } from "#org";
import { numbersFrom } from "./outline-notes.ts";

/** A made-up text of Org, a row of operations on it, and how records are kept. */
export type EditList = {
  readonly now: string;
  readonly text: string;
  readonly ops: readonly Operation[];
  readonly drawer: boolean;
  readonly done: boolean;
};

type Dice = {
  readonly pick: <T>(choices: readonly T[]) => T;
  readonly chance: (share: number) => boolean;
  readonly upTo: (most: number) => number;
};

/** Makes a list of operations up from a seed. A plain one has nothing that Org 9.5 and 9.8 do differently. */
export function makeEditList(seed: number, { plain, most }: { plain: boolean; most: number }): EditList {
  const dice = diceOf(numbersFrom(seed));
  const sequence = dice.pick(sequences);
  const startup = dice.chance(0.5)
    ? [`#+STARTUP: ${[0, 1, 2].map(() => dice.pick(startups)).join(" ")}`]
    : [];
  const titles = headings.map((title) => (plain ? title.replace(" [50%] x", "") : title));
  const used: string[] = [];
  const entries = Array.from({ length: 2 + dice.upTo(4) }, (_, index) => {
    const title = titles.splice(dice.upTo(titles.length - 1), 1)[0] ?? "Last";
    used.push(title);
    return entry(dice, { title, index, words: sequence.words, plain });
  });
  const lines = [
    ...sequence.lines,
    ...startup,
    ...(dice.chance(0.2) ? ["intro text"] : []),
    ...entries.flat(),
  ];
  const text = `${lines.join("\n")}${plain || dice.chance(0.9) ? "\n" : ""}`;
  const odd = startup.some((line) => line.includes(" odd"));
  const ops = Array.from({ length: 1 + dice.upTo(most - 1) }, () =>
    operation(dice, { used, words: sequence.words, lines: text.split("\n"), plain }),
  ).filter((made) => !isEmacsFault(made, text, odd));
  return {
    now: dice.pick(["2024-01-15 10:00", "2024-02-29 23:59", "2024-12-31 00:00"]),
    text,
    ops,
    drawer: dice.chance(0.5),
    done: dice.chance(0.5),
  };
}

/** Emacs loses an entry that it refiles to where it is, where only odd levels count, and a COMMENT where it refuses a state. */
function isEmacsFault(made: Operation, text: string, odd: boolean): boolean {
  return (
    (odd && made.op === "refile") || (made.op === "todo" && made.state === "NOPE" && text.includes("COMMENT"))
  );
}

function diceOf(random: () => number): Dice {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  return {
    upTo,
    chance: (share) => random() < share,
    pick(choices) {
      const chosen = choices[upTo(choices.length - 1)] ?? choices[0];
      if (chosen === undefined) throw new Error("nothing to choose from");
      return chosen;
    },
  };
}

const headings = [
  "Alpha",
  "Beta task",
  "Gamma [0/0]",
  "Delta [50%] x",
  "Epsilon",
  "Eta 日本 ü",
  "Theta",
  "Iota",
];
const sequences = [
  { lines: [], words: ["TODO", "DONE"] },
  {
    lines: ["#+TODO: TODO(t) NEXT(n!) WAIT(w@/!) | DONE(d) CANC(c@)"],
    words: ["TODO", "NEXT", "WAIT", "DONE", "CANC"],
  },
  {
    lines: ["#+TODO: OPEN | CLOSED", "#+TODO: BUG FIX | FIXED"],
    words: ["OPEN", "CLOSED", "BUG", "FIX", "FIXED"],
  },
  {
    lines: ["#+TYP_TODO: Fred Lucy | DONE", "#+SEQ_TODO: TODO | FIN"],
    words: ["Fred", "Lucy", "DONE", "TODO", "FIN"],
  },
];
const startups = [
  "logdone",
  "lognotedone",
  "nologdone",
  "logrepeat",
  "nologrepeat",
  "logdrawer",
  "nologdrawer",
  "nologstatesreversed",
  "logreschedule",
  "logredeadline",
  "logrefile",
  "overview",
  "odd",
];
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const bodies = [
  "Some text.",
  "=<2024-01-01 Mon +1d>= verbatim",
  "# comment <2024-01-01 Mon +1d>",
  "#+begin_src sh\n<2024-01-01 Mon +1d>\n- [ ] no\n#+end_src",
  ": fixed <2024-01-01 Mon +1w>",
];

function stamp({ pick, chance, upTo }: Dice, active: boolean): string {
  const date = new Date(Date.UTC(2023 + upTo(1), upTo(11), 1 + upTo(27)));
  const day = `${date.toISOString().slice(0, 10)} ${weekdays[date.getUTCDay()]}`;
  const time = chance(0.3) ? ` ${pick(["00", "09", "17", "23"])}:${pick(["00", "15", "59"])}` : "";
  if (!active) return `[${day}${time}]`;
  const range = time !== "" && chance(0.2) ? "-23:45" : "";
  const repeat = chance(0.4) ? ` ${pick(repeaters)}` : "";
  const hours = time !== "" && range === "" && chance(0.2) ? ` ${pick(["+1h", "++5h", ".+3h"])}` : repeat;
  return `<${day}${time}${range}${hours}${chance(0.15) ? pick([" -3d", " --2d"]) : ""}>`;
}

const repeaters = ["+1d", "++1w", ".+1m", "+2y", "++3d", "+1m", ".+2d/4d", "++2m", "+0d"];

function entry(
  dice: Dice,
  { title, index, words, plain }: { title: string; index: number; words: readonly string[]; plain: boolean },
): string[] {
  const { pick, chance, upTo } = dice;
  const indent = !plain && chance(0.15) ? "  " : "";
  const level = index === 0 ? 1 : 1 + upTo(2);
  const todo = chance(0.6) ? `${pick(words)} ` : "";
  const priority = chance(0.2) ? `[#${pick(["A", "B", "C"])}] ` : "";
  const tags = chance(0.3) ? pick([" :a:", " :foo:bar:", `${" ".repeat(40)}:home:`]) : "";
  const body = chance(0.4) ? [pick([...bodies, `Text with ${stamp(dice, true)} in it.`])] : [];
  return [
    `${"*".repeat(level)} ${todo}${priority}${!plain && chance(0.05) ? "COMMENT " : ""}${title}${tags}`,
    ...[
      ...planning(dice),
      ...drawers(dice, index, plain),
      ...(chance(0.2) ? [""] : []),
      ...body,
      ...list(dice),
    ].map((line) => (line === "" ? line : indent + line)),
    ...(chance(0.15) ? [""] : []),
  ];
}

function planning(dice: Dice): string[] {
  if (!dice.chance(0.4)) return [];
  const parts = [
    ...(dice.chance(0.2) ? [`CLOSED: ${stamp(dice, false)}`] : []),
    ...(dice.chance(0.6) ? [`SCHEDULED: ${stamp(dice, true)}`] : []),
    ...(dice.chance(0.5) ? [`DEADLINE: ${stamp(dice, true)}`] : []),
  ];
  return parts.length === 0 ? [] : [parts.join(" ")];
}

function drawers({ pick, chance }: Dice, index: number, plain: boolean): string[] {
  const may = (share: number, line: string) => (chance(share) ? [line] : []);
  const properties = [
    ...may(0.3, `:ID:       id-${index}`),
    ...may(0.3, ":Effort:   1:00"),
    ...may(plain ? 0 : 0.1, `:LOGGING: ${pick(["nil", "logrepeat", "logdone lognoterepeat", "TODO(!)"])}`),
    ...may(0.1, `:LOG_INTO_DRAWER: ${pick(["t", "nil", plain ? "t" : "LOGS"])}`),
    ...may(0.1, `:COOKIE_DATA: ${pick(["todo", "checkbox", "todo recursive", "recursive"])}`),
    ...may(0.1, ":ORDERED: t"),
  ];
  const clock = "CLOCK: [2024-01-02 Tue 10:00]--[2024-01-02 Tue 11:30] =>  1:30";
  const log = ['- State "DONE"       from "TODO"       [2023-12-01 Fri 10:00]', clock].filter(() =>
    chance(0.5),
  );
  return [
    ...(properties.length > 0 ? [":PROPERTIES:", ...properties, ":END:"] : []),
    ...(chance(0.25) && (log.length > 0 || !plain) ? [":LOGBOOK:", ...log, ":END:"] : []),
    ...(plain ? [] : may(0.1, clock)),
  ];
}

function list({ pick, chance, upTo }: Dice): string[] {
  if (!chance(0.35)) return [];
  const bullet = pick(["-", "+", "1."]);
  let level = 0;
  return Array.from({ length: 1 + upTo(3) }, (_, index) => {
    level = index === 0 ? 0 : Math.min(level + 1, upTo(2));
    const box = chance(0.8) ? pick(["[ ] ", "[X] ", "[-] "]) : "";
    const mark = bullet === "1." ? `${index + 1}.` : bullet;
    const item = `${" ".repeat(level * (mark.length + 1))}${mark} ${box}item ${index}${chance(0.15) ? " [0/0]" : ""}`;
    return chance(0.15) ? [item, `${" ".repeat(level * (mark.length + 1))}  more text`] : [item];
  }).flat();
}

const dates = [
  "2024-02-01",
  "2024-02-01 10:30",
  "",
  "+2d",
  "++1w",
  "<2024-03-05 Tue ++2w>",
  "2024-02-01 +1w",
  ".",
  "2024-5-3",
  "-3d",
  "+1m",
  "2024-02-03 10:00-11:30",
  "[2024-02-03 Sat]",
  "fri",
];
const kinds = [
  "todo",
  "todo",
  "todo",
  "schedule",
  "deadline",
  "tags",
  "priority",
  "put",
  "delete-property",
  "clock-in",
  "clock-out",
  "archive-tag",
  "archive-sibling",
  "id",
  "refile",
  "checkbox",
  "checkbox",
] as const;

function operation(
  { pick, chance, upTo }: Dice,
  {
    used,
    words,
    lines,
    plain,
  }: { used: readonly string[]; words: readonly string[]; lines: readonly string[]; plain: boolean },
): Operation {
  const op = pick(kinds);
  const at = pick(used);
  switch (op) {
    case "todo":
      return { op, at, state: pick([...words, ...words.slice(-2), "", ...(plain ? [] : ["NOPE"])]) };
    case "schedule":
    case "deadline":
      return { op, at, value: pick([...dates, ...(plain ? [] : ["<2024-03-05 Tue 09:00 +1m -2d>"])]) };
    case "tags":
      return { op, at, value: pick([":x:", ":x:y:", "", ":a:", "z", ":foo:bar:", ":@work:#1:"]) };
    case "priority":
      return { op, at, value: pick(["A", "B", "C", "", ...(plain ? [] : ["D"])]) };
    case "put": {
      const key = pick(["Effort", "effort", "KEY", "LONGER_NAME_HERE"]);
      return { op, at, key, value: /effort/i.test(key) ? "0:30" : pick(["v", "0:30", "two words"]) };
    }
    case "delete-property":
      return { op, at, key: pick(["Effort", "ID", "NONE"]) };
    case "refile":
      return { op, at, to: pick(used) };
    case "checkbox": {
      const items = lines.flatMap((line, index) =>
        /^\s*(?:[-+]|\d\.) (?!\[ \] no$)/.test(line) ? [index + 1] : [],
      );
      if (items.length === 0 && plain) return { op: "id", at };
      return { op, line: items.length > 0 && (plain || chance(0.9)) ? pick(items) : 1 + upTo(lines.length) };
    }
    case "id":
    case "clock-in":
    case "clock-out":
    case "archive-tag":
    case "archive-sibling":
      return { op, at };
  }
}
