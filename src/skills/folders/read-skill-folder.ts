import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../machine/digest.ts";
import { folderLimits } from "../../signal/folder-limits.ts";
import type { FolderSkill, SkillFolderFile } from "../../signal/skill.ts";
import { findPathProblem, shownPath } from "../archives/archive-path.ts";
import { findMissingFile, skillMd } from "./find-skill-file.ts";
import { readSkillMd } from "./read-skill-md.ts";

/** A folder as it was read, or why it cannot be used, in words that go on from its name. */
export type ReadSkillFolder =
  | { readonly ok: true; readonly skill: FolderSkill }
  | { readonly ok: false; readonly problem: string };

/** Digests of files by their path, each with a text that changes with every change of the file. */
export type KnownDigests = Map<string, { readonly version: string; readonly digest: string }>;

const mostEntries = 4 * folderLimits.files;

/** Why a folder cannot be used. */
class FolderProblem extends Error {}

/** Reads a skill's folder whole: what its `SKILL.md` says, and the digests of all its files. Links out of it, pipes and devices, and too much of anything are refused. */
export async function readSkillFolder(
  place: string,
  name: string,
  known: KnownDigests,
): Promise<ReadSkillFolder> {
  try {
    const folder = await realpath(place);
    const files: SkillFolderFile[] = [];
    const room = { left: folderLimits.bytes };
    const { paths, isClone } = await filesIn(folder);
    const missing = findMissingFile(paths);
    if (missing !== null) return { ok: false, problem: missing };
    for (const path of paths) {
      const { size, digest } = await digestOf(folder, path, known, room.left);
      room.left -= size;
      files.push({ path, digest, size });
    }
    const problem = findPathProblem(files.map(({ path }) => path));
    if (problem !== null) return { ok: false, problem };
    const bytes = await readSkillBytes({ folder, files }, skillMd);
    const read = readSkillMd(name, textOf(bytes));
    if (!read.ok) return read;
    return { ok: true, skill: { ...read.skill, name, folder, files, isClone, digest: digestOfFiles(files) } };
  } catch (error) {
    if (error instanceof FolderProblem) return { ok: false, problem: error.message };
    if (error instanceof Error && "code" in error)
      return { ok: false, problem: `it cannot be read (${String(error.code)})` };
    throw error;
  }
}

/** The SHA-256 over the paths and digests of files. */
export function digestOfFiles(files: readonly SkillFolderFile[]): string {
  const lines = files.map(({ path, digest }) => [path, digest]).sort();
  return sha256(JSON.stringify(lines));
}

/** The text of a file of a skill, if it is still what the skill was read with. */
export async function readSkillText(
  skill: FolderSkill,
  path: string,
): Promise<
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: string; readonly message: string }
> {
  try {
    return { ok: true, value: textOf(await readSkillBytes(skill, path)) };
  } catch (error) {
    if (!(error instanceof FolderProblem) && !(error instanceof Error && "code" in error)) throw error;
    const message = `The skill ${skill.name} cannot give it: ${error.message}.`;
    return { ok: false, code: "not-in-skill", message };
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FolderProblem("it is no text");
  }
}

/** The bytes of a file of a skill, if they are still what the skill was read with. Throws where they are not. */
export async function readSkillBytes(
  { folder, files }: Pick<FolderSkill, "folder" | "files">,
  path: string,
): Promise<Buffer> {
  const file = files.find((one) => one.path === path);
  if (file === undefined) throw new FolderProblem(`it has no file ${shownPath(path)}`);
  const bytes = await readPlain(folder, path, file.size);
  if (sha256(bytes) !== file.digest) throw new FolderProblem(`${shownPath(path)} changes while it is read`);
  return bytes;
}

/** The paths of all files below a folder, sorted. What version control keeps is no part of a skill. */
async function filesIn(
  folder: string,
): Promise<{ readonly paths: readonly string[]; readonly isClone: boolean }> {
  const files: string[] = [];
  let isClone = false;
  const waiting = [""];
  let seen = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      if (entry.name === ".git") {
        isClone = true;
        continue;
      }
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      seen += 1;
      if (seen > mostEntries) throw new FolderProblem(`it has more than ${folderLimits.files} files`);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
      else throw new FolderProblem(`${shownPath(path)} in it is a pipe, a socket or a device`);
    }
  }
  return { paths: files.sort(), isClone };
}

async function digestOf(
  folder: string,
  path: string,
  known: KnownDigests,
  room: number,
): Promise<{ readonly size: number; readonly digest: string }> {
  const place = join(folder, path);
  const about = await lstat(await insideOf(folder, path), { bigint: true });
  if (!about.isFile()) throw new FolderProblem(`${shownPath(path)} in it is a link to a folder, or no file`);
  const size = Number(about.size);
  if (size > room) throw new FolderProblem(`it has more than ${folderLimits.bytes / 1024 / 1024} MB`);
  const version = `${about.ino} ${about.size} ${about.mtimeNs} ${about.ctimeNs}`;
  const before = known.get(place);
  if (before?.version === version) return { size, digest: before.digest };
  const digest = sha256(await readPlain(folder, path, size));
  known.set(place, { version, digest });
  return { size, digest };
}

/** The real path of a file, which stays inside of its folder. */
async function insideOf(folder: string, path: string): Promise<string> {
  const real = await realpath(join(folder, path));
  if (!real.startsWith(`${folder}/`)) throw new FolderProblem(`${shownPath(path)} in it is a link out of it`);
  return real;
}

/** The bytes of a plain file: at most `size`. It waits for no pipe and follows no link that came in between. */
async function readPlain(folder: string, path: string, size: number): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(await insideOf(folder, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new FolderProblem(`${shownPath(path)} in it is no plain file`);
    const bytes = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}
