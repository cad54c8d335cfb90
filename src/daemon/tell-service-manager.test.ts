import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { tellServiceManager } from "./tell-service-manager.ts";

test("systemd is told that the agent is ready, that it lives, and that it leaves; without systemd nobody is told", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "notify-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "systemd-notify");
  writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> '${folder}/told'\n`);
  chmodSync(program, 0o755);
  const told = (): string =>
    existsSync(join(folder, "told")) ? readFileSync(join(folder, "told"), "utf8") : "";
  const until = async (words: string): Promise<void> => {
    while (!told().includes(words)) await pause(10);
  };
  tellServiceManager({ WATCHDOG_USEC: "30000" }, program)(false);
  tellServiceManager({ NOTIFY_SOCKET: "/run/none" }, join(folder, "missing"))(false);
  const leave = tellServiceManager({ NOTIFY_SOCKET: "@mine", WATCHDOG_USEC: "30000" }, program);
  await until("@mine READY=1\n");
  await until("@mine WATCHDOG=1\n@mine WATCHDOG=1\n");
  leave(false);
  await until("@mine STOPPING=1\n");
  assert.doesNotMatch(told(), /\/run\/none|^ /m);
});
