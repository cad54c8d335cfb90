import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { editOrg, type Operation, readEntries, scanOutline, tagGroupFinder } from "#org";
import { readOrgSettings } from "../../src/settings/org-settings.ts";
import { settingReader } from "../../src/settings/read-setting.ts";

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

type Pair = { readonly settings: Readonly<Record<string, string>>; readonly lisp: string };

/** Settings, and the same in an `init.el`. */
const pairs: readonly Pair[] = [
  {
    settings: { ORG_TODO_KEYWORDS: "TODO NEXT(n!) | DONE; WAITING(w@/!) HOLD | CANCELLED(c@)" },
    lisp: `(setq org-todo-keywords '((sequence "TODO" "NEXT(n!)" "|" "DONE") (sequence "WAITING(w@/!)" "HOLD" "|" "CANCELLED(c@)")))`,
  },
  {
    settings: { ORG_TODO_KEYWORDS: `((sequence "offen" "läuft" "|" "fertig") (type "Ada" "Bo" "|" "DONE"))` },
    lisp: `(setq org-todo-keywords '((sequence "offen" "läuft" "|" "fertig") (type "Ada" "Bo" "|" "DONE")))`,
  },
  {
    settings: {
      ORG_TODO_KEYWORDS: "WAITING NEXT DONE",
      ORG_GLOBAL_PROPERTIES: "Effort 1h; Room kitchen sink",
    },
    lisp: `(setq org-todo-keywords '((sequence "WAITING" "NEXT" "DONE")) org-global-properties '(("Effort" . "1h") ("Room" . "kitchen sink")))`,
  },
];

const heads = "TODO NEXT DONE WAITING HOLD CANCELLED offen läuft fertig Ada Bo NASA"
  .split(" ")
  .map((word) => `* ${word} [#A] visit ${word}  :home:\n** ${word}\n`)
  .join("");
const files: readonly string[] = [
  heads,
  `#+TODO: HOLD | NEXT\n${heads}`,
  `#+SEQ_TODO: Ada\n${heads}`,
  `#+FILETAGS: :f:\n#+TAGS: [ home : f ]\n${heads}`,
];

for (const [index, { settings, lisp }] of pairs.entries()) {
  test(`headlines are read with the settings as Emacs reads them with its variables (${index + 1})`, {
    skip,
  }, (t) => {
    const variables = variablesOf(settings);
    const paths = writeFiles(t, files);
    const theirs = askEmacs(lisp, "outline-in-emacs.el", paths);
    const ours = files.flatMap((text, at) => {
      const name = basename(paths[at] ?? "", ".org");
      return readEntries(scanOutline(text, { variables }), name).map(({ title, todo, done, allTags }) => [
        title,
        todo,
        done,
        allTags,
      ]);
    });
    assert.deepEqual(
      ours,
      theirs.map((row) => (Array.isArray(row) ? row.slice(2, 6) : row)),
    );
  });
}

test("states are changed and logged with the settings as Emacs does it with its variables", { skip }, (t) => {
  const todo = pairs[0];
  assert.ok(todo !== undefined);
  const now = "2024-01-15 10:00";
  const texts = [
    "* TODO Roof\n** WAITING Paint\n",
    "#+STARTUP: nologdone nologdrawer\n* TODO Roof\n** WAITING Paint\n",
  ];
  const ops: readonly Operation[] = [
    { op: "todo", at: "Roof", state: "DONE" },
    { op: "todo", at: "Paint", state: "HOLD" },
    { op: "todo", at: "Paint", state: "CANCELLED" },
  ];
  const ways = [
    { settings: {}, drawer: false, done: false },
    { settings: { ORG_LOG_DONE: "time", ORG_LOG_INTO_DRAWER: "t" }, drawer: true, done: true },
    { settings: { ORG_LOG_DONE: "note", ORG_LOG_INTO_DRAWER: "1" }, drawer: true, done: "note" },
    { settings: { ORG_LOG_DONE: "t", ORG_LOG_INTO_DRAWER: "History" }, drawer: "History", done: true },
    {
      settings: { ORG_LOG_DONE: "nil", ORG_LOG_INTO_DRAWER: "nil", ORG_STARTUP: "logdone logdrawer" },
      drawer: false,
      done: false,
    },
  ];
  const cases = ways.flatMap(({ settings, drawer, done }) =>
    texts
      .filter((text) => typeof drawer !== "string" || !text.includes("nologdrawer"))
      .map((text) => ({ settings, given: { now, text, ops, drawer, done } })),
  );
  const [path = ""] = writeFiles(t, [cases.map(({ given }) => `${JSON.stringify(given)}\n`).join("")]);
  const theirs = askEmacs(todo.lisp, "edits-in-emacs.el", [path]);
  const ours = cases.map(({ settings, given: { text } }) => {
    const moment = { year: 2024, month: 1, day: 15, hour: 10, minute: 0 };
    const variables = variablesOf({ ...todo.settings, ...settings });
    return editOrg(text, ops, { now: moment, newId: () => "id", variables }).text;
  });
  assert.deepEqual(ours, theirs);
});

test("the tags of the settings hold where a file has none of its own", () => {
  const variables = variablesOf({ ORG_TAG_ALIST: "[ @personal : diary ] work(w)" });
  const groupsIn = (text: string, tag: string) =>
    [...tagGroupFinder(scanOutline(text, { variables }).settings.tagGroups)(tag)].sort();
  assert.deepEqual(groupsIn("* A :diary:\n", "diary"), ["@personal"]);
  assert.deepEqual(groupsIn("#+TAGS: [ a : b ]\n", "diary"), []);
});

function variablesOf(settings: Readonly<Record<string, string>>) {
  const problems: string[] = [];
  const variables = readOrgSettings(settingReader(settings, "/nowhere", problems));
  assert.deepEqual(problems, []);
  return variables;
}

function writeFiles(t: TestContext, texts: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "variables-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return texts.map((text, index) => {
    const path = join(folder, `n${index}.org`);
    writeFileSync(path, text);
    return path;
  });
}

function askEmacs(lisp: string, program: string, paths: readonly string[]): readonly unknown[] {
  const load = ["--eval", "(require 'org)", "--eval", lisp, "-l", join(import.meta.dirname, program)];
  const run = spawnSync("emacs", ["-Q", "--batch", ...load, "--", ...paths], {
    encoding: "utf8",
    env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
  });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.split("\n").flatMap((line): unknown[] => (line === "" ? [] : [JSON.parse(line)]));
}
