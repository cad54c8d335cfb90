import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A question as a person types it, and the title of the note that answers it. */
export type NaturalQuestion = {
  readonly question: string;
  readonly title: string;
  /** True for the half that nothing is tuned on. */
  readonly heldOut: boolean;
};

/** A person's notes over two years as Org files by path, and questions about them. */
export type NaturalNotes = {
  readonly files: ReadonlyMap<string, string>;
  readonly questions: readonly NaturalQuestion[];
};

/** The day on which the questions are asked. */
export const askedAt: number = new Date(2026, 10, 18, 10, 30).getTime();

type Entry = {
  readonly file: string;
  readonly title: string;
  readonly tags: string;
  readonly when: string;
  readonly body: readonly string[];
};

/** Makes the notes: those that answer a question, among others about the same people and things. The same call gives the same notes. */
export function makeNaturalNotes(): NaturalNotes {
  const blocks = readFileSync(join(import.meta.dirname, "notes.txt"), "utf8").split(/^(?=# )/m);
  const answers = blocks.map(readEntry);
  const questions = blocks.flatMap((block, at) =>
    [...block.matchAll(/^\? (.+)$/gm)].map(([, question = ""]) => ({
      question,
      title: answers[at]?.title ?? "",
      heldOut: at % 2 === 1,
    })),
  );
  const all = new Map<string, Entry[]>();
  for (const entry of [...answers, ...makeOthers()]) {
    const entries = all.get(entry.file);
    if (entries === undefined) all.set(entry.file, [entry]);
    else entries.push(entry);
  }
  const files = [...all].map(([file, entries]): [string, string] => [
    `${file}.org`,
    printFile(file, entries),
  ]);
  return { files: new Map(files), questions };
}

function readEntry(block: string): Entry {
  const [head = "", ...lines] = block.trim().split("\n");
  const [file = "", title = "", tags = "", when = ""] = head
    .slice(2)
    .split("|")
    .map((part) => part.trim());
  return { file, title, tags, when, body: lines.filter((line) => !line.startsWith("? ")) };
}

function printFile(file: string, entries: readonly Entry[]): string {
  if (file !== "journal")
    return `#+title: ${file}\n\n${entries.map((entry) => printEntry(entry, 1)).join("")}`;
  const days = Map.groupBy(
    entries.toSorted((one, other) => (one.when < other.when ? -1 : 1)),
    ({ when }) => when.slice("journal ".length),
  );
  const parts = [...days].map(
    ([day, ofDay]) =>
      `* ${day} ${weekdayOf(day, "long")}\n${ofDay.map((entry) => printEntry(entry, 2)).join("")}`,
  );
  return `#+title: Journal\n\n${parts.join("")}`;
}

function printEntry({ title, tags, when, body }: Entry, level: number): string {
  const [kind = "", day = ""] = when.split(" ");
  const heading = `${"*".repeat(level)} ${title}${tags === "-" ? "" : ` :${tags}:`}`;
  const stamp = day === "" ? "" : `${day} ${weekdayOf(day, "short")}`;
  const under: Readonly<Record<string, string>> = {
    scheduled: `SCHEDULED: <${stamp}>\n`,
    deadline: `DEADLINE: <${stamp}>\n`,
    created: `:PROPERTIES:\n:CREATED: [${stamp}]\n:END:\n`,
  };
  return `${heading}\n${under[kind] ?? ""}${body.join("\n")}\n`;
}

function weekdayOf(day: string, weekday: "long" | "short"): string {
  return new Date(`${day}T12:00`).toLocaleDateString("en-GB", { weekday });
}

const people =
  "Ingrid Tobias Yusuf Greta Carlos Mei Daan Sofie Rahul Birgit Oskar Nadia Emil Fatima Willem Hilde".split(
    " ",
  );
const things = {
  work: "roadmap release budget onboarding contract incident dashboard newsletter invoice prototype survey workshop".split(
    " ",
  ),
  house:
    "curtains dishwasher door lamp balcony kitchen hallway carpet shower washing-machine fridge mailbox".split(
      " ",
    ),
  health: "vitamins stretching headache swimming back allergy appointment insurance sleep shoulder".split(
    " ",
  ),
  travel: "Hamburg Ghent Porto Copenhagen Prague Munich Leiden Oslo Bremen Osaka".split(" "),
  recipes: "pancakes risotto curry apple-pie goulash salad dumplings bread pumpkin-soup pasta".split(" "),
  garden: "roses compost lavender hedge lawn beans strawberries bulbs raspberries birdhouse".split(" "),
};

/** Forms of notes. `P` stands for a person, `Q` for another, `T` for a thing, `N` for a number. */
const forms: Readonly<Record<keyof typeof things | "journal" | "money", readonly string[]>> = {
  work: [
    "T: notes from the call with P|We agreed to move the T to next quarter. Q writes the draft, N open points.",
    "Ask P about the T|Who decides? Budget of N euros, the customer waits for an answer.",
    "T review|P was not happy with the numbers. Next meeting in N days with the team.",
    "Besprechung zum T|P stellt den Plan vor, Q schreibt das Protokoll. Noch N Punkte offen.",
  ],
  house: [
    "Repair the T|P knows a company, it costs about N euros. Check the warranty first.",
    "New T|Measured N cm. Ordered with P, delivery on a weekday in the morning.",
    "T putzen|Am Wochenende mit P. Mittel für N Euro aus der Drogerie.",
    "T vervangen|P komt helpen, onderdelen kosten N euro. Handleiding ligt in de kast.",
  ],
  health: [
    "T again|Felt it for N days. P recommends more water and a walk after lunch.",
    "Ask the doctor about T|P had the same last year and waited N weeks.",
    "T im Herbst|Seit N Tagen, P meint es ist harmlos. Apotheke gefragt.",
  ],
  travel: [
    "Weekend in T|With P and Q. Hotel N euros a night, museum closed on Mondays.",
    "Ideas for T|P knows a good restaurant by the river. Train takes N hours.",
    "Reise nach T|Zug um N Uhr, P holt uns ab. Fahrräder mieten.",
    "Weekend naar T|Met P, hotel voor N euro. Markt op zaterdag.",
  ],
  recipes: [
    "T from P|N eggs or fewer, a pinch of salt, butter. Oven in the middle, serve warm.",
    "T, quick version|Takes N minutes. Onions, garlic, stock. Q wanted more pepper.",
    "T nach P|N Gramm Mehl, Milch, Zucker. Langsam rühren, dann ruhen lassen.",
  ],
  garden: [
    "Plant T|N pieces from P, bed by the wall, water in the evening.",
    "T in spring|Cut back to N cm, P took the rest to the recycling yard.",
    "T gieten|Elke dag N liter, P doet het als wij weg zijn.",
  ],
  money: [
    "Invoice from P|N euros, paid by transfer. Keep it for the tax return.",
    "Savings with P|Put N euros aside each month for the holiday.",
    "Rechnung von P|N Euro, zahlbar bis Monatsende. Beleg im Ordner.",
  ],
  journal: [
    "Coffee with P|Talked about school, Q and the weather. Home by train at N.",
    "Quiet day|Read N pages, called P in the evening, early to bed.",
    "Spaziergang mit P|N Kilometer am Fluss, danach Kuchen bei Q.",
    "Meeting and errands|Post office, pharmacy, N euros for shoes. P wrote a long letter.",
    "Boodschappen en sport|P mee naar de markt, N km gefietst, soep gekookt.",
    "買い物|P と市場へ行った。N 円の魚を買った。",
  ],
};

const othersPerKind = 64;

/** Makes notes that answer no question. */
function makeOthers(): readonly Entry[] {
  const random = { state: 7 };
  const below = (limit: number): number => {
    random.state = (Math.imul(random.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((random.state / 4_294_967_296) * limit);
  };
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? "";
  const kinds: readonly (keyof typeof forms)[] = [
    "work",
    "house",
    "health",
    "travel",
    "recipes",
    "garden",
    "money",
    "journal",
  ];
  return kinds.flatMap((kind) =>
    Array.from({ length: othersPerKind }, (_, at) => {
      const [title = "", body = ""] = (forms[kind][at % forms[kind].length] ?? "").split("|");
      const thing = pick(kind === "money" || kind === "journal" ? things.work : things[kind]);
      const [one, other, number] = [pick(people), pick(people), String(2 + below(90))];
      const fill = (text: string): string =>
        text
          .replaceAll(/\bP\b/g, one)
          .replaceAll(/\bQ\b/g, other)
          .replaceAll(/\bT\b/g, thing)
          .replaceAll(/\bN\b/g, number);
      const day = new Date(2024, 10, 20 + below(720)).toLocaleDateString("sv-SE");
      const when = kind === "journal" ? `journal ${day}` : at % 3 === 0 ? "-" : `created ${day}`;
      const line = fill(title);
      return {
        file: kind,
        title: line.charAt(0).toUpperCase() + line.slice(1),
        tags: kind === "journal" ? "-" : kind,
        when,
        body: [fill(body)],
      };
    }),
  );
}
