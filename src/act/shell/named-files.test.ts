import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findNamedFiles } from "./named-files.ts";

test("the hooks of a repository and what they name belong to a line that runs git; of the samples beside them what they are, and not what they name", async (t) => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "named-files-")));
  t.after(() => rmSync(cwd, { recursive: true }));
  const hooks = join(cwd, ".git/hooks");
  mkdirSync(hooks, { recursive: true });
  const hold = (path: string, text: string) => writeFileSync(path, text);
  hold(join(cwd, ".git/config"), "[core]\n");
  hold(join(hooks, "pre-commit"), "#!/bin/sh\nsh ./of-hook.txt\nsh .git/hooks/named.sample\n");
  hold(join(hooks, "pre-push.sample"), "#!/bin/sh\nsh ./of-sample.txt\n");
  for (const name of ["of-hook.txt", "of-sample.txt", ".git/hooks/named.sample"])
    hold(join(cwd, name), "true\n");
  const about = { cwd, workspace: cwd, home: "/nowhere", obeyed: [], runsCode: true };
  const isNone = () => false;
  const texts = ["git -c user.name=me commit -m words"];
  const found = await findNamedFiles({ ...about, texts, isSecretPath: isNone, isUnseen: isNone });
  const names = found.map(({ path }) => path.slice(cwd.length + 1));
  assert.deepEqual(names, [
    "",
    ".git/config",
    ".git/hooks/named.sample",
    ".git/hooks/pre-commit",
    ".git/hooks/pre-push.sample",
    "of-hook.txt",
  ]);
});
