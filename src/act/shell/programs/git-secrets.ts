import {
  secretFileNames,
  secretFilePatterns,
  secretFolderNames,
  secretPlaceNames,
} from "../../../text/secret-names.ts";

const words = (names: Readonly<Record<string, string>>): readonly string[] =>
  Object.values(names).flatMap((group) => group.split(" "));

const excluded = ":(top,exclude,icase,glob)**/";

/**
 * The names of copies of a file (`copied-name.ts`), as few patterns: git compares each of them with each
 * file. In front of the name stands nothing but the signs of an editor, so that no other file is left out.
 */
function copiesOf(name: string): readonly string[] {
  const all: string[] = [
    `${name}[.~ _,;#-]*`,
    `${name}[bo][alr]*[dgkp]`,
    `[.#~]${name}*`,
    `[.~][#$]${name}*`,
    `[.~][~s][ly]*[.~]${name}*`,
    `._${name}*`,
    `copy*of ${name}*`,
    `[ck]opi[ae] [dv][aeio]* ${name}*`,
  ];
  // A backup under a name that is shown: bak, back, bck, old, orig, save.
  if (name.startsWith(".")) all.push(`${name.slice(1)}[._-][bos][aclr][cdikv]*`);
  const [, stem, ending] = /^(.+)(\.[^.]+)$/.exec(name) ?? [];
  return stem === undefined || ending === undefined
    ? all
    : [...all, `${stem} *${ending}*`, `${stem}[._]*conflict*${ending}*`];
}

/** The same for a pattern, which knows the usual endings of backups. */
function copiesByPattern(glob: string): readonly string[] {
  return glob.endsWith("*") || glob.includes("[.~]")
    ? []
    : [`${glob}[#; ]*`, `${glob}.~*`, `${glob}.lock`, `${glob}[bo][alr]*[dgkp]`, `${glob}.s[a-w][a-z]`];
}

/**
 * Pathspecs (gitglossary, "pathspec") that exclude files with secret names. The repository's copies of such files
 * cannot be masked as files can: they lie among all its other objects.
 */
export const secretExclusions: readonly string[] = [
  ...[...words(secretFileNames), ".env"].flatMap((name) => [name, ...copiesOf(name)]),
  ...secretFilePatterns.flatMap(({ globs }) => globs.flatMap((glob) => [glob, ...copiesByPattern(glob)])),
  ...words(secretPlaceNames).flatMap((place) => [place, `${place}/**`]),
  ...words(secretFolderNames).flatMap((folder) => [folder, `${folder}/**`]),
].map((name) => `${excluded}${name}`);

/** Whether a word is a pathspec that the grammar itself adds. */
export function isSecretExclusion(word: string): boolean {
  return added.has(word);
}

const added = new Set(secretExclusions);

/**
 * Rewrites a revision so that it cannot name a file's bare contents: an object id must be that of a commit. Null where
 * the revision asks for another kind of object, or names both a path and a range.
 */
export function bindToCommit(operand: string): string | null {
  if (/\^\{(?!commit\}|\/)/.test(operand)) return null;
  if (operand.includes(":")) return operand.includes("..", operand.indexOf(":")) ? null : operand;
  return operand
    .split(/(\.{2,3})/)
    .map((side) => (objectId.test(side) ? `${side}^{commit}` : side))
    .join("");
}

const objectId = /^\^?(?:.*-g)?[0-9a-f]{4,64}$/i;
