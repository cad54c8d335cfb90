import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkOrg, decodeOrgText, parseOrg, readEntries, scanOutline, treeToJson } from "#org";
import { makeEditFileTool } from "../src/act/tools/files/edit-file.ts";
import { shellIn } from "../src/act/tools/shell/shell.fixture.ts";
import { callerAt, openWorkbench, prepareCall } from "../src/act/tools/workbench.fixture.ts";
import { readPlainPage } from "../src/act/web/plain-page.ts";
import { makeNeedles } from "../src/gate/secrets/needles.ts";
import { scanSecrets } from "../src/gate/secrets/secrets.ts";
import { labelOfFile } from "../src/memory/notes/labels/label-of-file.ts";
import { isQuotation } from "../src/reason/parse/quotation.ts";
import { readJson } from "../src/reason/parse/read-json.ts";
import { bottomLabel } from "../src/signal/label.ts";
import { disarmNewConstructs } from "../src/text/later/disarm.ts";
import { readForm } from "../src/wire/codec/reader.ts";
import { hostileLines, hostileScripts } from "./hostile-lines.ts";
import { hostileNotes } from "./hostile-notes.ts";
import { longestHold } from "./longest-hold.ts";

// Prints how long hostile input of 100 kB holds the event loop at the longest, and how long it takes in all, in milliseconds of the processor.
const size = 100_000;
const shown = 3;

type Case = { readonly name: string; readonly work: () => unknown };

/** Prints the worst cases of a kind. Each is tried twice, and the better figure counts: the first try compiles. */
async function report(kind: string, cases: readonly Case[]): Promise<void> {
  const rows: { readonly name: string; readonly longest: number; readonly all: number }[] = [];
  for (const { name, work } of cases) {
    const tries = [await longestHold(work), await longestHold(work)];
    rows.push({
      name,
      longest: Math.min(...tries.map(({ longest }) => longest)),
      all: Math.min(...tries.map(({ all }) => all)),
    });
  }
  for (const { name, longest, all } of rows.toSorted((a, b) => b.longest - a.longest).slice(0, shown))
    process.stdout.write(
      `${kind}: held ${longest.toFixed(0)} ms (target 50), ${all.toFixed(0)} ms in all (target 200): ${JSON.stringify(name.slice(0, 50))}\n`,
    );
}

const notes = Object.entries(hostileNotes).map(([name, make]) => ({ name, text: make(size) }));
const pieces = [
  "sk-",
  "xoxb-1-",
  "password=",
  "eyJ",
  "://a:b@",
  "%%(",
  "#+macro:(eval ",
  ":tangle ",
  "Local Variables:\n",
  "-*- mode: ",
  "\u001b",
  "(",
  "(:a ",
  '"a\\',
  '{"a":',
  "[",
  "#|",
  "|",
  "\\",
  "<",
  "<a ",
  "<!--",
  "<script>",
  "&#x1",
  "a",
  "😀",
  "\ud83d",
  "\0",
  " ",
  "\n",
];
const texts = [
  ...pieces.map((piece) => ({ name: piece, text: piece.repeat(size / piece.length) })),
  ...notes,
];
const overNotes = (work: (text: string) => unknown): readonly Case[] =>
  notes.map(({ name, text }) => ({ name, work: () => work(text) }));
const overTexts = (work: (text: string) => unknown): readonly Case[] =>
  texts.map(({ name, text }) => ({ name, work: () => work(text) }));

await report(
  "parse a note",
  overNotes((text) => [...treeToJson(text, parseOrg(text))].length),
);
await report(
  "check a note",
  overNotes((text) => {
    checkOrg([{ path: "a.org", source: decodeOrgText(Buffer.from(text)) }], {
      hasFile: () => false,
      hasId: () => false,
    });
  }),
);
await report(
  "read the entries of a note",
  overNotes((text) => readEntries(scanOutline(text), "a")),
);
await report(
  "label a note",
  overNotes((text) =>
    labelOfFile("a.org", Buffer.from(text), {
      notes: { folder: "/nowhere", variables: [] },
      privacyTags: ["@personal"],
      originsOf: async () => new Map(),
    }),
  ),
);
await report(
  "find what is executed later",
  overTexts((text) => disarmNewConstructs("a.org", "", text)),
);
await report(
  "find secrets",
  overTexts((text) => scanSecrets(text, makeNeedles(["a-configured-key-1234567890"]))),
);
await report("read a page", overTexts(readPlainPage));
await report(
  "read a wire frame",
  overTexts((text) => readForm(text)),
);
await report("read an answer as JSON", overTexts(readJson));
await report(
  "compare an answer with what was shown",
  overTexts((text) => isQuotation(text, [`${text}x`])),
);
await reportEdits();
await reportShell();

async function reportEdits(): Promise<void> {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "a".repeat(4_000_000));
  const half = "a".repeat(size / 2);
  const edit = (name: string, old: string): Case => ({
    name,
    work: () =>
      prepareCall(makeEditFileTool(bench.ports), { path: "a.txt", old, new: "x" }, callerAt(bench.workspace)),
  });
  await report("edit 4 MB", [edit("a passage that repeats itself", half), edit("almost", `${half}b${half}`)]);
}

async function reportShell(): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "passepartout-bench-")));
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  };
  for (const [name, text] of Object.entries(hostileScripts)) await write(`${name}.sh`, text);
  for (let index = 0; index < 2_000; index += 1)
    await write(`many/f${index}.${index % 2 === 0 ? "txt" : "py"}`, "x");
  for (let index = 0; index < 2_400; index += 1) await write(`tree/d${index % 60}/s${index}.sh`, "echo");
  for (let index = 0; index < 64; index += 1)
    await write(`scripts/s${index}.sh`, `${hostileScripts["words"]}${index}`);
  for (let index = 0; index < 20; index += 1)
    await write(`large/s${index}.sh`, Buffer.alloc(7_000_000, index));
  const shell = shellIn(root, { labelOfRead: async () => bottomLabel });
  await report(
    "judge a command line",
    hostileLines.map((cmd) => ({ name: cmd, work: () => shell.prepare(cmd) })),
  );
  await rm(root, { recursive: true });
}
