/** Where drafts wait, inside of the folder of skills: nothing in it is in force. */
export const draftsPlace = "drafts";

/** What the lines begin with that a draft has above what the model wrote. */
const mark = "# Draft: ";

/** The file in which a draft waits: its first lines say that it is none of the owner's yet, and what to do. */
export function markDraft(
  text: string,
  {
    name,
    sentence,
    problem,
  }: { readonly name: string; readonly sentence: string; readonly problem: string | null },
): string {
  const lines = [
    `a model wrote this for: ${sentence}`,
    ...(problem === null ? [] : [`refused: ${problem}`]),
    `It is not in force. passepartout skill enable ${name} checks it, shows it, and asks.`,
  ];
  return `${lines.map((line) => `${mark}${line.replaceAll(/\s+/g, " ")}\n`).join("")}${text}`;
}

/** A draft as the owner's own file, without the lines that mark it. */
export function unmarkDraft(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => !line.startsWith(mark));
  return lines.slice(Math.max(0, first)).join("\n");
}
