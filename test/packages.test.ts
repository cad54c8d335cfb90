import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import manifest from "../package.json" with { type: "json" };
import { findOldNode, makeFreshClone, personWith, start } from "./fresh-clone.ts";

const version = `${manifest.version}\n`;
const system = "/usr/bin:/bin";
const oldNode = await findOldNode();
const missing = oldNode === null && process.env["CI"] !== "true";
const skip = missing
  ? "install Node 20 with npm and put it on PATH: set-up and packages are tested under it"
  : false;

const { folder, home, clone } = makeFreshClone({ withInstalled: true });
const path = `${oldNode ?? "no Node older than 24 on PATH"}:${system}`;
const person = personWith(home, path);
after(() => rmSync(folder, { recursive: true }));

/** Installs a package as a person does who has an empty home, Node 20 and no network; gives the command. */
async function install(tarball: string, name: string): Promise<string> {
  const prefix = join(folder, name);
  const empty = join(folder, `${name}-home`);
  mkdirSync(empty);
  const args = ["install", "--global", "--offline", `--prefix=${prefix}`, tarball];
  const { code, stderr } = await start("npm", args, { cwd: empty, env: personWith(empty, path) }).ended;
  assert.equal(code, 0, stderr);
  return join(prefix, "bin", "passepartout");
}

test("the full package runs under Node 20 in an empty home without a network", { skip }, async () => {
  const packed = await start("npm", ["run", "--silent", "pack:full", "--", folder], {
    cwd: clone,
    // Most of the time goes into packing Node as small as possible, which proves nothing.
    env: { ...person, GZIP: "-1" },
  }).ended;
  assert.equal(packed.code, 0, packed.stderr);
  const command = await install(packed.stdout.trim(), "full");
  const { ended } = start(command, ["--version"], { cwd: home, env: personWith(home, path) });
  assert.deepEqual(await ended, { code: 0, stdout: version, stderr: "" });
});

test("the package uses the Node that it is told or finds, and else says in one sentence how to get it", {
  skip,
}, async () => {
  // The full package was made from a build, which is the one of this package.
  const isBuilt = existsSync(join(clone, "dist", "main.js"));
  const args = ["pack", `--pack-destination=${folder}`, ...(isBuilt ? ["--ignore-scripts"] : [])];
  const packed = await start("npm", args, { cwd: clone, env: person }).ended;
  assert.equal(packed.code, 0, packed.stderr);
  const command = await install(join(folder, `passepartout-${manifest.version}.tgz`), "plain");
  const run = (env: NodeJS.ProcessEnv) =>
    start(command, ["--version"], { cwd: home, env: { ...personWith(home, path), ...env } }).ended;
  const works = { code: 0, stdout: version, stderr: "" };
  assert.deepEqual(await run({ PASSEPARTOUT_NODE: process.execPath }), works);
  assert.deepEqual(await run({ PATH: `${dirname(process.execPath)}:${path}` }), works);
  const bare = join(folder, "no-node");
  mkdirSync(bare);
  symlinkSync("/usr/bin/readlink", join(bare, "readlink"));
  for (const env of [{}, { PATH: bare }, { PASSEPARTOUT_NODE: join(bare, "gone") }]) {
    const { code, stdout, stderr } = await run(env);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /^passepartout: needs Node 24 or newer, and .* is (v\d+\.\d+\.\d+|missing): [^\n]*PASSEPARTOUT_NODE[^\n]*\.\n$/,
    );
  }
});

test("the package holds the build and its dependencies, no source, no test and no Node", {
  skip,
}, async () => {
  const listed = await start("tar", ["-tzf", join(folder, `passepartout-${manifest.version}.tgz`)], {
    cwd: folder,
    env: person,
  }).ended;
  const own = listed.stdout.split("\n").filter((file) => file !== "" && !file.includes("/node_modules/"));
  const expected =
    /^package\/(package\.json|README\.md|CHANGELOG\.md|LICENSE|bin\/passepartout|dist\/[\w-]+\.(js|json|wasm|LICENSE|1)|dist\/emacs\/[\w-]+\.el)$/;
  assert.deepEqual(
    own.filter((file) => !expected.test(file)),
    [],
  );
  assert.ok(own.includes("package/dist/tree-sitter-bash.wasm"));
  assert.ok(own.includes("package/dist/libraries.LICENSE"));
  assert.ok(own.includes("package/dist/passepartout.1"));
  assert.ok(own.includes("package/dist/emacs/passepartout.el"));
  const unwanted =
    /node_modules\/(typescript|rolldown|@biomejs|tree-sitter-bash|fast-check|knip|oxlint|zod|@ai-sdk)\//;
  assert.doesNotMatch(listed.stdout, unwanted);
});
