const maxLength = 10_000;
/**
 * Signs of what tree-sitter reads in time that grows with the square of their number, and how many of them a
 * line may have.
 */
const limitedSigns = [
  { sign: "=(", most: 50, name: "lists of values" },
  { sign: "|", most: 300, name: "pipes" },
  { sign: "[[", most: 300, name: "conditions" },
] as const;
const strange = /[[\p{Cc}\p{Cf}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\uff01-\uff65]--[\t\n ]]/v;

/**
 * Says why a line is not parsed. A character that is invisible or looks like another one would make the line
 * that a person reads differ from the line that runs.
 */
export function unreadable(cmd: string): string | null {
  if (cmd.length > maxLength) return `it is longer than ${maxLength} characters`;
  if (!cmd.isWellFormed()) return "it is not well-formed Unicode";
  if (strange.test(cmd)) return "it has control characters or characters that do not look like what they are";
  const many = limitedSigns.find(({ sign, most }) => cmd.split(sign).length > most);
  if (many !== undefined) return `it has too many ${many.name}`;
  if (cmd.trim() === "") return "it is empty";
  return null;
}
