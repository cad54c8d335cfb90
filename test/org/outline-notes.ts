/** Makes notes up from a seed, with all that is odd about headlines, planning, drawers, clocks and keywords. The same seed gives the same notes. */
export function makeOutlineNotes(seed: number, size = 10): string {
  const random = numbersFrom(seed);
  const pick = (choices: readonly string[]): string => choices[Math.floor(random() * choices.length)] ?? "";
  const sometimes = (share: number, make: () => string): string => (random() < share ? make() : "");
  const several = (most: number, make: () => string): string[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);

  const stamp = () => pick(stamps);
  const word = () => (random() < 0.15 ? stamp() : pick(words));
  const heading = () =>
    `${"*".repeat(1 + Math.floor(random() * (random() < 0.1 ? 17 : 4)))}${pick(["", " ", " ", " ", "  ", " \t", "\t"])}` +
    several(4, word).join(pick([" ", " ", "\t", ""])) +
    sometimes(0.4, () => pick([" ", "  ", "\t", ""]) + pick(tagGroups)) +
    pick(["", "", " ", "\t"]);
  const planned = () => pick(planningWords) + pick([" ", "", "  ", " \t"]) + stamp();
  const planning = () =>
    `${pick(["", "  ", "\t"])}${[planned(), ...several(2, planned)].join(pick([" ", "  "]))}\n`;
  const drawer = () =>
    `${pick([":PROPERTIES:", ":properties:", "  :PROPERTIES:  ", ":PROPERTIES: x"])}\n` +
    several(3, () => `${pick(["", "  "])}${pick(random() < 0.9 ? properties : brokenProperties)}\n`).join(
      "",
    ) +
    sometimes(0.9, () => `${pick([":END:", ":end:", " :END: ", ":END: x"])}\n`);
  const clock = () => `${pick(["", "  "])}${random() < 0.3 ? `CLOCK: ${stamp()}` : pick(clocks)}\n`;
  const keyword = () => `${pick(keywords)}\n`;
  const block = () => {
    const type = pick(["src", "example", "quote", "comment", "export", "verse", "foo"]);
    const inside = pick(["keyword", "heading", "clock", "text"]);
    const made = { keyword, heading: () => `${heading()}\n`, clock, text: () => "text\n" };
    const body =
      inside === "keyword" || inside === "heading" || inside === "clock" ? made[inside]() : "text\n";
    return `#+begin_${type}\n${body}${sometimes(0.8, () => `#+end_${type}\n`)}`;
  };
  const entry = () =>
    `${heading()}\n` +
    sometimes(0.4, planning) +
    sometimes(0.4, drawer) +
    sometimes(0.2, () => `:LOGBOOK:\n${clock()}${sometimes(0.7, () => ":END:\n")}`) +
    sometimes(0.2, clock) +
    sometimes(0.3, block) +
    sometimes(0.15, keyword) +
    sometimes(0.3, () => `${pick(["text", "", "  more", "- item", "| a |", "[[a][b]] =c="])}\n`);

  const top = sometimes(0.2, () => pick(["", "# c\n", "\n"]) + drawer()) + sometimes(0.5, keyword);
  const text = top + Array.from({ length: 1 + Math.floor(random() * size) }, entry).join("");
  return random() < 0.2 ? text.replace(/\n$/, "") : text;
}

/** Numbers from 0 up to 1, always the same ones for a seed. */
export function numbersFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

const stamps = [
  "<2024-01-15 Mon>",
  "<2024-01-15>",
  "[2024-01-15 Mon 10:00]",
  "<2024-01-15 Mon 10:00-11:30>",
  "<2024-01-15 Mon +1w>",
  "<2024-01-15 Mon ++2d/4d -3d>",
  "<2024-01-15 Mo. .+1m --2d>",
  "<2024-02-30>",
  "<2024-01-15 Mon 9:00 +1y>",
  "<2024-1-15>",
  "<2024-01-15 月>",
  "[2024-01-15 Mon]--[2024-01-17 Wed]",
  "<2024-01-15 Mon 10:00>--<2024-01-16 Tue 11:00>",
  "<2024-01-15Mon>",
  "<2024-01-15 Mon",
  "2024-01-15",
];
const words = [
  "TODO",
  "DONE",
  "todo",
  "NEXT",
  "WAIT",
  "TODOx",
  "COMMENT",
  "[#A]",
  "[#B]",
  "[#1]",
  "foo",
  "bar",
  "[1/2]",
  "[50%]",
  "[[link][desc]]",
  "[[target]]",
  "[[a][b]c]]",
  "*bold*",
  "é",
  "😀",
  "  ",
  "ARCHIVE",
];
const tagGroups = [":a:", ":a:b:", " :c_d:@e:", ":x y:", "::", ":é:日:", ":a-b:", ":#%:", ":ARCHIVE:"];
const planningWords = ["SCHEDULED:", "SCHEDULED:", "DEADLINE:", "CLOSED:", "scheduled:", "foo", "SCHEDULED"];
const properties = [
  ":ID: x1",
  ":ID:   ",
  ":CATEGORY: cat",
  ":category: kat",
  ":foo+: a",
  ":FOO: b",
  ":foo: nil",
  ":ID: nil",
  ":a:b: c",
  ":TODO: no",
  ":SCHEDULED: x",
  ':ROAM_ALIASES: "a b" c',
  ":é: ü",
];
const brokenProperties = [":broken", ":x y: z", ":foo:bar", ":END: x", "", ": x:"];
const clocks = [
  "CLOCK: [2024-01-15 Mon 10:00]--[2024-01-15 Mon 11:00] =>  1:00",
  "CLOCK: [2024-01-15 Mon 10:00]",
  "CLOCK: => 2:30",
  "CLOCK:",
  "clock: [2024-01-15 Mon 10:00]",
];
const keywords = [
  "#+TODO: TODO NEXT(n!) | DONE(d@/!)",
  "#+SEQ_TODO: A WAIT",
  "#+TYP_TODO: Fred | Sara",
  "#+CATEGORY: kc",
  "#+FILETAGS: :f:g:",
  "#+filetags: h i",
  "#+PROPERTY: foo bar",
  "#+PROPERTY: foo+ baz",
  "#+STARTUP: logdone",
  "  #+TODO: INDENT | OUT",
  "#+TODO:NOSPACE",
  "#+TODO : x",
  "#+PRIORITIES: A Z M",
];
