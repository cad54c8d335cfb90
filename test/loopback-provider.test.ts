import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startLoopbackProvider } from "./loopback-provider.ts";

test("a script that has no step left answers with an error that is not retried", async () => {
  await using server = await startLoopbackProvider([]);
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body: "{}" });
  assert.equal(response.status, 400);
  assert.equal(server.requests[0]?.bytes, 2);
});

test("it runs as a process that prints its port, plays a script and logs each request", async () => {
  const folder = await mkdtemp(join(tmpdir(), "loopback-"));
  const script = join(folder, "script.json");
  const log = join(folder, "log.jsonl");
  await writeFile(script, JSON.stringify([{ text: "hello" }]));
  const file = fileURLToPath(new URL("./loopback-provider.ts", import.meta.url));
  const child = spawn(process.execPath, [file, "--port", "0", "--script", script, "--log", log]);
  try {
    const lines: readonly unknown[] = await once(createInterface({ input: child.stdout }), "line");
    const url = /http:[^"]+/.exec(String(lines[0]))?.[0] ?? "";
    const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", body: '{"model":"m"}' });
    assert.match(await response.text(), /hello/);
    assert.match(await readFile(log, "utf8"), /chat\/completions.*"bytes":13/);
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  }
});
