import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type FilterSetting, type FoundFilters, findFilter, settingsOfFilters } from "./owner-git-filters.ts";

/** What git takes from a person's files of settings. */
export type OwnerSettings = {
  /**
   * Files of settings by their names. The first is `.gitconfig`; it includes the others by their names, each
   * behind a condition.
   */
  readonly files: ReadonlyMap<string, string>;
  /** The folders of other users that the owner calls safe. An empty one takes back those before it. */
  readonly safe: readonly string[];
  /** What git leaves alone in each repository: the lines of a file; null for none. */
  readonly ignored: string | null;
  /** What of it decides how a commit is made and is not taken over, by its key. */
  readonly unfollowed: ReadonlySet<Unfollowed>;
  /** What stands for its filters, whatever the repository: settings as git takes them. */
  readonly filters: readonly FilterSetting[];
  /** Each file that decided it. */
  readonly read: readonly string[];
};

/** A setting of a commit that needs the owner's keys or programs. */
export type Unfollowed = "commit.gpgsign" | "core.hooksPath";

/** Where git looks for the settings of the system and of a person, in its order. */
export function settingsFiles(home: string): readonly string[] {
  return ["/etc/gitconfig", join(home, ".config/git/config"), join(home, ".gitconfig")];
}

/**
 * Reads the owner's settings of git: who commits, and how. What stands behind a condition (`includeIf`) keeps
 * it, so that git decides it for each repository, as it does for the owner. Nothing is taken over that names
 * a program, a file, a host or a key.
 */
export async function readOwnerSettings(home: string): Promise<OwnerSettings> {
  const reading: Reading = {
    home,
    files: new Map(),
    safe: [],
    unfollowed: new Set(),
    filters: new Map(),
    ignoring: null,
    read: [],
  };
  const main = (await Promise.all(settingsFiles(home).map((path) => readEntries(reading, path)))).flat();
  const text = (await textOf(reading, main, 0)) + linesOfFilters(reading.filters);
  const ignoring = reading.ignoring ?? join(home, ".config/git/ignore");
  reading.read.push(ignoring);
  return {
    files: new Map([[".gitconfig", text], ...reading.files]),
    safe: reading.safe,
    ignored: readIgnored(ignoring),
    unfollowed: reading.unfollowed,
    filters: settingsOfFilters(reading.filters),
    read: reading.read,
  };
}

/** What was found so far. */
type Reading = {
  readonly home: string;
  readonly files: Map<string, string>;
  readonly safe: string[];
  readonly unfollowed: Set<Unfollowed>;
  readonly filters: FoundFilters;
  ignoring: string | null;
  readonly read: string[];
};

/** A setting as git prints it, and the file where it stands. */
type Entry = { readonly key: string; readonly value: string; readonly path: string };

const taken = new Set([
  ..."user.name user.email author.name author.email committer.name committer.email".split(" "),
  ..."core.autocrlf core.eol core.safecrlf init.defaultbranch pull.rebase pull.ff push.default".split(" "),
  ..."merge.conflictstyle merge.ff rebase.autosquash rebase.autostash".split(" "),
]);
/** Where the system's own git may be. The workspace and the owner's `PATH` have no say. */
const places = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"];
/** Milliseconds. A file of settings may be a pipe that nobody writes to. */
const patience = 3_000;
/** Files that include each other. */
const deepest = 10;
/** How git writes what is switched off (git-config, "boolean"). */
const isNo = /^(?:false|no|off|0|)$/i;
/** Bytes. */
const mostIgnored = 1_000_000;

/** The settings of one file, in its order; none where git cannot read it. */
async function readEntries({ home, read }: Reading, path: string): Promise<readonly Entry[]> {
  read.push(path);
  const git = places.find((each) => existsSync(each));
  if (git === undefined || !existsSync(path)) return [];
  const found = await promisify(execFile)(git, ["config", "--file", path, "--null", "--list"], {
    cwd: "/",
    env: { HOME: home, PATH: "/usr/bin:/bin", GIT_TERMINAL_PROMPT: "0" },
    timeout: patience,
    killSignal: "SIGKILL",
  }).catch(() => ({ stdout: "" }));
  return found.stdout.split("\0").flatMap((entry): readonly Entry[] => {
    const [, key = "", value] = /^([^\n]+)(?:\n([\s\S]*))?$/.exec(entry) ?? [];
    return key === "" || /[\n\r]/.test(value ?? "") ? [] : [{ key, value: value ?? "true", path }];
  });
}

/** The text of a file with what is taken over of settings and of the files that they include. */
async function textOf(reading: Reading, entries: readonly Entry[], depth: number): Promise<string> {
  let text = "";
  for (const entry of entries) {
    const { key, value, path } = entry;
    const [, condition] = /^includeif\.([^\n\r]+)\.path$/.exec(key) ?? [];
    if (taken.has(key)) text += line(key, value);
    else if (findFilter(reading.filters, key, value)) continue;
    else if (key === "safe.directory") reading.safe.push(pathOf(reading, value, path));
    else if (key === "commit.gpgsign") note(reading.unfollowed, "commit.gpgsign", !isNo.test(value));
    else if (key === "core.hookspath") {
      const hooks = statSync(pathOf(reading, value, path), { throwIfNoEntry: false });
      note(reading.unfollowed, "core.hooksPath", hooks?.isDirectory() === true);
    } else if (key === "core.excludesfile") reading.ignoring = pathOf(reading, value, path);
    else if (depth === deepest) continue;
    else if (key === "include.path")
      text += await textOf(reading, await readEntries(reading, pathOf(reading, value, path)), depth + 1);
    else if (condition !== undefined) text += await conditional(reading, condition, entry, depth);
  }
  return text;
}

/** The last setting of a key counts. */
function note(unfollowed: Set<Unfollowed>, key: Unfollowed, isSet: boolean): void {
  if (isSet) unfollowed.add(key);
  else unfollowed.delete(key);
}

/** A section that includes a file of its own where git finds the condition to be true. */
async function conditional(
  reading: Reading,
  condition: string,
  { value, path }: Entry,
  depth: number,
): Promise<string> {
  // What a file behind a condition calls safe, or ignores, is not taken: nobody here knows the repository.
  const apart: Reading = { ...reading, safe: [], filters: new Map(), ignoring: null };
  const own = await textOf(apart, await readEntries(reading, pathOf(reading, value, path)), depth + 1);
  const text = own + linesOfFilters(apart.filters);
  if (text === "") return "";
  const name = `.gitconfig-${reading.files.size + 1}`;
  reading.files.set(name, text);
  const [, kind = "", place = ""] = /^(gitdir(?:\/i)?:)(.*)$/.exec(condition) ?? [];
  const told = /^(?:~|\.)\//.test(place) ? `${kind}${pathOf(reading, place, path)}` : condition;
  return `[includeIf ${quote(told)}]\n\tpath = ${quote(name)}\n`;
}

function linesOfFilters(filters: FoundFilters): string {
  return settingsOfFilters(filters)
    .map(({ filter, key, value }) => `[filter ${quote(filter)}]\n\t${key} = ${quote(value)}\n`)
    .join("");
}

function line(key: string, value: string): string {
  const [section = "", name = ""] = key.split(".");
  return `[${section}]\n\t${name} = ${quote(value)}\n`;
}

/** A value as it stands in a file of git's settings. */
export function quote(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, "\\$&")}"`;
}

/**
 * A path as git reads it in a file: from the home folder, or from the file's own. A slash at its end counts.
 */
function pathOf({ home }: Reading, written: string, file: string): string {
  if (written === "" || written === "*") return written;
  const whole = written.startsWith("~/") ? join(home, written.slice(2)) : resolve(dirname(file), written);
  return written.endsWith("/") && !whole.endsWith("/") ? `${whole}/` : whole;
}

/**
 * The lines of a file that says what git leaves alone; null where there is none, or one that is no such file.
 */
function readIgnored(path: string): string | null {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile() !== true || status.size > mostIgnored) return null;
  return readFileSync(path, "utf8");
}
