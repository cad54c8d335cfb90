/** A text as one word of a POSIX shell, or of zsh. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
