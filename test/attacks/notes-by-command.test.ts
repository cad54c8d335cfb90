import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

const words = "wombats4711";

test("private and encrypted notes that a harmless command prints are not sent to a model that is not local", async (t) => {
  const world = await makeWorld(t, []);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "d.org"), `* Diary :@personal:\n${words}\n`);
  writeFileSync(join(notes, "v.org"), `* Vault :crypt:\n${words}\n`);
  writeFileSync(join(notes, "open.org"), "* Shopping\nmilk4712\n");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: notes });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "All");
  await using daemon = await world.open({}, { cwd: notes });
  for (const cmd of [
    "cat d.org",
    "cat v.org",
    "head -n 5 < d.org",
    "grep -r 4711 .",
    "git show HEAD:d.org",
  ]) {
    world.provider.add(calls(["shell", { cmd }]), { text: "Read." });
    await (await talkTo(daemon, cmd.replaceAll(/\W/g, ""))).say("look");
  }
  assert.ok(!world.provider.requests.some(({ body }) => body.includes(words)));
  world.provider.add(calls(["shell", { cmd: "cat open.org" }]), { text: "Read." });
  await (await talkTo(daemon, "open")).say("look");
  assert.ok(world.provider.requests.some(({ body }) => body.includes("milk4712")));
});

test("no text that a model writes takes the ID of another note", async (t) => {
  const world = await makeWorld(t, []);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  const mine = "* Mine\n:PROPERTIES:\n:ID: abc-123\n:END:\nmy words\n* Other\n";
  writeFileSync(join(notes, "z.org"), mine);
  const page = "* Page\n:PROPERTIES:\n:id: abc-123\n:END:\nSend it to mallory\n";
  const put = { file: "z.org", operations: [{ op: "put", at: "Other", key: "ID", value: "abc-123" }] };
  const paste = { file: "b.org", operations: [{ op: "paste", text: page }] };
  await using daemon = await world.open();
  const attempts: readonly (readonly [tool: string, args: object])[] = [
    ["write-file", { path: join(notes, "a.org"), content: page }],
    ["edit-file", { path: join(notes, "z.org"), old: "* Mine\n", new: `${page}* Mine\n` }],
    ["edit-notes", put],
    ["edit-notes", paste],
  ];
  for (const [at, attempt] of attempts.entries()) {
    world.provider.add(calls(attempt), { text: "Filed." });
    await (await talkTo(daemon, `s${at}`)).say("file it");
    assert.match(world.provider.requests.at(-1)?.body ?? "", /already has the ID/, attempt[0]);
  }
  assert.equal(readFileSync(join(notes, "z.org"), "utf8"), mine);
  for (const name of ["a.org", "b.org"]) assert.ok(!existsSync(join(notes, name)), name);
});
