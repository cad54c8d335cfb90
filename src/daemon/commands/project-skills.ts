import { basename, dirname, join } from "node:path";
import { entryIfThere } from "../../act/files/status-if-there.ts";
import { cloneWords } from "../../shown/describe-skill.ts";
import { bottomLabel, joinAll, type Label } from "../../signal/label.ts";
import type { FolderSkill } from "../../signal/skill.ts";
import { listSkillFolders } from "../../skills/folders/list-skill-folders.ts";
import type { KnownDigests } from "../../skills/folders/read-skill-folder.ts";
import { isInside } from "../../text/is-inside.ts";

/** The folder below a project, and below the home folder, that skills of the Agent Skills standard lie in. */
export const skillsPlace = ".agents/skills";

/** A skill that lies in a folder, with what it says of itself. */
export type SkillOrder = {
  readonly path: string;
  readonly digest: string;
  readonly text: string;
  /** Why it is not used; null where it may be. */
  readonly problem: string | null;
  readonly skill: { readonly read: FolderSkill | null; readonly label: Label };
};

/** What reading the skills of a project needs. */
export type ProjectSkillParts = {
  /** The owner's own skills, which are no project's. */
  readonly ownSkills: string;
  readonly knownDigests: KnownDigests;
  /** Whether no action may read the file at a real path. */
  readonly isClosed: (path: string) => boolean;
  readonly labelOf: (path: string, digest: string, bytes: Uint8Array) => Promise<Label>;
};

/** What the skill at a path is called; a place with more folders than are read is called by its own name. */
export function nameOfSkillPlace(path: string): string {
  return path.endsWith(`/${skillsPlace}`) ? skillsPlace : basename(path);
}

/** Whether a path is the place of a project's skill. */
export function isSkillPlace(path: string): boolean {
  return dirname(path).endsWith(`/${skillsPlace}`);
}

/**
 * Whether any of these folders may have skills: one look a folder, where it takes many to say which of them
 * belong to one repository.
 */
export async function mayHaveSkills(
  { ownSkills }: Pick<ProjectSkillParts, "ownSkills">,
  folders: readonly string[],
): Promise<boolean> {
  const places = folders.map((folder) => join(folder, skillsPlace)).filter((place) => place !== ownSkills);
  return (await Promise.all(places.map(entryIfThere))).some((entry) => entry !== null);
}

/** The skills of these folders, of which the first holds all others; an inner one counts in the place of an outer one of its name. */
export async function findProjectSkills(
  parts: ProjectSkillParts,
  folders: readonly string[],
): Promise<readonly SkillOrder[]> {
  const places = folders
    .map((folder) => join(folder, skillsPlace))
    .filter((place) => place !== parts.ownSkills);
  const found = new Map<string, SkillOrder>();
  for (const place of places) {
    const { names, problem } = await listSkillFolders(place);
    for (const name of names)
      found.set(name, await readProjectSkill(parts, join(place, name), folders[0] ?? "/"));
    if (problem !== null) found.set(place, unreadSkill(place, problem));
  }
  return [...found.values()];
}

/** A skill, or a place of several, that cannot be used. */
function unreadSkill(path: string, problem: string, read: FolderSkill | null = null): SkillOrder {
  return { path, digest: read?.digest ?? "", text: "", problem, skill: { read, label: bottomLabel } };
}

/** Reads the skill at a place. A link is followed within `root`. */
export async function readProjectSkill(
  { isClosed, labelOf, knownDigests }: ProjectSkillParts,
  path: string,
  root: string,
): Promise<SkillOrder> {
  const { readSkillFolder, readSkillBytes } = await import("../../skills/folders/read-skill-folder.ts");
  const refused = (problem: string, read: FolderSkill | null = null) => unreadSkill(path, problem, read);
  const given = await readSkillFolder(path, basename(path), knownDigests);
  if (!given.ok) return refused(given.problem);
  const { skill } = given;
  if (!isInside(root, skill.folder)) return refused("it is a link to elsewhere");
  if (skill.files.some((file) => isClosed(join(skill.folder, file.path))))
    return refused("it holds a secret file", skill);
  // Its instructions name its other files, and a model reads them as one.
  const labels: Label[] = [];
  for (const { path: file, digest } of skill.files)
    labels.push(await labelOf(join(skill.folder, file), digest, await readSkillBytes(skill, file)));
  const label = joinAll(labels);
  if (label.secrecy !== "public") return refused(`it is ${label.secrecy}`, skill);
  const clone = skill.isClone ? [cloneWords] : [];
  const tools =
    skill.allowedTools === null ? [] : [`Tools that it allows: ${skill.allowedTools.join(" ") || "none"}`];
  const text = [skill.description, ...tools, ...skill.remarks, ...clone, `Files: ${skill.files.length}`].join(
    "\n",
  );
  return { path, digest: skill.digest, text, problem: null, skill: { read: skill, label } };
}
