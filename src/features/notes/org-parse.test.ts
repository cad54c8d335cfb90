import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import type { Io } from "../../kernel/io.ts";
import { exitCodes, HelpRequest, UsageError } from "../../program/io.ts";
import { orgCommand } from "./org.ts";

const root = mkdtempSync(join(tmpdir(), "org-command-"));
after(() => rmSync(root, { recursive: true, force: true }));

async function run(args: readonly string[], environment: Io["environment"] = {}) {
  const output = new PassThrough();
  const written = buffer(output);
  const problems: string[] = [];
  const io: Io = {
    args,
    environment,
    cwd: root,
    version: "0",
    outIsTerminal: false,
    outputsAreOne: false,
    inputIsPipe: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output,
    onInterrupt: () => () => undefined,
    out: (text) => void output.write(text),
    err: (text) => void problems.push(text),
  };
  const code = await orgCommand(io);
  output.end();
  const bytes = await written;
  return { code, err: problems.join(""), bytes, lines: bytes.toString().trimEnd().split("\n") };
}

const text = "#+FILETAGS: :f:\n* NEXT 😀 *a* [#B] b :t:\n:PROPERTIES:\n:ID: x\n:END:\n#+TODO: NEXT | OK\n";
writeFileSync(join(root, "notes.org"), text);

type Line = {
  readonly ast: { readonly type: string; readonly end: number };
  readonly entries: readonly {
    readonly id: string;
    readonly allTags: readonly string[];
    readonly category: string;
  }[];
  readonly [key: string]: unknown;
};

function parseLine(line: string | undefined): Line {
  return JSON.parse(line ?? "");
}

test("a file becomes one line of JSON with its settings, its tree and its entries", async () => {
  const { code, lines } = await run(["parse", "notes.org"]);
  assert.deepEqual([code, lines.length], [exitCodes.done, 1]);
  const { ast, entries, ...head } = parseLine(lines[0]);
  assert.deepEqual(head, {
    file: "notes.org",
    org: "9.8.9",
    units: "utf16",
    chars: Array.from(text).length,
    eol: "lf",
    bom: false,
    todoKeywords: ["NEXT", "OK"],
    doneKeywords: ["OK"],
    filetags: ["f"],
  });
  assert.deepEqual([ast.type, ast.end], ["org-data", text.length]);
  assert.deepEqual([entries[0]?.id, entries[0]?.allTags, entries[0]?.category], ["x", ["f", "t"], "notes"]);
});

test("offsets are counted in the chosen units, and text and entries can be left out", async () => {
  const end = async (args: readonly string[], environment?: Io["environment"]) =>
    parseLine((await run(["parse", ...args, "notes.org"], environment)).lines[0]).ast.end;
  assert.equal(await end([]), text.length);
  assert.equal(await end(["--units", "char"]), Array.from(text).length);
  assert.equal(await end([], { ORACLE_UNITS: "byte" }), Buffer.byteLength(text));
  const { lines } = await run(["parse", "--no-text", "--no-entries", "notes.org"]);
  assert.doesNotMatch(lines[0] ?? "", /"type":"text"|"entries"/);
});

test("each line is a fragment; a line that is not one is reported, and the others are printed", async () => {
  writeFileSync(
    join(root, "in.jsonl"),
    '{"n":1,"text":"*b*"}\n\n{"n":2}\nnonsense\n{"n":"x","text":"a\\r\\nb\\r\\n"}\n',
  );
  const { code, err, lines } = await run(["parse", "--jsonl", "in.jsonl"]);
  assert.equal(code, exitCodes.failed);
  assert.deepEqual(
    lines.map(parseLine).map(({ file, eol, chars }) => [file, eol, chars]),
    [
      ["1", "lf", 3],
      ["x", "crlf", 4],
    ],
  );
  assert.match(err, /Line 3 of in\.jsonl is not \{"n"/);
  assert.match(err, /Line 4 of in\.jsonl/);
});

test("fifteen stars are an inline task with --inline-tasks", async () => {
  writeFileSync(join(root, "task.org"), `${"*".repeat(15)} task\n`);
  const type = async (args: readonly string[], environment?: Io["environment"]) =>
    /"type":"(headline|inlinetask)"/.exec(
      (await run(["parse", ...args, "task.org"], environment)).lines[0] ?? "",
    )?.[1];
  assert.equal(await type([]), "headline");
  assert.equal(await type(["--inline-tasks"]), "inlinetask");
  assert.equal(await type([], { ORACLE_INLINETASK: "1" }), "inlinetask");
});

test("a file that cannot be read is reported, and the others are printed", async () => {
  writeFileSync(join(root, "large.org"), "");
  truncateSync(join(root, "large.org"), 100 * 1_048_576);
  const { code, err, lines } = await run(["parse", "missing.org", root, "large.org", "notes.org"]);
  assert.equal(code, exitCodes.failed);
  assert.equal(lines.length, 1);
  const [missing, folder, large] = err.split("\n");
  assert.match(missing ?? "", /There is no file .*missing\.org\. Correct the name, or create the file\.$/);
  assert.match(folder ?? "", /is a folder\. Name the files in it\.$/);
  assert.match(large ?? "", /large\.org has 100 MB; at most 32 MB can be parsed\. Split it\.$/);
});

test("a link to itself is reported", async () => {
  symlinkSync("loop.org", join(root, "loop.org"));
  const { code, err } = await run(["print", "loop.org"]);
  assert.equal(code, exitCodes.failed);
  assert.match(err, /loop\.org cannot be read \(ELOOP\)\.$/m);
});

test("a file is printed back byte for byte, whatever its bytes are", async () => {
  for (const content of ["", "\ufeff* a\r\nb\r\n", "a\r\nb\n", "caf\xe9 \xff\u0000", "*a\n** \n- [ ] x"]) {
    const bytes = Buffer.from(content, content.includes("\xff") ? "latin1" : "utf8");
    writeFileSync(join(root, "any.org"), bytes);
    const printed = await run(["print", "any.org"]);
    assert.deepEqual([printed.code, printed.bytes], [exitCodes.done, bytes]);
    assert.equal((await run(["parse", "any.org"])).code, exitCodes.done);
  }
});

test("wrong usage shows the synopsis", async () => {
  await assert.rejects(run([]), UsageError);
  await assert.rejects(run(["nonsense"]), /There is no command 'org nonsense'\./);
  await assert.rejects(run(["parse"]), UsageError);
  await assert.rejects(
    run(["parse", "--units", "miles", "notes.org"]),
    /--units needs utf16, char or byte, not 'miles'\./,
  );
  await assert.rejects(run(["print", "a", "b"]), UsageError);
  await assert.rejects(run(["--help"]), HelpRequest);
  await assert.rejects(run(["parse", "--help"]), HelpRequest);
});
