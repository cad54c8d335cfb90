import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import type { FirstProcess } from "./first-process.ts";
import { findSecretPrompt } from "./secret-prompt.ts";

const first: FirstProcess = { pid: 7, since: "19" };
const alive = `7 (script) S ${Array.from({ length: 18 }, (_, at) => at + 1).join(" ")} 19`;

/** Processes with one that has terminals, and what `stty` prints of each. */
async function pretend(
  context: TestContext,
  {
    terminals = 1,
    stat = alive,
    says = "echo 'icanon echo'",
  }: { terminals?: number; stat?: string; says?: string } = {},
) {
  const processes = await makeScratchFolder(context);
  const folder = join(processes, "7", "root", "dev", "pts");
  await mkdir(folder, { recursive: true });
  await mkdir(join(processes, "self"));
  await writeFile(join(processes, "7", "stat"), stat);
  await writeFile(join(folder, "ptmx"), "");
  for (let at = 0; at < terminals; at += 1) await writeFile(join(folder, String(at)), "");
  const stty = join(processes, "stty");
  await writeFile(stty, `#!/bin/sh\n${says}\n`);
  await chmod(stty, 0o755);
  return { processes, stty, folder };
}

test("whatever keeps a look for a hidden prompt from being made is a reason to refuse, and is named", async (t) => {
  const cases = [
    [await pretend(t, { terminals: 17 }), /17 terminals/],
    [await pretend(t, { terminals: 0 }), /no terminal/],
    [await pretend(t, { says: "echo 'stty: no such device' >&2; exit 1" }), /no such device/],
    [await pretend(t, { says: "true" }), /no modes/],
    [{ ...(await pretend(t)), stty: "/nowhere/stty" }, /ENOENT.*|coreutils/],
    [{ ...(await pretend(t)), processes: "/nowhere" }, /cannot be seen in \/nowhere/],
  ] as const;
  for (const [looks, reason] of cases) {
    const found = await findSecretPrompt(first, "name? ", looks);
    assert.equal(found.kind, "unknown", String(reason));
    assert.match(found.kind === "unknown" ? found.reason : "", reason);
  }
});

test("one hidden prompt counts among terminals that cannot be read; a terminal or a program that is gone does not", async (t) => {
  const found = (looks: Awaited<ReturnType<typeof pretend>>, row = "") => findSecretPrompt(first, row, looks);
  assert.deepEqual(await found(await pretend(t)), { kind: "none" });
  assert.deepEqual(await found(await pretend(t, { says: "echo 'icanon -echo'" })), { kind: "hidden" });
  const mixed = await pretend(t, {
    terminals: 2,
    says: 'case "$3" in */1) exit 1;; esac; echo "-echo icanon;"',
  });
  assert.deepEqual(await found(mixed), { kind: "hidden" });
  const gone = await pretend(t, { says: 'rm "$3"; exit 1' });
  assert.deepEqual(await found(gone), { kind: "none" });
  assert.deepEqual(await found(await pretend(t, { terminals: 0, stat: alive.replace(" S ", " Z ") })), {
    kind: "none",
  });
});

test("a program that reads key by key is known by the words of its prompt, in many languages", async (t) => {
  const raw = await pretend(t, { says: "echo '-icanon -echo'" });
  for (const row of [
    "Password:",
    "Kennwort: ",
    "пароль > ",
    "请输入密码：",
    "Mot de passe :",
    "PIN:",
    "contrasen\u0303a:",
  ])
    assert.equal((await findSecretPrompt(first, row, raw)).kind, "hidden", row);
  for (const row of [">>> ", "mysql> ", "spinner ", ""])
    assert.equal((await findSecretPrompt(first, row, raw)).kind, "none", row);
});
