/** How the first line begins of what says, behind the output of a command, why it failed or was not kept. */
const begin =
  /^\s*(?:(?:Nothing|Not all) of what the command (?:changed|made) was |.{1,200} was (?:stopped\.|ended after |ended, since ))/;

/**
 * The last lines of a text: at most `most` of them, and always the whole reason that stands at its end. A
 * program that prints such a line itself makes that more is shown.
 */
export function endWithReason(lines: readonly string[], most: number): readonly string[] {
  const reason = lines.findLastIndex((line) => begin.test(line));
  return lines.slice(-Math.max(most, reason === -1 ? 0 : lines.length - reason));
}
