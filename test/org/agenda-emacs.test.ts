import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  agendaFor,
  agendaTimestamps,
  compileQuery,
  type Outline,
  parseQuery,
  queryEntries,
  scanOutline,
} from "#org";
import { makeAgendaNotes } from "./agenda-notes.ts";

// More files by AGENDA_FILES, from another seed on by AGENDA_SEED; another Org by EMACS_LOAD_PATH.
const count = Number(process.env["AGENDA_FILES"] ?? 12);
const seed = Number(process.env["AGENDA_SEED"] ?? 1);
const loadPath = process.env["EMACS_LOAD_PATH"];

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

/** Runs the batch program; gives what it printed, a line an entry. */
function askEmacs(args: readonly string[]): readonly string[] {
  const load = loadPath === undefined ? [] : ["-L", loadPath];
  const program = join(import.meta.dirname, "agenda-in-emacs.el");
  const run = spawnSync("emacs", ["-Q", "--batch", ...load, "-l", program, "--", ...args], {
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
  });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.split("\n").filter((line) => line !== "");
}

type MadeFile = { readonly path: string; readonly outline: Outline };

function makeFiles(t: TestContext): { readonly folder: string; readonly files: readonly MadeFile[] } {
  const folder = mkdtempSync(join(tmpdir(), "agenda-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = Array.from({ length: count }, (_, index) => {
    const text = makeAgendaNotes(seed + index);
    const path = join(folder, `notes-${seed + index}.org`);
    writeFileSync(path, text);
    return { path, outline: scanOutline(text) };
  });
  return { folder, files };
}

/** Emacs counts code points. */
function pointOf({ text }: Outline, offset: number): number {
  return Array.from(text.slice(0, offset)).length;
}

for (const today of ["2024-01-15", "2024-01-20"]) {
  test(`the agenda of made-up notes is that of the installed Emacs, as of ${today}`, { skip }, (t) => {
    const { files } = makeFiles(t);
    const theirs = askEmacs(["agenda", today, "2024-01-11", "10", ...files.map(({ path }) => path)]);
    const ours = agendaOf(files, today);
    assert.ok(theirs.length > count * 5, "the notes show often");
    assert.deepEqual(ours.map(comparable), theirs.map(comparable));
  });
}

/** Org 9.5 shows a heading's time of day on each day of a range, later ones on its first and last. */
function comparable(line: string): string {
  return line.replace(/^(\["[^"]*","[^"]*",\d+,"block",.*,)"[^"]*"(,"[^"]*"\])$/, '$1""$2');
}

function agendaOf(files: readonly MadeFile[], today: string): readonly string[] {
  const outlines = new Map(files.map(({ path, outline }) => [basename(path), outline]));
  const stamps = [...outlines].flatMap(([file, outline]) =>
    agendaTimestamps(outline, { category: file }).map(({ index, timestamp }) => {
      const begin = outline.headlines[index]?.begin ?? 0;
      return { file, begin: pointOf(outline, begin), timestamp };
    }),
  );
  const lines = agendaFor(stamps, { from: "2024-01-11", days: 10, today });
  const placeOf = ({ date, located }: (typeof lines)[number]): string => `${date} ${located.file}`;
  const broken = new Set(lines.filter(({ type }) => type === "problem").map(placeOf));
  const told = new Set<string>();
  return lines.flatMap((line) => {
    const { date, located, type, txt, time, extra } = line;
    const { file, begin, timestamp } = located;
    const place = placeOf(line);
    if (!broken.has(place)) {
      return [JSON.stringify([date, file, begin, type, txt, timestamp.headline.todo ?? "", time, extra])];
    }
    // A habit that is not sound ends Emacs's look at its file.
    if (told.has(place)) return [];
    told.add(place);
    return [JSON.stringify([date, file, "problem"])];
  });
}

const queries = [
  "work",
  "+work-home",
  "work|home",
  "work&@a-x",
  "{^w}",
  '{o\\|x}+TODO="TODO"',
  "/!",
  "/!NEXT",
  "/TODO|NEXT",
  "work/-DONE",
  'PRIORITY="A"',
  'PRIORITY<"C"/!',
  "Effort<2",
  "Effort>0",
  "Effort={^[12]:}",
  "LEVEL>1+work",
  'CATEGORY="own"',
  "CATEGORY={a}",
  'SCHEDULED<="<today>"',
  'SCHEDULED>="<-1w>"+DEADLINE<"<+2w>"',
  'DEADLINE>="<2024-01-15>"+TODO="TODO"',
  'SCHEDULED>"<now>"|DEADLINE<"<-1m>"',
  'CLOSED>="<-3d>"',
  'TIMESTAMP>="<today>"',
  'TIMESTAMP_IA<"<today>"',
  "ITEM={report}",
  "ITEM={^\\(call\\|write\\)}",
  "ITEM={\\bat\\b}",
  'ITEM<>"Meeting"',
  'STYLE="habit"',
  "ALLTAGS={file}-TAGS={home}",
  "-Effort={.}",
  'DEADLINE=""',
] as const;

/** Group tags: nested, in a ring, with a pattern, on two lines, beside tags that only exclude each other. */
const groupedNotes = `#+TAGS: [ @personal : diary health ] { @work(w) @home(h) } loose
#+TAGS: { health : run(r) swim {^x_.+} } [ one : two ] [ two : one three ]
#+TAGS: [ @personal : money ]
#+FILETAGS: :three:
* a :diary:
* b :health:
** c :Swim:
* d :x_y:
* e :ax_y:
* f :@personal:
* g :@work:
* h :@home:loose:
* i :money:runs:
* j :run#2:
`;

const groupQueries = [
  "@personal",
  "-@personal",
  "health",
  "health-swim",
  "+@personal-health|@work",
  "one",
  "two&diary",
  "{health}",
  "@personal/-TODO",
  "runs",
  "@home",
];

test("the tags of groups find what the installed Emacs finds", { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "agenda-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "grouped.org");
  writeFileSync(path, groupedNotes);
  comparedQueries({ folder, files: [{ path, outline: scanOutline(groupedNotes) }] }, groupQueries);
});

test("queries find in made-up notes what the installed Emacs finds", { skip }, (t) => {
  comparedQueries(makeFiles(t), queries);
});

function comparedQueries({ folder, files }: ReturnType<typeof makeFiles>, asked: readonly string[]): void {
  const list = join(folder, "queries.txt");
  writeFileSync(list, `${asked.join("\n")}\n`);
  const theirs = askEmacs(["match", "2024-01-15", list, ...files.map(({ path }) => path)]);
  const ours = asked.flatMap((expression) => {
    const read = parseQuery(expression);
    assert.ok("query" in read, expression);
    const matches = compileQuery(read.query, { today: "2024-01-15", minutes: 720 });
    return files.flatMap(({ path, outline }) => {
      const file = basename(path);
      return queryEntries(outline, { file, category: file.replace(/\.org$/, "") })
        .filter(matches)
        .map(({ headline }) => JSON.stringify([expression, file, pointOf(outline, headline.begin)]));
    });
  });
  for (const expression of asked) {
    const of = (line: string): boolean => JSON.parse(line)[0] === expression;
    assert.ok(ours.some(of), `${expression} finds something`);
  }
  assert.deepEqual(ours, theirs);
}
