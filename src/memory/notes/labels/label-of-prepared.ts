import { outlineOf } from "../../../notes/parse-note-file.ts";
import { type Label, secrecyOf } from "../../../signal/label.ts";
import { openSetupFilesOfAny } from "../folder/setup-files.ts";
import { type FileLabelRules, labelOfFile, labelsOfEntries } from "./label-of-file.ts";
import { labelOfWords } from "./label-of-words.ts";

/** A text that the owner prepares for the agent: a skill, commands or jobs. */
export type PreparedText = { readonly path: string; readonly text: string };

/**
 * How secret a whole text is that the owner prepares, by what makes a note private, and by the tags in the
 * words of it that a model is told.
 */
export async function labelPrepared(
  { path, text, words }: PreparedText & { readonly words: readonly string[] },
  rules: FileLabelRules,
): Promise<Label> {
  const { label } = await labelOfFile(path, new TextEncoder().encode(text), rules);
  return secrecyOf([label, ...words.map((part) => labelOfWords(part, rules.privacyTags))]);
}

/**
 * How secret each entry of such a text is, with all below it, by the tags, groups of tags, setup files and
 * origins that make a note private.
 */
export async function labelPreparedEntries(
  { path, text }: PreparedText,
  rules: FileLabelRules,
): Promise<(entry: { readonly begin: number; readonly end: number }) => Label> {
  const setup = openSetupFilesOfAny(path, rules.notes);
  const labels = await labelsOfEntries(outlineOf(path, text, setup), rules, setup.problem());
  return ({ begin, end }) =>
    secrecyOf([...labels].flatMap(([at, label]) => (at >= begin && at < end ? [label] : [])));
}
