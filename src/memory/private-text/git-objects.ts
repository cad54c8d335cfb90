import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { systemPath } from "../../text/system-programs.ts";

/** A text of a repository's history: a blob, or a commit or tag with its message. */
export type HistoryBlob = { readonly id: string; readonly bytes: Buffer };

/** A repository whose history is read by the system's own git. */
export type Repository = {
  /** The folder of its objects. */
  readonly folder: string;
  /** Where commands find their git: where they have one that the system has not, the history is not known. */
  readonly searchPath: string;
  /** Where the system's git is looked up; other folders in tests. */
  readonly programs?: string;
  /** How long git may take. */
  readonly seconds?: number;
  /** Ends git. Default: nothing does. */
  readonly cancel?: AbortSignal;
};

/** A repository with more objects than this is looked through by the names of its files, since its programs would take too long to read. */
export const mostObjects = 50_000;
/** The largest blob that is read, in bytes. */
const maxBytes = 2_097_152;
/** The names of notes, backups included. */
const noteNames = ["*.org", "*.org_archive", "*.org~", "*.org.bak", "*.org.orig", "*.ORG"];

/**
 * Seconds. The settings of a repository may name a pipe, for which git would wait for ever, also when this
 * process is gone: a program of the system ends it.
 */
const longest = 120;
const limiter = "/usr/bin/timeout";

/** Git without settings of others, and without the network: an object that is missing here is not fetched. */
const options = "--no-pager -c protocol.allow=never -c core.hooksPath=/dev/null -c core.fsmonitor=false";

/** The folder with the objects of the nearest repository at or above a folder; null without one. */
export async function findObjects(folder: string): Promise<string | null> {
  for (let above = folder; ; above = dirname(above)) {
    const objects = await objectsOf(above);
    if (objects !== null) return objects;
    if (above === dirname(above)) return null;
  }
}

/** The folder with the objects of the repository whose work tree, or which itself, a folder is; null for any other. */
export async function objectsOf(folder: string): Promise<string | null> {
  const git = (await readGitFile(join(folder, ".git"))) ?? ((await isRepository(folder)) ? folder : null);
  if (git === null) return null;
  const common = await readText(join(git, "commondir"));
  return common === null ? git : resolve(git, common.trim());
}

/** What changes when objects are added to a repository. */
export async function stampOfObjects(repository: string): Promise<string> {
  const objects = join(repository, "objects");
  const names = await readdir(objects).catch(() => []);
  const times = names.toSorted().map(async (name) => {
    const status = await stat(join(objects, name), { bigint: true }).catch(() => null);
    // Anybody can set the time of a change back, and nobody this one.
    return `${name} ${status?.ctimeNs ?? ""}`;
  });
  return (await Promise.all(times)).join("\n");
}

/**
 * The blobs, commits and tags of a repository, also those that no branch holds any more, without those that
 * were seen. `unread` is told where git cannot read an object: its file may become whole later.
 */
export async function* readBlobs(
  repository: Repository,
  isSeen: (id: string) => boolean,
  unread?: () => void,
): AsyncGenerator<HistoryBlob> {
  const lines = await listObjectsByGit(repository).catch(nothingWithoutGit(repository));
  if (lines.some(isMissing)) unread?.();
  const ids = blobsIn(lines).filter((id) => !isSeen(id));
  if (ids.length === 0) return;
  const reader = git(repository, ["cat-file", "--batch"], "pipe");
  reader.stdin?.on("error", () => undefined);
  reader.stdin?.end(`${ids.join("\n")}\n`);
  let read = 0;
  for await (const blob of parseBatch(reader)) {
    read += 1;
    yield blob;
  }
  if (read < ids.length) unread?.();
}

/** Whether `cat-file` says in a line that it cannot read an object. */
export function isMissing(line: string): boolean {
  return line.endsWith(" missing");
}

async function listObjectsByGit(repository: Repository): Promise<readonly string[]> {
  const counts = (await linesOf(git(repository, ["count-objects", "-v"]))).flatMap((line) => {
    const [, count] = /^(?:count|in-pack): (\d+)/.exec(line) ?? [];
    return count === undefined ? [] : [Number(count)];
  });
  const check = ["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"];
  if (counts.reduce((sum, count) => sum + count, 0) <= mostObjects)
    return linesOf(git(repository, [...check, "--batch-all-objects"]));
  const named = await linesOf(
    git(repository, ["rev-list", "--objects", "--all", "--reflog", "--", ...noteNames]),
  );
  const checker = git(repository, check, "pipe");
  checker.stdin?.on("error", () => undefined);
  checker.stdin?.end(named.map((line) => `${line.split(" ", 1)[0]}\n`).join(""));
  return linesOf(checker);
}

/** Where git is not installed, no command prints what it keeps. */
function nothingWithoutGit({ searchPath }: Repository): (error: unknown) => readonly string[] {
  return (error) => {
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isGone || isFound("git", searchPath)) throw error;
    return [];
  };
}

function isFound(program: string, searchPath: string): boolean {
  const folders = searchPath.split(":").filter(isAbsolute);
  return folders.some((folder) => existsSync(join(folder, program)));
}

function blobsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const [id = "", type, size] = line.split(" ");
    return type !== "tree" && Number(size) <= maxBytes ? [id] : [];
  });
}

/** Starts the system's git in a repository. */
export function git(
  { folder, programs = systemPath, seconds = longest, cancel }: Repository,
  args: readonly string[],
  input: "pipe" | "ignore" = "ignore",
): ChildProcess {
  const words = ["git", ...options.split(" "), `--git-dir=${folder}`, ...args];
  const [program = "git", ...rest] = existsSync(limiter)
    ? [limiter, "--kill-after=5", String(seconds), ...words]
    : words;
  return spawn(program, rest, {
    timeout: (seconds + 5) * 1000,
    ...(cancel === undefined ? {} : { signal: cancel }),
    stdio: [input, "pipe", "ignore"],
    env: {
      PATH: programs,
      // Without one, git fails at a setting that begins with `~/`. Below this one nothing is.
      HOME: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_NO_LAZY_FETCH: "1",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_TERMINAL_PROMPT: "0",
      LC_ALL: "C",
    },
  });
}

/** What a program prints, by lines. Throws where it cannot be run or fails. */
export async function linesOf(child: ChildProcess): Promise<readonly string[]> {
  const ended = once(child, "close");
  ended.catch(() => undefined);
  const lines: string[] = [];
  if (child.stdout !== null) for await (const line of createInterface(child.stdout)) lines.push(line);
  await ended;
  checkSuccess(child);
  return lines;
}

/**
 * Reads what `cat-file --batch` prints: for each object a line with its id, type and size, its bytes, and a
 * line feed. Leaves out what it cannot read.
 */
export async function* parseBatch(child: ChildProcess): AsyncGenerator<HistoryBlob> {
  const ended = once(child, "close");
  ended.catch(() => undefined);
  let held: Buffer[] = [];
  let [length, needed] = [0, 0];
  for await (const chunk of child.stdout ?? []) {
    const piece: unknown = chunk;
    if (!Buffer.isBuffer(piece)) continue;
    held.push(piece);
    length += piece.length;
    if (length < needed) continue;
    let bytes = Buffer.concat(held);
    let next = headerIn(bytes);
    for (; next !== null && bytes.length > next.end; next = headerIn(bytes)) {
      if (next.isThere) yield { id: next.id, bytes: bytes.subarray(next.begin, next.end) };
      bytes = bytes.subarray(next.end + 1);
    }
    held = [bytes];
    [length, needed] = [bytes.length, next === null ? 0 : next.end + 1];
  }
  await ended;
  checkSuccess(child);
}

/** The exit code of a limiter that does not find its program. */
const notFound = 127;

/** Throws where a program failed. */
export function checkSuccess({ exitCode }: ChildProcess): void {
  if (exitCode === notFound) throw Object.assign(new Error("git is not installed"), { code: "ENOENT" });
  if (exitCode !== 0) throw new Error(`git ended with ${exitCode ?? "a signal"}`);
}

/** The id of the first object, and where its bytes begin and end; null while its line is not whole. */
function headerIn(bytes: Buffer): {
  readonly id: string;
  readonly isThere: boolean;
  readonly begin: number;
  readonly end: number;
} | null {
  const line = bytes.indexOf("\n");
  if (line < 0) return null;
  const [id = "", , size] = bytes.toString("latin1", 0, line).split(" ");
  // An object that is gone by now has no size and no bytes.
  return size === undefined
    ? { id, isThere: false, begin: line, end: line }
    : { id, isThere: true, begin: line + 1, end: line + 1 + Number(size) };
}

/** The folder that `.git` is, or names; null where there is none. */
async function readGitFile(path: string): Promise<string | null> {
  const status = await lstat(path).catch(() => null);
  if (status === null) return null;
  if (!status.isFile()) return (await isRepository(path)) ? path : null;
  const named = /^gitdir: (.+)$/m.exec((await readText(path)) ?? "")?.[1];
  return named === undefined ? null : resolve(dirname(path), named);
}

async function isRepository(folder: string): Promise<boolean> {
  const statusOf = (name: string) => stat(join(folder, name)).catch(() => null);
  return (await statusOf("HEAD"))?.isFile() === true && (await statusOf("objects"))?.isDirectory() === true;
}

/** A pipe in the place of a file would keep its reader waiting for ever. */
async function readText(path: string): Promise<string | null> {
  const status = await lstat(path).catch(() => null);
  if (status?.isFile() !== true || status.size > longestPointer) return null;
  return readFile(path, "utf8").catch(() => null);
}

/** The files by which one repository refers to another hold a path. */
const longestPointer = 10_000;

/**
 * What a look at a path gives, or another value where nothing is there that this user may reach. Throws where
 * nobody can look: what is there is then not known.
 */
export async function ifThere<Value, Other>(looking: Promise<Value>, missing: Other): Promise<Value | Other> {
  try {
    return await looking;
  } catch (fault) {
    const code = fault instanceof Error && "code" in fault ? String(fault.code) : "";
    if (/^(?:ENOENT|ENOTDIR|ELOOP|ENAMETOOLONG|EACCES|EPERM)$/.test(code)) return missing;
    throw fault;
  }
}
