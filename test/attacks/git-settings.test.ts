import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { namedByRepository } from "../../src/act/files/git-names.ts";
import { shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { paths } from "../../src/gate/paths.ts";
import { sampleFacts } from "../../src/gate/sample-action.ts";
import { objectsOf, readBlobs } from "../../src/memory/private-text/git-objects.ts";
import type { Effect } from "../../src/signal/effect.ts";
import { canonicalJson } from "../../src/text/json.ts";
import { court } from "./trial-court.ts";

/** A setting or file by which git runs a program, `EVIL` in it. */
type Key = {
  readonly what: string;
  /** Lines of the settings. */
  readonly settings: string;
  /** Other files, from the work tree. */
  readonly files?: Readonly<Record<string, string>>;
  /** What makes git run it. */
  readonly trigger: string;
};

const attributes = { ".gitattributes": "*.txt diff=x filter=x merge=x\n" };
const keys: readonly Key[] = [
  { what: "core.fsmonitor", settings: "[core]\n\tfsmonitor = EVIL", trigger: "git status" },
  { what: "core.hooksPath", settings: "[core]\n\thooksPath = tools", trigger: "git commit -qam x" },
  {
    what: "hooks",
    settings: "",
    files: { ".git/hooks/pre-commit": "#!/bin/sh\nEVIL\n" },
    trigger: "git commit -qam x",
  },
  { what: "core.pager", settings: "[core]\n\tpager = EVIL", trigger: "script -qec 'git log' /dev/null" },
  { what: "core.editor", settings: "[core]\n\teditor = EVIL", trigger: "git commit -a" },
  {
    what: "core.sshCommand and credential.helper",
    settings:
      '[core]\n\tsshCommand = EVIL\n[credential]\n\thelper = "!EVIL"\n[remote "origin"]\n\turl = ssh://a.example/b\n\tfetch = +a:b',
    trigger: "git fetch",
  },
  { what: "diff.external", settings: "[diff]\n\texternal = EVIL", trigger: "git diff" },
  {
    what: "diff.*.textconv",
    settings: '[diff "x"]\n\ttextconv = EVIL',
    files: attributes,
    trigger: "git diff",
  },
  {
    what: "filter.*.clean, smudge and process",
    settings: '[filter "x"]\n\tclean = EVIL\n\tsmudge = EVIL',
    files: attributes,
    trigger: "git add plan.txt",
  },
  {
    what: "gpg.program",
    settings: "[gpg]\n\tprogram = EVIL\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true",
    trigger: "git commit -qam x",
  },
  { what: "alias.*", settings: '[alias]\n\tx = "!EVIL"', trigger: "git x" },
  {
    what: "merge.*.driver",
    settings: '[merge "x"]\n\tdriver = EVIL',
    files: attributes,
    trigger: "git merge -q other",
  },
];

const shows = ["git status --short", "git log -p -3", "git diff"];

/**
 * A repository with something to commit, to merge and to show, and a program in it that leaves a mark beside
 * the workspace, where no sandbox leads.
 */
async function repository(t: TestContext) {
  const made = await court(t);
  if (made === null) return null;
  const { workspace, home } = made;
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: workspace,
      stdio: "pipe",
    });
  git("init", "-q", "--initial-branch=main");
  mkdirSync(join(workspace, "tools"));
  const mark = join(home, "ran");
  const evil = join(workspace, "tools", "pre-commit");
  writeFileSync(evil, `#!/bin/sh\ntouch ${mark}\nexit 0\n`, { mode: 0o755 });
  const write = (text: string) => writeFileSync(join(workspace, "plan.txt"), text);
  write("1\n");
  git("add", "--all");
  git("commit", "-qm", "one");
  git("checkout", "-q", "-b", "other");
  write("2\n");
  git("commit", "-qam", "two");
  git("checkout", "-q", "main");
  write("3\n");
  git("commit", "-qam", "three");
  cpSync(workspace, join(home, "clean"), { recursive: true });
  const fill = (text: string): string => text.replaceAll("EVIL", evil);
  return {
    ...made,
    mark,
    evil,
    fill,
    /** Puts the repository back, with a change that is not committed unless a merge is to run. */
    reset: ({ what }: Key) => {
      rmSync(workspace, { recursive: true });
      cpSync(join(home, "clean"), workspace, { recursive: true, preserveTimestamps: true });
      if (!what.startsWith("merge")) write("4\n");
    },
    set: ({ settings, files = {} }: Key, into = ".git/config") => {
      appendFileSync(join(workspace, into), `${fill(settings)}\n`);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(workspace, name, ".."), { recursive: true });
        writeFileSync(join(workspace, name), fill(text), { mode: 0o755 });
      }
    },
    /** A command line that sets it. */
    lineOf: ({ settings, files = {} }: Key): string =>
      [[".git/config", `${settings}\n`], ...Object.entries(files)]
        .map(
          ([name = "", text = ""]) =>
            `printf '${fill(text).replaceAll("\n", "\\n")}' >> ${name}; chmod 755 ${name}`,
        )
        .join("; "),
    /** Runs a command as the owner would. */
    ownerRuns: (cmd: string) =>
      execFileSync("sh", ["-c", `${cmd} < /dev/null > /dev/null 2>&1 || true`], {
        cwd: workspace,
        env: {
          PATH: process.env["PATH"],
          HOME: home,
          GIT_AUTHOR_NAME: "a",
          GIT_AUTHOR_EMAIL: "a@b",
          GIT_COMMITTER_NAME: "a",
          GIT_COMMITTER_EMAIL: "a@b",
        },
      }),
  };
}

type World = NonNullable<Awaited<ReturnType<typeof repository>>>;

/**
 * Runs all that passes unasked outside of a sandbox: what is proved to only show, and the program's own git.
 */
async function runUnasked({ workspace, mark }: World, where: string): Promise<void> {
  const shell = shellIn(workspace);
  for (const cmd of shows) {
    const prepared = await shell.prepare(cmd);
    assert.ok(prepared.ok, prepared.ok ? "" : `${where}: ${prepared.message}`);
    const [effect] = prepared.effects;
    if (effect?.kind === "run-program" && effect.proof !== null)
      await prepared.run(new AbortController().signal);
    assert.ok(!existsSync(mark), `${where}: ${cmd}`);
  }
  const folder = await objectsOf(workspace);
  assert.ok(folder !== null);
  for await (const _ of readBlobs({ folder, searchPath: "/usr/bin:/bin" }, () => false));
  assert.ok(!existsSync(mark), where);
}

async function planOf({ prepare }: World, cmd: string): Promise<string> {
  const prepared = await prepare(cmd);
  assert.ok(prepared.ok);
  return canonicalJson(prepared.plan);
}

/** Whether keeping effects needs a yes. */
function asks(effects: readonly Effect[], { workspace }: World): boolean {
  const facts = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace } };
  return effects.some((effect) => paths.answer(effect, facts, 0).result === "ask");
}

type Moment = (world: World, key: Key, where: string) => Promise<void>;

const commit = "git commit -qam x";
const settingsOf = ({ workspace }: World): string => readFileSync(join(workspace, ".git/config"), "utf8");

const moments: Readonly<Record<string, Moment>> = {
  "no program that a repository names runs unasked: set before the session": async (world, key, where) => {
    world.set(key);
    await runUnasked(world, where);
    world.ownerRuns(key.trigger);
    assert.ok(existsSync(world.mark), `control: ${where}`);
    rmSync(world.mark);
  },
  "no program that a repository names runs unasked: set between question and yes": async (
    world,
    key,
    where,
  ) => {
    const line = key.trigger === "git status" || key.trigger === "git diff" ? commit : key.trigger;
    const before = await planOf(world, line);
    world.set(key);
    assert.notEqual(await planOf(world, line), before, where);
  },
  "no program that a repository names runs unasked: set in a file that include.path names": async (
    world,
    key,
    where,
  ) => {
    const included = join(world.workspace, "team.conf");
    writeFileSync(included, "");
    appendFileSync(join(world.workspace, ".git/config"), "[include]\n\tpath = ../team.conf\n");
    if (key === keys[0]) {
      const { kept } = await world.attempt(`printf '${world.fill(key.settings)}' > team.conf`);
      assert.ok(asks(kept.effects, world), `${where}: a command writes it`);
      await world.overlays.trials.drop("turn");
    }
    const before = await planOf(world, commit);
    world.set(key, "team.conf");
    const set = await planOf(world, commit);
    assert.notEqual(set, before, where);
    appendFileSync(world.evil, "# another\n");
    assert.notEqual(await planOf(world, commit), set, `${where}: its program`);
    await runUnasked(world, where);
  },
  "no program that a repository names runs unasked: set in the repository of a linked work tree": async (
    world,
    key,
    where,
  ) => {
    const tree = join(world.workspace, "tree");
    execFileSync("git", ["worktree", "add", "-q", tree], { cwd: world.workspace, stdio: "pipe" });
    world.set(key);
    await runUnasked({ ...world, workspace: tree }, where);
    const why = await namedByRepository(join(tree, "tools", "pre-commit"));
    assert.equal(why !== null, key.what === "core.hooksPath", where);
  },
};

test("no program that a repository names runs unasked: set by an earlier command of the line, or by an earlier call", async (t) => {
  const world = await repository(t);
  if (world === null) return;
  // One trial for some of them: the line sets them all, and then runs what makes git run each.
  for (const [at, first] of keys.entries()) {
    if (at % 4 !== 0) continue;
    const some = keys.slice(at, at + 4);
    const where = some.map(({ what }) => what).join(", ");
    world.reset(first);
    const before = settingsOf(world);
    const { kept } = await world.attempt(
      [...some.map(world.lineOf), ...some.map(({ trigger }) => trigger)].join("; "),
    );
    assert.ok(!existsSync(world.mark), where);
    assert.ok(asks(kept.effects, world), `${where}: ${JSON.stringify(kept.effects)}`);
    await world.overlays.trials.drop("turn");
    assert.equal(settingsOf(world), before, where);
    await runUnasked(world, where);
  }
  t.diagnostic(`${keys.length} settings and files`);
});

for (const [moment, check] of Object.entries(moments)) {
  test(moment, async (t) => {
    const world = await repository(t);
    if (world === null) return;
    for (const key of keys) {
      world.reset(key);
      await check(world, key, `${key.what}, ${moment}`);
      assert.ok(!existsSync(world.mark), `${key.what}, ${moment}`);
    }
    t.diagnostic(`${keys.length} settings and files`);
  });
}
