import type { FileKeyword } from "./file-keywords.ts";

/**
 * What Emacs's variables set for every file, such as `org-todo-keywords`: each as the keyword line that sets the same for one file. Keywords of a file win:
 * they replace such a line (`TODO`, `SEQ_TODO`, `TYP_TODO`, `TAGS`, `PRIORITIES`, `ARCHIVE`), or come after it (`LINK`, `PROPERTY`, `STARTUP`).
 */
export type OrgVariables = readonly Pick<FileKeyword, "key" | "value">[];

const added: ReadonlySet<string> = new Set(["LINK", "PROPERTY", "STARTUP"]);

/** The keywords that count for a file, those of variables first. */
export function withVariables(keywords: readonly FileKeyword[], variables: OrgVariables): OrgVariables {
  if (variables.length === 0) return keywords;
  const own = new Set(keywords.map(({ key }) => settingOf(key)));
  return [...variables.filter(({ key }) => added.has(key) || !own.has(settingOf(key))), ...keywords];
}

/** `TODO` for all keywords that set TODO words. */
function settingOf(key: string): string {
  return key === "SEQ_TODO" || key === "TYP_TODO" ? "TODO" : key;
}
