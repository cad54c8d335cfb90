import { dirname, resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { sandboxFolders } from "../sandbox/bubblewrap.ts";
import type { ResolvedPathUse } from "./confine.ts";
import { wordedChanges } from "./programs/worded-changes.ts";

/** Where a script runs, and the folders of skills that it is shown read-only. */
export type ScriptPlace = {
  readonly workspace: string;
  readonly cwd: string;
  readonly home: string;
  readonly skills?: readonly ResolvedPathUse[];
};

/** Of a longer script nobody looks for what it changes outside. */
const longest = 20_000;

/**
 * The first path outside of the workspace that a script enters, loops over or says that it changes; null
 * where it says none. A script has no copies of anything outside: only its run would tell what it changes
 * there. Reads its words roughly, and never those of its here-documents and quoted texts.
 */
export function changedByScript(script: string, place: ScriptPlace): string | null {
  if (script.length > longest) return null;
  let { cwd } = place;
  for (const words of commandsOf(script, place.home)) {
    const [program = "", folder] = words;
    const isEntered = /^(?:cd|pushd)$/.test(program) && folder !== undefined && !folder.startsWith("-");
    const entered = isEntered ? [folder] : [];
    const looped = program === "for" && words[2] === "in" ? words.slice(3) : [];
    const changed = wordedChanges(words).flatMap(({ path, how }) => (how === "read" ? [] : [path]));
    const found = [...entered, ...looped, ...outputsOf(words), ...changed]
      .map((path) => (/^~\w/.test(path) ? path : resolve(cwd, knownPart(path))))
      .find((path) => isElsewhere(path, place));
    if (found !== undefined) return found;
    if (entered[0] !== undefined) cwd = resolve(cwd, entered[0]);
  }
  return null;
}

/** Folders that a sandbox has or shows, and what is of the kernel. */
const known = [...sandboxFolders, "/dev", "/proc", "/sys", "/usr", "/bin", "/sbin", "/lib", "/etc"];

function isElsewhere(path: string, { workspace, home, skills = [] }: ScriptPlace): boolean {
  if (path === "/" || isInside(workspace, path)) return false;
  if (skills.some((skill) => isInside(skill.path, path) || isInside(skill.written, path))) return false;
  return isInside(home, path) || !known.some((folder) => isInside(folder, path));
}

/** A path up to what only its run would tell. */
function knownPart(path: string): string {
  const [start = ""] = path.split(/[$`*?[{]/, 1);
  if (start === "") return ".";
  return start === path || start.endsWith("/") ? start : dirname(start);
}

const hereDocument = /<<-?[ \t]*(["']?)(\w+)\1([^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\2(?=\n|$)/g;

/** What may be a command in a script, in words without quotes, with the owner's home folder in its place. */
function commandsOf(script: string, home: string): readonly (readonly string[])[] {
  const text = script
    .replace(hereDocument, "$3\n")
    .replace(/(^|\s)#.*$/gm, "$1")
    .replace(/'[^']*[;&|\n(][^']*'|"[^"]*[;&|\n(][^"]*"/g, '""')
    .replace(/(^|[\s"'=:])~(?=\/|\s|$)/gm, (_, before: string) => `${before}${home}`)
    .replace(/\$HOME\b|\$\{HOME\}/g, () => home);
  const parts = text.split(/[;&|\n`{}]+(?!>)|\$\(|[()]|\b(?:do|then|else|if|while|until)\s/);
  return parts.map((part) => {
    const words = part.split(/\s+/).flatMap((word) => word.replaceAll(/["'\\]/g, "") || []);
    const first = words.findIndex((word) => !/^(?:\w+=.*|!|time|command|sudo)$/.test(word));
    return first < 0 ? [] : words.slice(first);
  });
}

/** The files that the output of a command goes to. */
function outputsOf(words: readonly string[]): readonly string[] {
  return [...words.join(" ").matchAll(/(?:^|\s)\d?>[>|]?\s*([^\s&>]+)/g)].map(([, target = ""]) => target);
}
