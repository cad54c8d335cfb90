import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { applyFix } from "../features/health/apply-fix.ts";
import { changeEnvFile } from "./edit-env-file.ts";
import { replaceFile } from "./replace-file.ts";

const root = mkdtempSync(join(tmpdir(), "replace-file-"));
after(() => rmSync(root, { recursive: true, force: true }));

/** A folder with settings, and another one with the file that stands behind them. */
function makeFolders(name: string) {
  const [settings, dotfiles] = [join(root, name, "settings"), join(root, name, "dotfiles")];
  for (const folder of [settings, dotfiles]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(dotfiles, "env"), "PROVIDER_CASCADE=old\n", { mode: 0o600 });
  return { settings, dotfiles, file: join(settings, ".env"), behind: join(dotfiles, "env") };
}

const child = `
const { changeEnvFile } = await import(process.argv[1]);
await changeEnvFile(process.argv[2], new Map([["PROVIDER_CASCADE", "new"]])).catch((error) => console.log(error.message));
`;

/**
 * Changes a setting in a process that sees other mounts, and returns what it says; null without bubblewrap.
 */
function changeInside(t: TestContext, file: string, mounts: readonly string[]): string | null {
  const module = import.meta.resolve("./edit-env-file.ts");
  const node = [process.execPath, "--input-type=module", "-e", child, module, file];
  const ran = spawnSync("bwrap", ["--ro-bind", "/", "/", ...mounts, "--cap-drop", "ALL", ...node]);
  if (ran.status === 0) return ran.stdout.toString();
  assert.notEqual(process.env["CI"], "true", `bubblewrap is needed: ${ran.stderr}`);
  t.skip("needs bubblewrap: apt-get install bubblewrap");
  return null;
}

test("settings behind a link are written through it, also where its target is not there yet", async () => {
  const { settings, dotfiles, file, behind } = makeFolders("links");
  symlinkSync("../dotfiles/env", file);
  await changeEnvFile(file, new Map([["PROVIDER_CASCADE", "new"]]));
  assert.equal(readFileSync(behind, "utf8"), "PROVIDER_CASCADE=new\n");
  symlinkSync("../dotfiles/rules", join(settings, "rules.json"));
  replaceFile(join(settings, "rules.json"), "{}");
  assert.equal(readFileSync(join(dotfiles, "rules"), "utf8"), "{}");
  for (const name of [".env", "rules.json"])
    assert.equal(lstatSync(join(settings, name)).isSymbolicLink(), true);
  assert.equal(readlinkSync(file), "../dotfiles/env");
  assert.deepEqual(
    [readdirSync(settings), readdirSync(dotfiles)],
    [
      [".env", "rules.json"],
      ["env", "rules"],
    ],
  );
});

for (const isWritable of [true, false]) {
  const folder = isWritable ? "a folder of its own" : "a folder on a read-only disk";
  test(`settings that are a mount point in ${folder} are written through, and nothing stays beside them`, (t) => {
    const { settings, dotfiles, file, behind } = makeFolders(`mount-${isWritable}`);
    writeFileSync(file, "");
    const mounts = [...(isWritable ? ["--bind", settings, settings] : []), "--bind", behind, file];
    const said = changeInside(t, file, mounts);
    if (said === null) return;
    assert.equal(said, "");
    assert.equal(readFileSync(behind, "utf8"), "PROVIDER_CASCADE=new\n");
    assert.deepEqual([readdirSync(settings), readdirSync(dotfiles)], [[".env"], ["env"]]);
  });
}

test("settings on a read-only disk stay as they are, and the disk is called read-only", (t) => {
  const { dotfiles, behind } = makeFolders("read-only");
  const said = changeInside(t, behind, []);
  if (said === null) return;
  assert.match(said, /env cannot be changed: its disk is read-only\. Mount it writable/);
  assert.equal(readFileSync(behind, "utf8"), "PROVIDER_CASCADE=old\n");
  assert.deepEqual(readdirSync(dotfiles), ["env"]);
});

test("where the folder of the settings is not there either, the disk is called read-only", (t) => {
  const { settings } = makeFolders("no-folder");
  const said = changeInside(t, join(settings, "none", ".env"), []);
  if (said === null) return;
  assert.match(said, /none\/\.env cannot be changed: its disk is read-only\. Mount it writable/);
});

test("the copy of settings that a fix keeps can be read by its owner alone", async () => {
  const { behind } = makeFolders("copy");
  chmodSync(behind, 0o644);
  await applyFix({ kind: "rename-setting", path: behind, from: "PROVIDER_CASCADE", to: "OTHER" });
  assert.equal(statSync(`${behind}.old`).mode & 0o777, 0o600);
  assert.equal(readFileSync(`${behind}.old`, "utf8"), "PROVIDER_CASCADE=old\n");
});
