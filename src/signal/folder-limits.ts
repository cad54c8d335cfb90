/** What the folders of skills may have at most: what every host of skills has to take, or more. `docs/skills.md` quotes them. */
export const folderLimits = {
  /** Folders that are read in one place, the first by name. */
  folders: 200,
  /** Files of a skill, and bytes of all of them. */
  files: 512,
  bytes: 16 * 1024 * 1024,
  /** Characters of a `SKILL.md`, and of its head. */
  text: 128 * 1024,
  head: 16 * 1024,
  /** Bytes of the path of a file, and the folders that it leads through. */
  path: 240,
  levels: 8,
} as const;
