import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { probe } from "../../src/act/tools/shell/sandbox.fixture.ts";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { makeProgramHome } from "../program-home.ts";

const needle = "NEEDLE";
const program = "#!/bin/sh\necho ran\n";

/** A script that prints what it can read of some files, however they are named. */
function reads(paths: readonly string[]): string {
  return `bash -c ':; ${paths.map((path) => `cat "${path}"`).join("; ")}; true'`;
}

test("what is secret by name, closed, a note, a manual, a repository or a socket stays covered in a declared folder at any depth", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, file, shell } = made;
  await file(".tool/bin/tool", program);
  const secrets = [
    ".env",
    "a/b/c/d/.env",
    "x/.npmrc",
    "k.pem",
    "a/plan.org",
    "plan.org_archive",
    "plan.org~",
  ];
  const notes = ["PLAN.ORG", "#plan.org#", "backups/!home!u!plan.org~", "plan.org.~3~", "plan.org.bak"];
  const closed = ["a/b/c/history", "bin/chat", "closed/open"];
  const manuals = ["v1/share/doc/guide.html", "v1/share/gtk-doc/x"];
  for (const path of [...secrets, ...notes, ...closed, ...manuals])
    await file(`.tool/${path}`, `#+FILETAGS: :private:\n${needle}`);
  await chmod(join(home, ".tool/a/b/c/history"), 0o600);
  await chmod(join(home, ".tool/bin/chat"), 0o711);
  await chmod(join(home, ".tool/closed"), 0o700);
  await file(".tool/a/b/plain", "SHOWN");
  execFileSync("git", ["-C", join(home, ".tool/a"), "init", "-q"]);
  await file(".tool/a/.git/COMMIT_EDITMSG", needle);
  execFileSync("git", ["init", "-q", "--bare", join(home, ".tool/bare")]);
  await file(".tool/bare/description", needle);
  const repositories = ["a/.git/COMMIT_EDITMSG", "bare/description"];
  const all = [...secrets, ...notes, ...closed, ...manuals, ...repositories, "a/b/plain"];
  const tool = shell([".tool/bin"], [".tool"]);
  const cmd = reads([...all.map((path) => join(home, ".tool", path)), "$HOME/.tool/.env"]);
  const said = outputOf(await tool.run(cmd));
  assert.match(said, /SHOWN/);
  assert.doesNotMatch(said, new RegExp(needle));
  await chmod(join(home, ".tool/a/b/plain"), 0o600);
  assert.doesNotMatch(outputOf(await tool.run(cmd)), /SHOWN/, "closed later");
  const socket = join(home, ".tool/a/socket");
  const server = createServer((client) => client.on("error", () => undefined).end(needle));
  server.listen(socket);
  await once(server, "listening");
  context.after(() => server.close());
  const connect = probe(`net.connect("${socket}").on("connect", reached).on("error", refused);`);
  assert.match(outputOf(await tool.run(connect)), /TRIED\\nREFUSED/);
});

test("a text of a declared folder that is private by what it holds stays covered, also one that becomes so", async (t) => {
  const world = await makeWorld(t);
  const folder = join(world.home, ".tool");
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin/tool"), program, { mode: 0o755 });
  writeFileSync(join(folder, "diary.md"), `---\ntags: [ "@personal" ]\n---\n${needle} one\n`);
  writeFileSync(join(folder, "plain.txt"), `${needle} two\n`);
  writeFileSync(world.path("show.sh"), `cat ${folder}/*.md ${folder}/*.txt | tr N M\n`);
  const settings = { TRIALS: "true", PROGRAM_FOLDERS: "~/.tool" };
  await using agent = await world.open(settings);
  const talk = await talkTo(agent);
  const show = async (): Promise<string> => {
    world.provider.add(calls(["shell", { cmd: "sh show.sh" }]), { text: "done" });
    return JSON.stringify(named((await talk.say("please show it")).events, "outcome"));
  };
  const said = await show();
  assert.match(said, /MEEDLE two/);
  assert.doesNotMatch(said, /MEEDLE one/);
  writeFileSync(join(folder, "plain.txt"), `#@personal ${needle} two\n`);
  assert.doesNotMatch(await show(), /MEEDLE/);
  writeFileSync(join(folder, "plain.txt"), `#+SETUPFILE: setup.org\n* One\n${needle} three\n`);
  writeFileSync(join(folder, "setup.org"), "#+TITLE: setup\n");
  assert.match(await show(), /MEEDLE three/);
  writeFileSync(join(folder, "setup.org"), "#+FILETAGS: :@personal:\n");
  assert.doesNotMatch(await show(), /MEEDLE/, "by a file that it names");
});

test("settings with a login or a key stay covered in a declared folder, and others are seen", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, file, shell } = made;
  await file(".tool/bin/tool", program);
  const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const closed = {
    "v20/etc/npmrc": "//npm.corp.example/:_authToken=letmein\n",
    "venv/pip.conf": "[global]\nindex-url = https://ada:letmein@pip.corp.example/simple\n",
    "venv/pip.ini": "[global]\nindex-url = https://letmein@pip.corp.example/simple\n",
    ".condarc": "channels:\n  - https://conda.example/t/letmein/main\n",
    ".yarnrc.yml": 'npmAuthToken: "letmein"\n',
    ".cargo/config.toml": '[registry]\ntoken = "letmein"\n',
    "etc/service.conf": `# letmein\napi_key = ${key}\n`,
    "share/app/settings.json": `{"note": "letmein", "apiKey": "${key}"}`,
    "etc/large.ini": `letmein${" ".repeat(1024 * 1024)}`,
  };
  const open = {
    "v22/etc/npmrc": "prefix=/opt/SHOWN1\n",
    "venv2/pip.conf": "[global]\ntimeout = 60\n# SHOWN2\n",
    "lib/setup.cfg": "[metadata]\nname = SHOWN3\n",
  };
  for (const [path, text] of Object.entries({ ...closed, ...open })) await file(`.tool/${path}`, text);
  const tool = shell([".tool/bin"], [".tool"]);
  const paths = [...Object.keys(closed), ...Object.keys(open)].map((path) => join(home, ".tool", path));
  const said = outputOf(await tool.run(reads(paths)));
  assert.doesNotMatch(said, /letmein/);
  assert.match(said, /SHOWN1.*SHOWN2.*SHOWN3/s);
  await file(".tool/v22/etc/npmrc", "prefix=/opt/SHOWN1\n_password=letmein\n");
  for (const path of paths) chmodSync(path, 0o755);
  const later = outputOf(await tool.run(reads(paths)));
  assert.doesNotMatch(
    later,
    /letmein|SHOWN1/,
    "a login came later, and a disk without modes lets all be run",
  );
});

test("links out of a declared folder lead nowhere, and cover nothing of the workspace", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, workspace, file, link, shell } = made;
  await file(".tool/bin/tool", program);
  await file(".ssh/config", needle);
  await file("letters/one.txt", needle);
  await file("memex/diary.org", needle);
  await file("work/site/plan.org", "SHOWN");
  await link(".tool/keys", join(home, ".ssh"));
  await link(".tool/a/keys", "../../.ssh");
  await link(".tool/a/b/letters", "../../../letters");
  await link(".tool/a/up", "../..");
  await link(".tool/a/diary", join(home, "memex/diary.org"));
  await link(".tool/plan.org", join(workspace, "plan.org"));
  const paths = ["keys/config", "a/keys/config", "a/b/letters/one.txt", "a/up/letters/one.txt", "a/diary"];
  const tool = shell([".tool/bin"], [".tool"]);
  const said = outputOf(
    await tool.run(reads([...paths.map((path) => join(home, ".tool", path)), join(workspace, "plan.org")])),
  );
  assert.match(said, /SHOWN/);
  assert.doesNotMatch(said, new RegExp(needle));
});

test("a folder that is too large, gone, closed or no folder of programs is not shown, and the outcome says why", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, file, link, shell } = made;
  await file(".tool/bin/tool", program);
  for (let n = 0; n < 20; n += 1) await file(`.tool/many/${n}`, needle);
  await file("memex/bin/tool", needle);
  await file("letters/one.txt", needle);
  await file(".local/share/app/data", needle);
  await file(".ssh/bin/tool", needle);
  await link(".linked", home);
  await mkdir(join(home, "work/other"), { recursive: true });
  await file("work/other/one.txt", needle);
  const cases: readonly (readonly [declared: string, file: string, why: RegExp])[] = [
    [".tool", ".tool/many/1", /\.tool, and no command sees it: it has too many files/],
    [".gone", ".gone/x", /no such folder/],
    [".", "letters/one.txt", /is or holds your home folder\. Name the folder of one version manager/],
    ["..", "letters/one.txt", /is or holds your home folder/],
    [".linked", "letters/one.txt", /is or holds your home folder/],
    ["memex", "memex/bin/tool", /your notes in /],
    ["memex/bin", "memex/bin/tool", /your notes in /],
    [".local/share", ".local/share/app/data", /many programs and people keep their own in it/],
    [".local/state", ".local/share/app/data", /the agent's own folder/],
    [".ssh/bin", ".ssh/bin/tool", /one of secrets/],
    ["work", "work/other/one.txt", /holds the workspace/],
  ];
  for (const [declared, path, why] of cases) {
    const tool = shell([".tool/bin"], [declared], { mostEntries: 15 });
    const said = outputOf(await tool.run(reads([join(home, path)])));
    assert.doesNotMatch(said, new RegExp(needle), declared);
    assert.match(said, why, declared);
  }
});

test("a declared folder is not written from the sandbox", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, file, shell } = made;
  await file(".tool/bin/tool", `#!/bin/sh\necho x > "\${0%/*}/planted" || echo refused\n`);
  const tool = shell([".tool/bin"], [".tool"]);
  assert.match(outputOf(await tool.run("tool")), /refused/);
  await file(
    "work/site/plant.sh",
    `touch "\${HOME}/.tool/bin/planted" ${home}/.tool/bin/planted || echo refused\n`,
  );
  assert.match(outputOf(await tool.run("sh plant.sh")), /refused/);
  assert.equal(existsSync(join(home, ".tool/bin/planted")), false);
});

test("neither a rule nor an approval for a line with network outlives a change in a declared folder", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, file, link, shell } = made;
  await file(".tool/bin/tool", program);
  await file(".tool/lib/node_modules/a/part", "1");
  await file("work/site/own.sh", "tool\n");
  await file(".dotfiles/code", "1");
  const tool = shell([".tool/bin"], [".tool"]);
  const look = async (cmd: string) => {
    const prepared = await tool.prepare(cmd, ["a.example"]);
    assert.ok(prepared.ok);
    const runs = prepared.effects.filter((effect) => effect.kind === "run-program");
    return { scripts: runs[0]?.scripts ?? null, run: prepared.run };
  };
  const changes: readonly (() => Promise<unknown>)[] = [
    () => file(".tool/lib/node_modules/a/part", "2"),
    () => file(".tool/lib/node_modules/a/new", "1"),
    () => file(".tool/share/data.txt", "1"),
    () => file(".tool/bin/tool", `${program}:\n`),
    () => link(".tool/lib/link", join(home, ".dotfiles/code")),
    () => chmod(join(home, ".tool/share/data.txt"), 0o755),
  ];
  for (const cmd of ["sh own.sh", "tool"]) {
    for (const change of changes) {
      const before = await look(cmd);
      assert.match(before.scripts ?? "", /^[0-9a-f]{64}$/);
      assert.equal((await look(cmd)).scripts, before.scripts, "control: nothing changed");
      if (String(change).includes("link(")) await rm(join(home, ".tool/lib/link"), { force: true });
      await change();
      assert.notEqual((await look(cmd)).scripts, before.scripts, `${cmd}: ${String(change)}`);
      const ran = await before.run(new AbortController().signal);
      assert.ok(ran.status === "error" && ran.code === "file-changed", JSON.stringify(ran));
    }
    await chmod(join(home, ".tool/share/data.txt"), 0o644);
  }
});

test("what text that is not public was written into makes what commands print private", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, file, shell } = made;
  await file(".tool/bin/tool", program);
  const looked: string[] = [];
  const tool = shell([".tool/bin"], [".tool"], {
    labelOfRead: async () => bottomLabel,
    labelOfNames: async ({ path, shows = [] }) => {
      looked.push(`${path} ${shows.join()}`);
      return path === join(home, ".tool") ? { ...bottomLabel, secrecy: "private" } : bottomLabel;
    },
  });
  const prepared = await tool.prepare("tool", ["a.example"]);
  assert.ok(prepared.ok);
  assert.ok(looked.includes(`${join(home, ".tool")} made,changed,repository`));
  assert.equal(prepared.resultLabel?.secrecy, "private");
  assert.equal(prepared.effects.find(({ kind }) => kind === "reach-host")?.label.secrecy, "private");
});

const later = /executed later: programs in \S+ are run by their names/;
const writes: readonly (readonly [tool: string, args: object, isLater: boolean])[] = [
  ["shell", { cmd: "cp own ~/.volta/bin/tool" }, true],
  ["shell", { cmd: "echo x > ~/.volta/bin/tool" }, true],
  ["shell", { cmd: "chmod +x ~/.volta/bin/old" }, true],
  ["shell", { cmd: "cp own ~/.tool/lib/deep/code" }, true],
  ["shell", { cmd: "rm ~/.tool/lib/old" }, true],
  ["shell", { cmd: "mv own ~/.linked/code" }, true],
  ["write-file", { path: "~/.tool/lib/code", content: "x" }, true],
  ["write-file", { path: "~/.volta/bin/tool", content: "x" }, true],
  ["write-file", { path: "held/lib/code", content: "x" }, true],
  ["shell", { cmd: "cp own held/lib/code2" }, true],
  ["shell", { cmd: "rm -r held" }, true],
  ["shell", { cmd: "sh plant.sh" }, true],
  ["shell", { cmd: "rm ~/.linked" }, true],
  ["shell", { cmd: "ln -sfn ~/docs ~/.plink" }, true],
  ["shell", { cmd: "mv ~/.plink2 ~/docs/away" }, true],
  ["shell", { cmd: "cp own ~/docs/tool" }, false],
  ["write-file", { path: "~/docs/tool", content: "x" }, false],
];

test("what is written into a declared folder or a folder of PATH is executed later, and the question says so", async (t) => {
  const world = await makeWorld(t);
  for (const folder of [".volta/bin", ".tool/lib", "docs", "disk/tool"])
    mkdirSync(join(world.home, folder), { recursive: true });
  for (const old of [".volta/bin/old", ".tool/lib/old"]) writeFileSync(join(world.home, old), "x");
  symlinkSync(join(world.home, "disk/tool"), join(world.home, ".linked"));
  mkdirSync(join(world.home, "disk/path/bin"), { recursive: true });
  symlinkSync(".plink2", join(world.home, ".plink"));
  symlinkSync("disk/path", join(world.home, ".plink2"));
  writeFileSync(world.path("own"), "x");
  mkdirSync(world.path("held/lib"), { recursive: true });
  writeFileSync(world.path("held/lib/old"), "x");
  writeFileSync(world.path("plant.sh"), "echo x > held/lib/planted\n");
  const settings = {
    PATH: `${join(world.home, ".volta/bin")}:${join(world.home, ".plink/bin")}:${world.environment["PATH"] ?? ""}`,
    PROGRAM_FOLDERS: `~/.tool:.linked:${world.path("held")}`,
    TRIALS: "true",
    DENIAL_LIMIT: "20",
  };
  await using agent = await world.open(settings);
  for (const [name, args, isLater] of writes) {
    const talk = await talkTo(agent);
    world.provider.add(calls([name, args]), { text: "done" });
    const said = await talk.say("please do it");
    const asked = JSON.stringify(named(said.events, "approval-required"));
    assert.equal(said.end, "approval-required", JSON.stringify(args));
    assert.equal(later.test(asked), isLater, `${JSON.stringify(args)}: ${asked}`);
    await talk.say(`/deny ${talk.token()}`);
  }
});
