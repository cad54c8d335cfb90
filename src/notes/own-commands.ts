import { scanOutline } from "#org";
import { bottomLabel, type Label } from "../signal/label.ts";

/** A command that the owner wrote: what it says when they type its name. */
export type OwnCommand = { readonly name: string; readonly text: string; readonly label: Label };

/** Gives the label of the part of a text between two places. */
export type LabelEntry = (entry: { readonly begin: number; readonly end: number }) => Label;

/** Reads the owner's commands from an Org text: each headline of the first level is a name, the text below it the words. A headline that is no name is left out. */
export function readOwnCommands(
  text: string,
  labelOf: LabelEntry = () => bottomLabel,
): readonly OwnCommand[] {
  const { headlines } = scanOutline(text);
  const first = headlines.filter(({ level }) => level === 1);
  return first.flatMap((headline): readonly OwnCommand[] => {
    const name = headline.title.trim().toLowerCase();
    const from = Math.max(
      headline.lineEnd,
      headline.properties?.end ?? 0,
      headline.planning?.end ?? 0,
      headline.logbook?.end ?? 0,
    );
    const words = text.slice(from, headline.end).trim();
    return /^[a-z][a-z-]{0,39}$/.test(name) && words !== ""
      ? [{ name, text: words, label: labelOf(headline) }]
      : [];
  });
}

/** Stands in the words of a command for what was typed after its name. */
const place = "$ARGUMENTS";

/** The words of a command with what was typed after its name: where they say `$ARGUMENTS`, else at their end. */
export function wordsOfCommand({ text }: Pick<OwnCommand, "text">, given: string): string {
  if (text.includes(place)) return text.replaceAll(place, () => given);
  return given === "" ? text : `${text}\n\n${given}`;
}
