import { execFile, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The version of the working tree. */
const workingVersion = manifest.version;

/** Runs a program to its end and gives what it printed. Throws with its words where it failed. */
function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} (${status}): ${stdout}${stderr}`);
  return stdout.trim();
}

/** Packs the build of the working tree as npm does, without building it again. */
export function packWorkingTree(folder: string): string {
  const args = ["pack", "--ignore-scripts", "--silent", "--offline", `--pack-destination=${folder}`];
  return join(folder, basename(runProgram("npm", args, { cwd: root })));
}

/**
 * Packs a commit of this repository by `npm pack`, with the Node and the dependencies that it names, and
 * keeps the package for the next time. Null where this clone does not have the commit.
 */
export function packCommit(commit: string): string | null {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) return null;
  const id = stdout.trim();
  const place = join(root, ".passepartout", "versions");
  const kept = join(place, `${id}.tgz`);
  if (existsSync(kept)) return kept;
  const folder = join(place, `new-${id}`);
  const source = join(folder, "source");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  runProgram("git", ["archive", `--output=${join(folder, "source.tar")}`, id], { cwd: root });
  runProgram("tar", ["-xf", join(folder, "source.tar")], { cwd: source });
  runProgram("npm", ["pack", "--silent", `--pack-destination=${folder}`], { cwd: source });
  const made = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (made === undefined) throw new Error(`npm packed nothing of ${id}`);
  renameSync(join(folder, made), kept);
  rmSync(folder, { recursive: true });
  return kept;
}

/** Packs the sources of the working tree with some of them changed, as another version. */
export function packChanged(
  folder: string,
  version: string,
  changes: Readonly<Record<string, (text: string) => string>>,
): string {
  const source = join(folder, `source-${version}`);
  mkdirSync(join(source, ".passepartout"), { recursive: true });
  for (const name of runProgram("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  }).split("\n")) {
    mkdirSync(join(source, dirname(name)), { recursive: true });
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(source, name));
  }
  for (const name of ["node_modules", join(".passepartout", "node")])
    symlinkSync(join(root, name), join(source, name));
  const all = { ...changes, "package.json": named(version), "package-lock.json": named(version) };
  for (const [name, change] of Object.entries(all)) {
    const text = readFileSync(join(source, name), "utf8");
    const changed = change(text);
    if (changed === text) throw new Error(`nothing changed in ${name}`);
    writeFileSync(join(source, name), changed);
  }
  runProgram("npm", ["pack", "--silent", `--pack-destination=${folder}`], { cwd: source });
  rmSync(source, { recursive: true });
  return join(folder, `passepartout-${version}.tgz`);
}

const named = (version: string) => (text: string) =>
  text.replace(`"version": "${workingVersion}"`, `"version": "${version}"`);

/**
 * A package of another version, made of one: all modules have other names, as after a change of the sources,
 * and `edit` may change them. What loads a module of the old package by its name does not find it in this
 * one.
 */
export function makeVersion(
  tarball: string,
  version: string,
  edit: (dist: string) => void = () => undefined,
): string {
  const folder = `${tarball}-${version}`;
  mkdirSync(folder);
  runProgram("tar", ["-xzf", tarball], { cwd: folder });
  const top = join(folder, "package");
  const dist = join(top, "dist");
  const names = readdirSync(dist).filter((name) => /-[\w-]{8}\.js$/.test(name));
  for (const name of readdirSync(dist).filter((each) => each.endsWith(".js"))) {
    const text = readFileSync(join(dist, name), "utf8")
      .replaceAll(/(?<=["'/])[\w.-]+-[\w-]{8}(?=\.js["'])/g, (stem) =>
        names.includes(`${stem}.js`) ? `${stem}${version}` : stem,
      )
      .replaceAll(`"${workingVersion}"`, `"${version}"`);
    writeFileSync(join(dist, name), text);
  }
  for (const name of names) renameSync(join(dist, name), join(dist, name.replace(/\.js$/, `${version}.js`)));
  edit(dist);
  writeManifests(top, version);
  const made = join(folder, `passepartout-${version}.tgz`);
  runProgram("tar", ["-czf", made, "package"], { cwd: folder });
  rmSync(top, { recursive: true });
  return made;
}

function writeManifests(top: string, version: string): void {
  const described = join(top, "dist", "build.json");
  const build = JSON.parse(readFileSync(described, "utf8")) as { files: Record<string, number> };
  const apart = Object.keys(build.files).filter((name) => !name.startsWith("dist"));
  const own = readdirSync(join(top, "dist")).filter((name) => /\.(js|wasm)$/.test(name));
  const files: Record<string, number> = {};
  for (const name of [...own.map((file) => join("dist", file)), ...apart])
    files[name] = statSync(join(top, name)).size;
  const told = { ...build, id: `${version}-made`, version, files };
  writeFileSync(described, JSON.stringify(told));
  const packed = join(top, "package.json");
  writeFileSync(packed, readFileSync(packed, "utf8").replace(`"${workingVersion}"`, `"${version}"`));
}

/**
 * Installs a package into a prefix, as `npm install --global` does: it replaces the whole folder of the one
 * before. Gives the command.
 */
export async function installPackage(
  tarball: string,
  { prefix, home }: { readonly prefix: string; readonly home: string },
): Promise<string> {
  mkdirSync(home, { recursive: true });
  const dropped = /^(npm_|INIT_CWD|NODE_)/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name)));
  const args = ["install", "--global", "--offline", "--silent", `--prefix=${prefix}`, tarball];
  await promisify(execFile)("npm", args, { cwd: home, env: { ...env, HOME: home } });
  return join(prefix, "bin", "passepartout");
}

/**
 * Puts a package in the place of an installed one, as npm does in the end: the whole folder of the one before
 * goes.
 */
export function replacePackage(tarball: string, prefix: string): void {
  const place = join(prefix, "lib", "node_modules", basename(manifest.name));
  const before = `${place}-before`;
  renameSync(place, before);
  mkdirSync(place);
  runProgram("tar", ["-xzf", tarball, "--strip-components=1", "--no-same-owner"], { cwd: place });
  rmSync(before, { recursive: true });
}
