import { sha256 } from "../../machine/digest.ts";
import { folderLimits } from "../../signal/folder-limits.ts";
import type { FolderSkill, SkillFolderFile } from "../../signal/skill.ts";
import { findPathProblem } from "../archives/archive-path.ts";
import type { UnpackedFile } from "../archives/read-tarball.ts";
import { skillMd } from "./find-skill-file.ts";
import { digestOfFiles, type ReadSkillFolder } from "./read-skill-folder.ts";
import { readSkillMd } from "./read-skill-md.ts";

/** Reads a skill from files that lie in no folder yet, by the same rules: `folder` is where they would lie. */
export function readSkillFiles(
  name: string,
  files: readonly UnpackedFile[],
  folder: string,
): ReadSkillFolder {
  const problem = findPathProblem(files.map(({ path }) => path));
  if (problem !== null) return { ok: false, problem };
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > folderLimits.bytes)
    return { ok: false, problem: `it has more than ${folderLimits.bytes / 1024 / 1024} MB` };
  const md = files.find(({ path }) => path === skillMd);
  const text = md === undefined ? null : decode(md.bytes);
  if (text === null) return { ok: false, problem: `it has no ${skillMd} at its root that is a text` };
  const read = readSkillMd(name, text);
  if (!read.ok) return read;
  const listed = files.map(
    ({ path, bytes }): SkillFolderFile => ({
      path,
      digest: sha256(bytes),
      size: bytes.length,
    }),
  );
  const skill: FolderSkill = {
    ...read.skill,
    name,
    folder,
    files: listed,
    isClone: false,
    digest: digestOfFiles(listed),
  };
  return { ok: true, skill };
}

function decode(bytes: Buffer): string | null {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : null;
}
