import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { cage } from "./sandbox.fixture.ts";
import { outputOf, sandboxFor, shellIn } from "./shell.fixture.ts";

test("what no command can change outside of the workspace is not asked, and the words say what the owner can do", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, elsewhere, workspace } = made;
  const secrets = join(elsewhere, "secrets");
  mkdirSync(secrets);
  for (const path of [join(secrets, ".env"), join(workspace, "own")]) writeFileSync(path, "words");
  for (const [cmd, why] of [
    ["git config --global user.name somebody", "a home folder of its own"],
    ["git config set --global user.name somebody", "a home folder of its own"],
    ["cp own /usr/local/own", "a folder of the system"],
    ["cp own /own", "a folder of the system"],
    ["mv own /run/own", "a folder of the system"],
    [`cp -r ${secrets} ${elsewhere}/copy && mv ${secrets} ${elsewhere}/moved`, "commands may not see"],
    [`mv ${elsewhere} ${elsewhere}-moved`, "commands may not see"],
    [`mv ${dirname(workspace)} ${dirname(workspace)}-moved`, "holds"],
  ] as const) {
    const prepared = await inside.prepare(cmd);
    assert.ok(!prepared.ok, cmd);
    assert.equal(prepared.code, "outside-workspace", cmd);
    assert.match(
      prepared.message,
      /cannot change .*write-file.*a terminal of their own\. Nothing was run\.$/,
    );
    assert.ok(prepared.message.includes(why), `${cmd}: ${prepared.message}`);
  }
  const { effects } = await inside.prepare("git config user.name somebody").then((found) => {
    assert.ok(found.ok);
    return found;
  });
  assert.ok(effects.some(({ target }) => target === join(workspace, ".git")));
});

test("a command of a line sees a file outside of the workspace that an earlier one of the line wrote", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const path = join(made.elsewhere, "made");
  const said = outputOf(await made.inside.run(`sh -c "echo words > ${path}; cat ${path}"`));
  assert.match(said, /"stdout":"words\\n".*"exitCode":0/);
  assert.equal(readFileSync(path, "utf8"), "words\n");
});

test("a line moves something to where the sandbox has a folder of its own, once the owner said yes", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, workspace } = made;
  const own = mkdtempSync(join(tmpdir(), "there-"));
  const name = `left-${basename(own)}`;
  const moved = [`/dev/shm/${name}`, `/tmp/${name}`, `/tmp/${name}-copy`];
  t.after(() => {
    for (const path of [own, ...moved]) rmSync(path, { recursive: true, force: true });
  });
  mkdirSync(join(workspace, "folder"));
  writeFileSync(join(workspace, "folder/other"), "others");
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const isMounted =
    process.getuid?.() !== 0 && mounts.some((line) => line.split(" ")[4]?.startsWith("/tmp/"));
  for (const [cmd, from, to] of [
    [`mv ${name} /dev/shm/${name}`, name, moved[0]],
    [`mv ${name} /tmp/${name}`, name, moved[1]],
    [`cp ${name} /tmp/${name}-copy && rm ${name}`, name, moved[2]],
    [`mv folder ${own}/`, "folder", join(own, "folder")],
  ] as const) {
    writeFileSync(join(workspace, name), "words");
    const said = outputOf(await inside.run(cmd));
    if (isMounted && to?.startsWith("/tmp/left")) {
      assert.match(
        said,
        /^outside-workspace: .*another file system is mounted in \/tmp, at .*Nothing was run\.$/,
      );
      continue;
    }
    assert.match(said, /"exitCode":0/, `${cmd}: ${said}`);
    assert.ok(!existsSync(join(workspace, from)) && existsSync(to ?? ""), cmd);
  }
  assert.match(outputOf(await inside.run(`cp ${name} /dev/null`)), /"exitCode":0/);
});

test("where there is no copy of the workspace, a line that would move something out of it does not run", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { workspace } = made;
  const sandbox = await sandboxFor(t);
  writeFileSync(join(workspace, "own"), "words");
  const said = outputOf(await shellIn(workspace, { sandbox }).run("mv own /dev/shm/own-of-nobody"));
  assert.match(said, /^outside-workspace: .*Nothing was run\.$/);
  assert.equal(readFileSync(join(workspace, "own"), "utf8"), "words");
});

test("a file that a program of its own moves to a folder of the sandbox stays, and what it needs there for a time does not count", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, workspace } = made;
  const name = `left-${basename(made.workspace)}-${process.pid}`;
  writeFileSync(join(workspace, name), "words");
  mkdirSync(join(workspace, "folder"));
  writeFileSync(join(workspace, "folder/other"), "others");
  const script = (code: string) => `${process.execPath} -e '${code}'`;
  const read = `const { cpSync, rmSync, renameSync } = require("fs"), to = ["", "tmp", "n-"].join("/")`;
  for (const cmd of [
    script(
      `${read}; cpSync("folder", to, { recursive: true, preserveTimestamps: true }); rmSync("folder", { recursive: true })`,
    ),
    script(`${read}; cpSync("${name}", to.slice(0, -2) + "${name}"); rmSync("${name}")`),
  ]) {
    assert.match(outputOf(await inside.run(cmd)), /^outside-workspace: .*was kept/, cmd);
    assert.ok(existsSync(join(workspace, name)) && existsSync(join(workspace, "folder/other")), cmd);
  }
  const moved = script(`${read}; cpSync("${name}", to + "k"); renameSync("${name}", "moved")`);
  assert.match(outputOf(await inside.run(moved)), /"exitCode":0/);
  assert.ok(existsSync(join(workspace, "moved")));
});

test("what a program leaves where the sandbox has a folder of its own, and its words name, is a failure that names it, and where the line deletes what it names nothing is kept; a temporary file is not told", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, workspace } = made;
  const name = `left-${basename(workspace)}-${process.pid}`;
  mkdirSync(join(workspace, "docs"));
  writeFileSync(join(workspace, "docs/one"), "words");
  writeFileSync(join(workspace, "shx"), "a cache");
  const node = (code: string): string => `${process.execPath} -e '${code}'`;
  for (const [cmd, path] of [
    [`tar cf /tmp/${name} docs`, `/tmp/${name}`],
    [`split docs/one /dev/shm/${name}`, `/dev/shm/${name}aa`],
    [`sh -c 'D=docs; tar cf /tmp/${name} $D; rm $(printf sh)x'`, `/tmp/${name}`],
    [`sh -c 'D=docs; tar cf /tmp/${name}-$(date +%Y).tar docs; ls -l /tmp'`, `/tmp/${name}-`],
    [node(`require("fs").writeFileSync("/tmp/${name}", "a"); require("fs").writeFileSync("b", "b")`), name],
  ] as const) {
    const said = outputOf(await inside.run(cmd));
    assert.match(
      said,
      /^outside-workspace: [^"]*(?:is|are) gone: the sandbox has folders of its own there.*What the line changed in the workspace stands/s,
      cmd,
    );
    assert.ok(said.includes(path), said);
  }
  assert.ok(existsSync(join(workspace, "b")));
  if (workspace.startsWith("/tmp/"))
    for (const cmd of [
      `tar cf ../${name}-b docs`,
      `cd .. && echo hi > ${name}-b`,
      `sh -c 'D=docs; cd .. && ls > ${name}-b'`,
    ])
      assert.match(outputOf(await inside.run(cmd)), /^outside-workspace: /, cmd);
  for (const cmd of [
    `tar cf /tmp/${name} docs && rm -r docs`,
    `sh -c 'D=docs; tar cf /tmp/${name} $D && ls -l /tmp/${name} && rm -r $D'`,
    `sh -c 'D=docs; tar cf ~/${name} $D'`,
    `sh -c 'D=docs; tar cf $HOME/${name} $D && mv docs/one two'`,
  ]) {
    assert.match(outputOf(await inside.run(cmd)), /^outside-workspace: .*(?:was kept|Nothing was run)/s, cmd);
    assert.ok(existsSync(join(workspace, "docs/one")), cmd);
  }
  for (const cmd of [
    `sh -c 'D=docs; if ! cat $D/one >/tmp/${name} 2>&1; then cat /tmp/${name}; fi; rm -f b'`,
    `sh -c 'D=docs; sort docs/one > /tmp/${name}; sleep 0.1; uniq /tmp/${name} > c'`,
    node(
      `const fs = require("fs"), x = "/tmp/${name}"; fs.writeFileSync(x, "a"); fs.cpSync("/tmp/${name}", "d")`,
    ),
    `sh -c 'D=docs; T=$(mktemp) && echo a > $T && mktemp -d > e'`,
    `sh -c 'D=docs; mkdir /tmp/${name}; echo a > /tmp/${name}/a; echo b > /tmp/${name}/b; sleep 0.1; cat /tmp/${name}/a'`,
    `sh -c 'D=docs; echo docs/one > /tmp/${name}; sleep 0.1; xargs rm < /tmp/${name}'`,
  ]) {
    const said = outputOf(await inside.run(cmd));
    assert.match(said, /"exitCode":0/, cmd);
    assert.doesNotMatch(said, /gone/, cmd);
  }
  assert.ok(!existsSync(join(workspace, "docs/one")));
});
