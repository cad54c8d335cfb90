import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { buildsFolderOf, ownBuildsFolder } from "./builds-folder.ts";
import { keepBuild, useInstead } from "./keep-build.ts";

function installation(t: TestContext): { readonly root: string; readonly home: string } {
  const folder = mkdtempSync(join(tmpdir(), "keep-build-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "installed");
  mkdirSync(join(root, "dist"), { recursive: true });
  install(root, "one");
  return { root, home: join(folder, "home") };
}

function install(root: string, id: string, text = id): void {
  rmSync(join(root, "dist", "app.js"), { force: true });
  writeFileSync(join(root, "dist", "app.js"), text);
  const manifest = { id, version: "1.0.0", database: 1, files: { "dist/app.js": text.length } };
  writeFileSync(join(root, "dist", "build.json"), JSON.stringify(manifest));
}

test("the folders of a kept build can be entered by the sandbox of another user, as root over a clone of its owner is one", (t) => {
  const umask = process.umask(0o022);
  t.after(() => process.umask(umask));
  const { root, home } = installation(t);
  const kept = keepBuild(root, { HOME: home });
  assert.ok(kept !== null);
  for (const folder of [kept.folder, dirname(kept.folder), join(kept.folder, "dist")])
    assert.equal(statSync(folder).mode & 0o055, 0o055, folder);
});

/** The home that the system's list of accounts has for this user; null for one that it does not list. */
function homeOfAccount(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}

test("builds are kept below no relative home, and without one where the installation is", (t) => {
  const { root } = installation(t);
  const home = homeOfAccount();
  const account = home === null ? null : join(home, ".local/state/passepartout-builds");
  for (const HOME of ["", "rel", undefined]) assert.equal(ownBuildsFolder({ HOME }), account);
  assert.equal(ownBuildsFolder({ HOME: "/home/ada" }), "/home/ada/.local/state/passepartout-builds");
  assert.equal(ownBuildsFolder({ HOME: "rel", XDG_STATE_HOME: "/s" }), "/s/passepartout-builds");
  // Only root may become a user that the system does not list; another one may be such a user.
  if (process.getuid?.() !== 0) {
    if (home === null) assert.equal(buildsFolderOf(root, {}), join(root, "builds"));
    return;
  }
  const script = `
    import { buildsFolderOf } from ${JSON.stringify(import.meta.resolve("./builds-folder.ts"))};
    process.setuid?.(4260);
    console.log(buildsFolderOf(${JSON.stringify(root)}, {}));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    encoding: "utf8",
    env: {},
  });
  assert.equal(stdout.trim(), join(root, "builds"), stderr);
});

test("what a kill left of a half-made build is removed with the next update, and one that is made now stays", (t) => {
  const { root, home } = installation(t);
  const kept = keepBuild(root, { HOME: home });
  assert.ok(kept !== null);
  const [old, young] = [`${kept.folder}x.123456`, `${kept.folder}y.123457`];
  for (const folder of [old, young]) mkdirSync(folder);
  utimesSync(old, 1, 1);
  install(root, "two");
  assert.ok(keepBuild(root, { HOME: home }) !== null);
  assert.equal(statSync(old, { throwIfNoEntry: false }), undefined);
  assert.ok(statSync(young).isDirectory());
});

/** Starts what is installed, as its command does, and gives all that it printed. */
async function start(
  { root, home }: { readonly root: string; readonly home: string },
  ...args: readonly string[]
): Promise<string> {
  const boot = JSON.stringify(new URL("boot.ts", import.meta.url).href);
  const entry = join(root, "dist", "main.mjs");
  writeFileSync(
    entry,
    `import { runProgram } from ${boot}; await runProgram(import.meta.url, (program) => import(program));`,
  );
  const { promise, resolve } = Promise.withResolvers<string>();
  const options = { env: { HOME: home, PATH: process.env["PATH"] ?? "" } };
  const node = ["--disable-warning=ExperimentalWarning", entry, ...args];
  execFile(process.execPath, node, options, (_fault, out, err) => resolve(out + err));
  return promise;
}

const program = (id: string): string => `console.log("this is ${id}");`;

test("update back uses the build that ran last where the installation is damaged, until another is installed", async (t) => {
  const installed = installation(t);
  const { root } = installed;
  const give = (id: string): void => install(root, id, program(id));
  give("one");
  assert.match(await start(installed), /this is one/);
  give("two");
  writeFileSync(join(root, "dist", "app.js"), "");
  assert.match(
    await start(installed, "ask"),
    /is not whole \(.*install it again.*To use one meanwhile.*update back/,
  );
  assert.match(await start(installed, "update", "back"), /is not whole, so one, .*, is used/);
  assert.match(await start(installed, "ask"), /this is one/);
  writeFileSync(join(root, "dist", "build.json"), "");
  assert.match(await start(installed, "ask"), /this is one/, "also where nothing says what is installed");
  give("two");
  assert.match(await start(installed, "ask"), /this is two/, "the next whole version is used");
});

test("--version names the version that the next start uses, also after going back", async (t) => {
  const installed = installation(t);
  const { root, home } = installed;
  for (const id of ["one", "two"]) {
    install(root, id, program(id));
    assert.match(await start(installed), new RegExp(`this is ${id}`));
  }
  useInstead(root, { HOME: home }, "one");
  for (const args of [[], ["--version"], ["-V"]])
    assert.match(await start(installed, ...args), /this is one/);
  install(root, "three", program("three"));
  for (const args of [["--version"], []]) assert.match(await start(installed, ...args), /this is three/);
});
