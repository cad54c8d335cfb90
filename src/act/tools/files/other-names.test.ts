import assert from "node:assert/strict";
import { link, readFile } from "node:fs/promises";
import { test } from "node:test";
import { formatOutcome } from "../../../shown/format-outcome.ts";
import { otherNamesIn } from "../../../signal/other-names.ts";
import { callerAt, callTool, contentOf, openWorkbench } from "../workbench.fixture.ts";
import { makeEditFileTool } from "./edit-file.ts";

test("the outcome says that other names of the file keep what was there before", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "one\n");
  await link(path, `${path}.other`);
  const edit = async (old: string, by: string) =>
    contentOf(
      await callTool(
        makeEditFileTool(bench.ports),
        { path: "a.txt", old, new: by },
        callerAt(bench.workspace),
      ),
    );
  const content = await edit("one", "two");
  assert.equal(otherNamesIn(content), "its other name (a hard link) keeps what was there before");
  assert.equal(await readFile(`${path}.other`, "utf8"), "one\n");
  assert.equal(otherNamesIn(await edit("two", "three")), null);
  const event = { tool: "edit-file", status: "success", code: "", content } as const;
  const changes = [{ path: "a.txt", change: "replace", added: 1, removed: 1, diff: "", left: 0 }] as const;
  const [line] = formatOutcome({ ...event, changes }, null);
  assert.equal(
    line,
    "edit-file: done: a.txt (+1 −1), its other name (a hard link) keeps what was there before",
  );
});
