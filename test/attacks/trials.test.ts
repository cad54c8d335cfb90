import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listenAt, probe, victim } from "../../src/act/tools/shell/sandbox.fixture.ts";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";
import { court } from "./trial-court.ts";

const targets = (effects: readonly { readonly kind: string; readonly target: string }[]): readonly string[] =>
  effects.map(({ kind, target }) => `${kind} ${target}`);

test("a hostile program in a trial reaches no file outside, no key, no listener, no other process and no namespace, and leaves the workspace as it was", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { workspace, home, path, attempt } = made;
  writeFileSync(path("file"), "mine");
  writeFileSync(path(".env"), "KEY=canary-key");
  symlinkSync(join(home, "canary"), path("way-out"));
  const other = await victim(context);
  await listenAt(context, { port: 0, host: "127.0.0.1" });
  const before = readdirSync(workspace);
  const script = `
    const tried = (what, act) => { try { act(); console.log("DID " + what); } catch (fault) { console.log("NOT " + what + " " + fault.code); } };
    tried("home", () => fs.appendFileSync("${home}/canary", "dead"));
    tried("link", () => fs.appendFileSync("way-out", "dead"));
    tried("etc", () => fs.writeFileSync("/etc/canary", "x"));
    tried("usr", () => fs.writeFileSync("/usr/canary", "x"));
    tried("key", () => { if (!fs.readFileSync(".env", "utf8").includes("canary")) throw new Error(); });
    tried("unset", () => fs.unlinkSync(".env"));
    tried("kill", () => process.kill(${other.pid}, 9));
    tried("mount", () => child.execFileSync("mount", ["-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" }));
    tried("namespace", () => child.execFileSync("unshare", ["-Ur", "true"], { stdio: "ignore" }));
    tried("device", () => child.execFileSync("mknod", ["disk", "b", "8", "0"], { stdio: "ignore" }));
    tried("file", () => fs.writeFileSync("file", "theirs"));
  `;
  const { said, changed } = await attempt(probe(script));
  assert.deepEqual(
    [...said.matchAll(/DID (\w+)/g)].map(([, what]) => what),
    ["file"],
    said,
  );
  assert.equal(changed, true);
  assert.equal(readFileSync(join(home, "canary"), "utf8"), "alive");
  assert.equal(readFileSync(path("file"), "utf8"), "mine");
  assert.deepEqual(readdirSync(workspace), before);
  assert.equal(other.exitCode, null);
});

test("a folder that becomes a link out of the workspace is named, and what is behind the link stays untouched", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { home, path, attempt } = made;
  mkdirSync(path("d"));
  writeFileSync(path("d/canary"), "mine");
  const { kept } = await attempt(`sh -c "rm -r d; ln -s ${home} d; echo x > made"`);
  const link = kept.effects.find(({ target }) => target === path("d"));
  assert.match(link?.kind === "write-path" ? (link.executedLater ?? "") : "", /link out of the workspace/);
  await kept.run(new AbortController().signal);
  assert.equal(readFileSync(join(home, "canary"), "utf8"), "alive");
  assert.ok(existsSync(path("made")));
});

test("a folder that somebody turns into a link before the changes are kept is not followed", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { home, path, attempt } = made;
  mkdirSync(path("d"));
  const { kept } = await attempt("sh -c 'echo evil > d/canary'");
  execFileSync("mv", [path("d"), path("moved")]);
  symlinkSync(home, path("d"));
  assert.match(
    outputOf(await kept.run(new AbortController().signal)),
    /not there any more, or leads elsewhere|changed by somebody else/,
  );
  assert.equal(readFileSync(join(home, "canary"), "utf8"), "alive");
});

test("secret files, odd names and what is executed later are always named, among however many files", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { path, attempt } = made;
  const { kept, changed } = await attempt(
    `sh -c 'mkdir many; cd many; seq 3000 | xargs touch; echo x > .env; echo x > "a$(printf "\\\\n")b"; printf "#!/bin/sh" > run; chmod +x run; mkdir .vscode; echo {} > .vscode/tasks.json'`,
  );
  assert.equal(changed, true);
  const named = targets(kept.effects);
  assert.ok(named.length < 50, `${named.length} effects`);
  for (const name of [".env", "run", ".vscode/tasks.json"])
    assert.ok(named.includes(`write-path ${path(`many/${name}`)}`), name);
});

test("bombs end within their limits and leave neither processes nor files: forks, memory, a huge file", async (context) => {
  const made = await court(context, { trialMilliseconds: 4_000 });
  if (made === null) return;
  const { workspace, attempt } = made;
  const mark = `${60 + Math.random()}`;
  const forks = await attempt(`sh -c 'for i in $(seq 200); do sleep ${mark} & done; wait'`);
  assert.match(forks.said, /timed-out/);
  const left = execFileSync("sh", ["-c", `cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "; true`], {
    encoding: "utf8",
  });
  assert.ok(!left.replaceAll(/sh -c .*/g, "").includes(`sleep ${mark}`));
  const memory = await attempt(`perl -e '$x = "a" x 6_000_000_000; print "GOT"'`);
  assert.doesNotMatch(memory.said, /GOT/);
  const huge = await attempt("truncate -s 10G huge");
  assert.match(huge.said, /[Ff]ile too large|exitCode":153/);
  assert.deepEqual(
    readdirSync(workspace).filter((name) => statSync(join(workspace, name)).size > 0),
    [],
  );
});
