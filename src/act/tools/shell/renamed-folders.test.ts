import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type TestContext, test } from "node:test";
import { court } from "../../../../test/attacks/trial-court.ts";
import type { Effect } from "../../../signal/effect.ts";
import type { CommandPlan } from "../../shell/plan.ts";
import { saysRefusedRename } from "../../shell/refused-renames.ts";
import { TerminalProcess } from "../../shell/terminal-process.ts";
import { openTerminals } from "../../shell/terminals.ts";
import { RenameRuns } from "./rename-runs.ts";
import { outputOf } from "./shell.fixture.ts";

const cancel = new AbortController().signal;

/** A line that does what it is given in Perl, whose `rename` is the system call. */
const perl = (script: string): string => `perl -e 'sub rn { rename $_[0], $_[1] or die "no: $!" } ${script}'`;

/** A court with files in its workspace. */
async function courtWith(context: TestContext, files: Readonly<Record<string, string>>) {
  const made = await court(context);
  for (const [name, text] of Object.entries(made === null ? {} : files)) {
    mkdirSync(dirname(made?.path(name) ?? ""), { recursive: true });
    writeFileSync(made?.path(name) ?? "", text);
  }
  return made;
}

function changesOf(effects: readonly Effect[]): readonly string[] {
  return effects.map((effect) => JSON.stringify({ ...effect, label: null })).sort();
}

test("a tried command renames a folder that was there: it is judged as mv is, kept, and undone", async (context) => {
  const made = await courtWith(context, {
    "src/a": "mine",
    "src/deep/b": "deep",
    "src/deep/.git/config": "",
    "other/c": "other",
  });
  if (made === null) return;
  const tried = await made.attempt(perl('rn("src", "lib"); print "DONE"'));
  assert.match(tried.said, /DONE/);
  assert.doesNotMatch(tried.said, /renamed a folder/);
  assert.ok(existsSync(made.path("src/a")));
  const moved = await made.attempt("sh -c 'mv src lib'");
  assert.ok(changesOf(moved.kept.effects).length > 0);
  assert.deepEqual(changesOf(tried.kept.effects), changesOf(moved.kept.effects));
  const again = await made.attempt(perl('rn("src", "lib"); print "DONE"'));
  assert.equal((await again.kept.run(cancel)).status, "success");
  assert.deepEqual(readdirSync(made.workspace).sort(), ["lib", "other"]);
  assert.equal(readFileSync(made.path("lib/deep/b"), "utf8"), "deep");
  assert.deepEqual(await made.undo(), []);
  assert.deepEqual(readdirSync(made.workspace).sort(), ["other", "src"]);
  assert.equal(readFileSync(made.path("src/deep/b"), "utf8"), "deep");
});

test("an approved command renames a folder, also with git, and what its first run changed is given up", async (context) => {
  const made = await courtWith(context, { "src/a": "mine", "src/deep/b": "deep", log: "" });
  if (made === null) return;
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=u", "-c", "user.email=u@localhost", ...words], {
      cwd: made.workspace,
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  assert.match(outputOf(await made.approve("git mv src lib")), /"exitCode":0/);
  assert.match(git("status", "--porcelain"), /^R {2}src\/a -> lib\/a\nR {2}src\/deep\/b -> lib\/deep\/b\n$/);
  assert.deepEqual(await made.undo(), []);
  assert.equal(git("status", "--porcelain"), "");
  const line = perl('open F, ">>", "log"; print F "ran\\n"; close F; rn("src", "lib")');
  assert.match(outputOf(await made.approve(line)), /"exitCode":0/);
  assert.equal(readFileSync(made.path("log"), "utf8"), "ran\n");
  assert.deepEqual(readdirSync(made.workspace).sort(), [".git", "lib", "log"]);
});

test("folders that are renamed and renamed back, as by a package manager, are no change", async (context) => {
  const made = await courtWith(context, { "node_modules/one/a.js": "1", "node_modules/two/b.js": "2" });
  if (made === null) return;
  const back = await made.attempt(
    perl(
      'for (qw(one two)) { rn("node_modules/$_", "node_modules/.$_-x"); rn("node_modules/.$_-x", "node_modules/$_") } print "DONE"',
    ),
  );
  assert.match(back.said, /DONE/);
  assert.equal(back.changed, false);
});

test("a folder with a secret file stays where it is and the file unread, whatever beside it is renamed", async (context) => {
  const made = await courtWith(context, { "src/.env": "KEY=hidden-words", "src/sub/a": "mine", "x/b": "b" });
  if (made === null) return;
  const refused = await made.attempt(perl('rn("x", "y"); system "cat src/.env"; rn("src", "lib")'));
  assert.match(refused.said, /no: Invalid cross-device link/);
  assert.match(refused.said, /all but those with a secret file/);
  assert.match(refused.said, /Use mv/);
  assert.doesNotMatch(refused.said, /hidden-words/);
  const { said } = await made.attempt(
    perl('rn("src/sub", "lib"); system "cat src/.env lib/a"; print "DONE"'),
  );
  assert.match(said, /mine.*DONE/s);
  assert.doesNotMatch(said, /hidden-words/);
});

test("words about such a rename that are not true cost time alone", async (context) => {
  const made = await courtWith(context, { "src/a": "mine", log: "" });
  if (made === null) return;
  const line = "sh -c 'echo ran >> log; echo EXDEV >&2; exit 3'";
  assert.match(outputOf(await made.approve(line)), /"exitCode":3/);
  assert.equal(readFileSync(made.path("log"), "utf8"), "ran\n");
  const elsewhere = await made.attempt(perl('$d = join "/", "", "tmp", "d"; mkdir $d; rn($d, "d")'));
  assert.match(elsewhere.said, /such as from \/tmp into the workspace/);
});

test("only what a program says of a refused rename counts, and of one that succeeded only the whole words", () => {
  const says = (exitCode: number, stdout: string, stderr = ""): boolean =>
    saysRefusedRename({ status: "success", content: { exitCode, stdout, stderr } });
  assert.ok(says(1, "", "rename src lib: invalid cross-device link"));
  assert.ok(says(0, "OSError: [Errno 18] Invalid cross-device link: 'src' -> 'lib'"));
  assert.ok(says(0, "Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'"));
  assert.ok(!says(0, "ok 1 - EXDEV is handled"));
  assert.ok(!says(1, "failed"));
  assert.ok(!saysRefusedRename({ status: "error", code: "timed-out", message: "EXDEV" }));
});

test("a line that reached a host, or that a person typed to, never runs again", async (context) => {
  const made = await courtWith(context, { "src/a": "mine" });
  if (made === null) return;
  const { overlays, workspace } = made;
  const line = { overlays, workspace, cwd: workspace, cmd: "x src", cancel };
  const planTo = (network: readonly string[]) => [{ commands: [{ network }] }] as unknown as CommandPlan;
  const refused = { exitCode: 1, stdout: "", stderr: "Invalid cross-device link" };
  const next = (runs: RenameRuns) => runs.next({ status: "success", content: refused });
  assert.equal(await next(new RenameRuns({ ...line, plan: planTo(["host"]) })), null);
  const terminal = new TerminalProcess(openTerminals().limits);
  assert.equal(await next(new RenameRuns({ ...line, plan: planTo([]), terminal })), null);
  const again = await next(new RenameRuns({ ...line, plan: planTo([]) }));
  assert.deepEqual(again?.copied?.folders, [made.path("src")]);
  await again?.[Symbol.asyncDispose]();
});
