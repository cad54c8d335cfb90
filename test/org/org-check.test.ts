import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { orgCheckCommand } from "../../src/features/notes/org-check.ts";
import type { Io } from "../../src/kernel/io.ts";
import { exitCodes, HelpRequest, UsageError } from "../../src/program/io.ts";

type Ran = { readonly code: number; readonly out: string; readonly err: string };

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "org-check-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function run(cwd: string, ...args: readonly string[]): Promise<Ran> {
  let out = "";
  let err = "";
  const io: Io = {
    args,
    cwd,
    environment: {},
    version: "0",
    outIsTerminal: false,
    outputsAreOne: false,
    inputIsPipe: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output: new PassThrough(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    onInterrupt: () => () => undefined,
  };
  return { code: await orgCheckCommand(io), out, err };
}

test("problems are printed with their place, and the exit code says that there are some", async (t) => {
  const folder = folderWith(t, {
    "a.org": "* a\n  [[#none]] [[file:b.org]] [[file:c.org]]\n",
    "b.org": "* b\n",
  });
  const found = await run(folder, "a.org", "b.org");
  assert.deepEqual(found, {
    code: exitCodes.failed,
    out:
      "a.org:2:3: broken link: no heading of this file has the CUSTOM_ID 'none'. [broken-custom-id-link]\n" +
      "a.org:2:28: broken link: there is no file 'c.org'. [broken-file-link]\n",
    err: "",
  });
  assert.deepEqual(await run(folder, "b.org"), { code: exitCodes.done, out: "", err: "" });
});

test("with --json each problem is an object on its line", async (t) => {
  const folder = folderWith(t, { "a.org": "* a :b-c:\n* TODO\n:END:\n" });
  const { out, code } = await run(folder, "--json", "a.org");
  assert.equal(code, exitCodes.failed);
  const lines = out.trim().split("\n");
  assert.deepEqual(
    lines.map((line) => [...line.matchAll(/"(\w+)":/g)].map(([, key]) => key)),
    lines.map(() => ["file", "line", "column", "code", "message"]),
  );
  assert.match(lines[1] ?? "", /"file":"a\.org","line":3,"column":1,"code":"stray-drawer-end"/);
});

test("an ID in a note beside the file is found, one in a file that is no note is not", async (t) => {
  const note = "* a\n:PROPERTIES:\n:ID: x\n:END:\n";
  const folder = folderWith(t, {
    "a.org": "[[id:x]] [[id:y]]\n",
    "b.org": note,
    "c.txt": note.replace("x", "y"),
  });
  mkdirSync(join(folder, "d.org"));
  assert.equal(
    (await run(folder, "a.org")).out,
    "a.org:1:10: broken link: no note has the ID 'y'. [broken-id-link]\n",
  );
});

test("a file that cannot be read is told, and the others are checked", async (t) => {
  const folder = folderWith(t, { "a.org": ":END:\n" });
  const { code, out, err } = await run(folder, "none.org", "a.org", ".");
  assert.equal(code, exitCodes.failed);
  assert.match(out, /^a\.org:1:1: /);
  assert.match(err, /There is no file .*none\.org\. Correct[\s\S]*is a folder/);
});

test("a wrong use is a usage error, and help is none", async (t) => {
  const folder = folderWith(t, {});
  await assert.rejects(run(folder), UsageError);
  await assert.rejects(run(folder, "--none", "a.org"), UsageError);
  await assert.rejects(run(folder, "--help"), HelpRequest);
});

test("notes beside the file that cannot be read keep nobody from checking it", async (t) => {
  const folder = folderWith(t, {
    "a.org": "[[id:x]]\n",
    "b.org": ":PROPERTIES:\n:ID: x\n:END:\n",
    "c.org": "",
  });
  symlinkSync("d.org", join(folder, "d.org"));
  chmodSync(join(folder, "c.org"), 0);
  assert.deepEqual(await run(folder, "a.org"), { code: exitCodes.done, out: "", err: "" });
});
