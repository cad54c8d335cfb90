/** The ID of a line of a conversation, also where it is given as notes link to it: `said:ID`. */
export function idOfLine(given: string): string {
  return given.replace(/^said:/, "");
}
