/** A line of settings of git: the section without the name behind it, and the key, both in lower case. */
export type GitSetting = { readonly section: string; readonly key: string; readonly value: string };

/**
 * A head of a section, a comment, or a key with its value as it is written: quoted in parts, over several
 * lines.
 */
const entry =
  /\[\s*([\w.-]+)(?:\s+"(?:\\.|[^"\\\n])*")?\s*\]|[#;].*|([A-Za-z][\w-]*)[ \t]*(?:=[ \t]*((?:\\(?:\r?\n|.)|"(?:\\(?:\r?\n|.)|[^"\\\n])*"|[^\n"\\#;])*))?/g;

/** The settings that a text has, as git reads them. A key without a value has an empty one. */
export function settingsIn(text: string): readonly GitSetting[] {
  let section = "";
  const found: GitSetting[] = [];
  for (const [, head, key, written = ""] of text.matchAll(entry)) {
    section = head?.toLowerCase() ?? section;
    if (key !== undefined) found.push({ section, key: key.toLowerCase(), value: unquoted(written) });
  }
  return found;
}

function unquoted(written: string): string {
  return written
    .trimEnd()
    .replace(/\\(\r?\n)|\\([^\n])|"/g, (_, _line, escaped?: string) =>
      escaped === undefined ? "" : (escapes.get(escaped) ?? escaped),
    );
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
]);

/** Words of a shell, quoted in parts or not. */
const shellWord = /(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'\\;&|()<>`])+/gs;

/**
 * The words of a command that may be paths: as a shell reads them, without a variable that they begin with,
 * and each part of them between signs of the shell.
 */
export function wordsOfCommand(command: string): readonly string[] {
  const whole = (command.match(shellWord) ?? []).map((word) =>
    word.replace(/\\(.)|["']/gs, "$1").replace(/^\$\{?\w+\}?\//, ""),
  );
  const words = new Set([...whole, ...command.split(/[\s"'`;&|()<>$=\\!,]+/)]);
  return [...words].filter((word) => word !== "" && !word.includes("\0"));
}
