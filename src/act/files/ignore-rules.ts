import { dirname } from "node:path";
import { readWholeFile } from "./contents.ts";
import { globSource } from "./glob.ts";
import { compileRegex, type LinearRegex } from "./linear-regex.ts";

/** The rules of the `.gitignore` files of a folder and the folders above it, innermost first. */
export type IgnoreRules = {
  readonly folder: string;
  readonly groups: readonly RuleGroup[];
  readonly above: IgnoreRules | null;
};

/** Successive rules of a file that say the same: leave out, or keep. */
type RuleGroup = {
  readonly keeps: boolean;
  readonly forFolders: LinearRegex;
  readonly forFiles: LinearRegex | null;
};

const fileName = ".gitignore";
const maxBytes = 64 * 1024;
const maxRules = 1000;
const maxRuleLength = 500;

/** Adds the rules of a folder's own `.gitignore`, if it has one, to those of the folders above. `via` is another path to the file. A file that cannot be read has no rules. */
export async function addIgnoreRules(
  folder: string,
  above: IgnoreRules | null,
  via?: string,
): Promise<IgnoreRules | null> {
  const path = `${folder === "/" ? "" : folder}/${fileName}`;
  const read = await readWholeFile(path, maxBytes, via);
  if (!read.ok || read.value === null) return above;
  const groups = await readRules(new TextDecoder().decode(read.value.bytes));
  return groups.length === 0 ? above : { folder, groups, above };
}

/** The rules that hold in a folder of a workspace because of the folders above it. Outside of the workspace there are none. */
export async function ignoreRulesAbove(
  folder: string,
  workspace: string | null,
): Promise<IgnoreRules | null> {
  if (workspace === null || !folder.startsWith(`${workspace}/`)) return null;
  const parent = dirname(folder);
  return await addIgnoreRules(parent, await ignoreRulesAbove(parent, workspace));
}

/** Whether the rules leave a path out. The innermost file decides, and in it the last rule that matches. */
export function isIgnored(rules: IgnoreRules | null, path: string, isFolder: boolean): boolean {
  for (let level = rules; level !== null; level = level.above) {
    const relative = path.slice(level.folder === "/" ? 1 : level.folder.length + 1);
    const decisive = level.groups.findLast((group) =>
      (isFolder ? group.forFolders : group.forFiles)?.test(relative),
    );
    if (decisive !== undefined) return !decisive.keeps;
  }
  return false;
}

type Rule = { readonly keeps: boolean; readonly onlyFolders: boolean; readonly source: string };

async function readRules(text: string): Promise<readonly RuleGroup[]> {
  const groups: Rule[][] = [];
  for (const line of text.split("\n").slice(0, maxRules)) {
    const rule = readRule(line.replace(/\r$/, ""));
    if (rule === null || !(await compileRegex(rule.source)).ok) continue;
    const last = groups.at(-1);
    if (last?.[0]?.keeps === rule.keeps && last.length < groupSize) last.push(rule);
    else groups.push([rule]);
  }
  return (await Promise.all(groups.map(compileGroup))).flatMap((group) => group ?? []);
}

/** So many rules are one expression: one look for all of them, and small enough to compile. */
const groupSize = 50;

async function compileGroup(rules: readonly Rule[]): Promise<RuleGroup | null> {
  const joined = async (some: readonly Rule[]) =>
    some.length === 0
      ? null
      : await compileRegex(`^(?:${some.map(({ source }) => source).join("|")})$`, { longest: 100_000 });
  const [all, files] = [await joined(rules), await joined(rules.filter(({ onlyFolders }) => !onlyFolders))];
  if (all?.ok !== true || files?.ok === false) return null;
  return { keeps: rules[0]?.keeps === true, forFolders: all.value, forFiles: files?.value ?? null };
}

/** A line of a `.gitignore`; null for a comment, an empty line and one that is too long. */
function readRule(line: string): Rule | null {
  const trimmed = line.replace(/(?<!\\) +$/, "");
  if (trimmed === "" || trimmed.startsWith("#") || trimmed.length > maxRuleLength) return null;
  const keeps = trimmed.startsWith("!");
  const pattern = keeps ? trimmed.slice(1) : trimmed;
  const onlyFolders = pattern.endsWith("/");
  const body = onlyFolders ? pattern.slice(0, -1) : pattern;
  const anywhere = body.includes("/") ? "" : "(?:.*/)?";
  const source = anywhere + globSource(body.replace(/^\//, ""), { braces: false });
  return { keeps, onlyFolders, source };
}
