import { existsSync } from "node:fs";
import { join } from "node:path";
import { skillsFolder } from "../../daemon/agent/resources/open-own-skills.ts";
import type { Policy } from "../../settings/policy.ts";
import { changedPart, describeTextChange, without } from "../../shown/describe-skill-change.ts";
import { formatDiffs } from "../../shown/format-diff.ts";
import { diffFile } from "../../signal/file-diff.ts";
import type { FolderSkill } from "../../signal/skill.ts";
import { skillMd } from "../../skills/folders/find-skill-file.ts";
import { readSkillBytes, readSkillFolder } from "../../skills/folders/read-skill-folder.ts";
import { putFolder } from "./put-folder.ts";

/** Rows of the diffs of all files besides `SKILL.md` that are shown. */
const shownRows = 400;

type Books = Pick<Policy, "skillBook" | "folders" | "config">;

/** Keeps a copy of the files of a skill that the owner says yes to, to show what a later version changes. */
export async function keepAcceptedFolder(policy: Books, skill: FolderSkill): Promise<void> {
  const files = await Promise.all(
    skill.files.map(async ({ path }) => ({ path, bytes: await readSkillBytes(skill, path) })),
  );
  putFolder(placeOf(policy, skill.name), files);
}

/** The version of a skill's folder that the owner accepted last, as it was then; null where none was, or its copy is gone or not what was accepted. */
export async function readAcceptedFolder(policy: Books, name: string): Promise<FolderSkill | null> {
  const word = policy.skillBook.folders().find((one) => one.name === name);
  const place = placeOf(policy, name);
  if (word === undefined || !existsSync(place)) return null;
  const read = await readSkillFolder(place, name, new Map());
  return read.ok && read.skill.digest === word.digest ? read.skill : null;
}

/** What changed in a skill's folder since the owner accepted it: the tools that it may newly call, then its `SKILL.md` whole, then its other files. `readNow` gives the bytes of a file as it is now. */
export async function describeFolderChange(
  before: FolderSkill,
  now: FolderSkill,
  readNow: (path: string) => Promise<Buffer>,
): Promise<readonly string[]> {
  if (before.digest === now.digest) return [];
  const old = new Map(before.files.map((file) => [file.path, file.digest]));
  const paths = new Set([...before.files, ...now.files].map(({ path }) => path));
  const there = new Map(now.files.map((file) => [file.path, file.digest]));
  const changed = [...paths].filter((path) => old.get(path) !== there.get(path)).sort();
  const bytesOf = async (path: string) => ({
    past: old.has(path) ? await readSkillBytes(before, path) : null,
    present: there.has(path) ? await readNow(path) : null,
  });
  const diffs = [];
  for (const path of changed.filter((one) => one !== skillMd)) {
    const { past, present } = await bytesOf(path);
    diffs.push(diffFile(path, past, present));
  }
  const main = await bytesOf(skillMd);
  return [
    "Since the version that you accepted:",
    ...describeTools(before.allowedTools, now.allowedTools),
    ...(changed.includes(skillMd)
      ? describeTextChange(main.past?.toString(), main.present?.toString() ?? "")
      : []),
    ...formatDiffs(diffs, null, shownRows),
  ];
}

/** What `allowed-tools` lets a turn call newly, or no longer, while the skill takes part. */
function describeTools(before: readonly string[] | null, now: readonly string[] | null): readonly string[] {
  if (now === null) return before === null ? [] : ["  new: allowed tools: all, since it names none any more"];
  if (before === null) return ["  no longer: allowed tools: all, since it names some now"];
  return [
    ...changedPart("new", "allowed tools", without(now, before)),
    ...changedPart("no longer", "allowed tools", without(before, now)),
  ];
}

function placeOf(policy: Books, name: string): string {
  return join(skillsFolder(policy), "accepted", name);
}
