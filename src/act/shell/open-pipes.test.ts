import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { openPipes } from "./open-pipes.ts";

test("the exit code of a shell that said nothing is no process number", async () => {
  for (const code of [0, 1, 127]) assert.equal(await openPipes(["writes"], () => `exit ${code}`), null);
});

test("what is written at one end of a pipe comes out at the other", async (t) => {
  const pipes = await openPipes(["writes"]);
  const [pipe] = pipes ?? [];
  if (pipe === undefined) return t.skip("needs Linux");
  const child = spawn("/bin/sh", ["-c", "echo hello"], { stdio: ["ignore", pipe.fd, "ignore"] });
  const said: readonly unknown[] = await once(pipe.stream, "data");
  assert.equal(String(said[0]), "hello\n");
  pipe.stream.destroy();
  await once(child, "exit");
});
