import { copiedNames } from "./copied-name.ts";

const ofTexts =
  /\.(?:mdx?|markdown|mdown|mkdn?|mdwn|txt|text|rst|adoc|asciidoc|tex|x?html?|wiki|ipynb|log|eml|mbox|rtf|textile|norg)$/;

/** Whether a file is one that people write in, or a copy of one, by its name: one without an ending, too. */
export function isText(path: string): boolean {
  return namesOf(path).some((name) => ofTexts.test(name) || isBare(name));
}

/** Whether a file has a name without an ending, as README, history and many programs, or is a copy of one. */
export function hasBareName(path: string): boolean {
  return namesOf(path).some(isBare);
}

function isBare(name: string): boolean {
  return /^[a-z_-]+$/.test(name);
}

function namesOf(path: string): readonly string[] {
  return copiedNames(path.slice(path.lastIndexOf("/") + 1).toLowerCase());
}

/** Whether a file holds Org by its name, or is a backup or an autosave of one. */
export function isNote(path: string): boolean {
  return /\.org(?:_archive)?(?:[#~.].*)?$/i.test(path.slice(path.lastIndexOf("/") + 1));
}
