import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTangledRecord } from "../../tangle/tangled-record.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench, prepareCall } from "../workbench.fixture.ts";
import { makeTangleTool } from "./tangle.ts";

const source = (body: string): string =>
  `#+begin_src sh :tangle a.sh\n${body}\n#+end_src\n#+begin_src py :tangle lib/b.py\nb\n#+end_src\n`;

async function openTangling() {
  const bench = await openWorkbench();
  const state = join(bench.root, "state");
  const tool = makeTangleTool({ ...bench.ports, record: openTangledRecord(state) });
  return { bench, state, tool, caller: callerAt(bench.workspace) };
}

test("tangle writes each file with the effects of an edit, and again once its source is newer", async () => {
  const { bench, tool, caller } = await openTangling();
  await using _ = bench;
  await bench.write("n.org", source("echo 1"));
  const prepared = await prepareCall(tool, { path: "n.org" }, caller);
  assert.deepEqual(
    prepared.effects.map(({ kind, target }) => [kind, target.slice(bench.workspace.length + 1)]),
    [
      ["read-path", "n.org"],
      ["write-path", "a.sh"],
      ["write-path", "lib/b.py"],
    ],
  );
  assert.equal((await prepared.preview?.diffs())?.length, 2);
  assert.deepEqual(contentOf(await prepared.run(new AbortController().signal)), {
    written: ["a.sh", "lib/b.py"],
    same: 0,
  });
  assert.equal(await bench.read("lib/b.py"), "b\n");
  await bench.write("n.org", source("echo 2"));
  assert.deepEqual(contentOf(await callTool(tool, { path: "n.org", check: true }, caller)), {
    same: 1,
    differing: ["a.sh: older than its source, from line 1 on"],
  });
  const again = await prepareCall(tool, { path: "n.org" }, caller);
  assert.deepEqual(
    again.effects.map(({ kind, target }) => [kind, target.slice(bench.workspace.length + 1)]),
    [
      ["read-path", "n.org"],
      ["read-path", "lib/b.py"],
      ["write-path", "a.sh"],
    ],
    "that a file is the same is read from it",
  );
  assert.deepEqual(contentOf(await again.run(new AbortController().signal)), { written: ["a.sh"], same: 1 });
  assert.equal(await bench.read("a.sh"), "echo 2\n");
  assert.deepEqual(contentOf(await callTool(tool, { path: "n.org", check: true }, caller)), {
    same: 2,
    text: "No file differs from its source.",
    differing: [],
  });
});

test("where a tangled file was changed by hand, nothing is written and the file is named, until it is to be replaced", async () => {
  const { bench, state, tool, caller } = await openTangling();
  await using _ = bench;
  await bench.write("n.org", source("echo 1"));
  await callTool(tool, { path: "n.org" }, caller);
  await bench.write("a.sh", "echo 1\necho mine\n");
  await bench.write("lib/b.py", "changed too\n");
  await bench.write("n.org", source("echo 3"));
  for (const kept of [true, false]) {
    if (!kept) await writeFile(join(state, "tangled.json"), '{"version":2}');
    const refused = await callTool(tool, { path: "n.org" }, caller);
    assert.equal(codeOf(refused), "changed-elsewhere");
    assert.match(refused.status === "error" ? refused.message : "", /a\.sh \(from line 1 on\), lib\/b\.py/);
    assert.equal(await bench.read("a.sh"), "echo 1\necho mine\n");
  }
  assert.equal((await callTool(tool, { path: "n.org", overwrite: true }, caller)).status, "success");
  assert.equal(await bench.read("a.sh"), "echo 3\n");
  assert.equal(bench.kept.length, 4);
});

test("what only Emacs could work out is told and not written, and the label of the source goes with what is written", async () => {
  const { bench, tool, caller } = await openTangling();
  await using _ = bench;
  await bench.write("n.org", `${source("echo 1")}#+begin_src sh :tangle (kill)\nx\n#+end_src\n`);
  assert.match(
    JSON.stringify(contentOf(await callTool(tool, { path: "n.org" }, caller))),
    /n\.org:7: .*Lisp/,
  );
  await bench.write(
    "f.org",
    "#+begin_src sh :tangle lib\nx\n#+end_src\n#+begin_src sh :tangle lib/c.sh\nx\n#+end_src\n",
  );
  const folder = await prepareCall(tool, { path: "f.org" }, caller);
  assert.ok(
    folder.effects.some(({ kind, target }) => kind === "read-path" && target === `${bench.workspace}/lib`),
    "that a name is a folder is told by a judged read of it",
  );
  assert.equal(codeOf(await folder.run(new AbortController().signal)), "is-a-folder");
  await bench.write("t.org", "no blocks");
  assert.deepEqual(contentOf(await callTool(tool, { path: "t.org" }, caller)), {
    same: 0,
    text: "No block names a file.",
    differing: [],
  });
  assert.equal(codeOf(await callTool(tool, { path: "none.org" }, caller)), "not-found");
  const outside = makeTangleTool({
    ...bench.ports,
    isTrusted: async () => false,
    record: openTangledRecord(join(bench.root, "state")),
  });
  await bench.write("u.org", source("echo 9"));
  const prepared = await prepareCall(outside, { path: "u.org", overwrite: true }, caller);
  assert.ok(prepared.effects.every(({ label }) => label.integrity === "untrusted"));
});
