import { parseEnv } from "node:util";
import { SettingsError } from "./settings-error.ts";

/** Settings by name with the values that they are to have; null takes a setting out. */
export type EnvChanges = ReadonlyMap<string, string | null>;

/**
 * The text of a `.env` file with changed settings. A setting keeps its line; a new one follows its commented example, else stands at the end.
 * Throws a `SettingsError` where what the text then says is not exactly what was wanted.
 */
export function editEnvText(text: string, changes: EnvChanges, path: string): string {
  let lines = text.split("\n");
  for (const [name, value] of changes) lines = editLines(lines, name, value);
  const edited = lines.join("\n");
  const wanted = { ...parseEnv(text), ...Object.fromEntries(changes) };
  const got = parseEnv(edited);
  const differs = [...new Set([...Object.keys(wanted), ...Object.keys(got)])].find(
    (name) => (wanted[name] ?? null) !== (got[name] ?? null),
  );
  if (differs === undefined) return edited;
  throw new SettingsError(
    `${path} has lines that cannot be changed without changing ${differs} too. Nothing was written: write the setting there yourself.`,
  );
}

function editLines(lines: readonly string[], name: string, value: string | null): string[] {
  const isSetting = (line: string): boolean => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(line);
  const last = lines.findLastIndex(isSetting);
  // An earlier line of the same name has no effect: it goes with the last.
  const kept = lines.flatMap((line, index) => {
    if (index !== last) return isSetting(line) ? [] : [line];
    return value === null ? [] : [`${formatSetting(name, value)}${endOf(line)}`];
  });
  if (value === null || last !== -1) return kept;
  const example = kept.findIndex((line) => new RegExp(`^#\\s?${name}=`).test(line));
  const end = kept.at(-1) === "" ? kept.length - 1 : kept.length;
  const at = example === -1 ? end : example + 1;
  const isLast = at === kept.length;
  const set = `${formatSetting(name, value)}${endOf(kept[at - 1] ?? "")}`;
  return [...kept.slice(0, at), set, ...(isLast ? [""] : kept.slice(at))];
}

/** What stands before the line feed of a line. */
function endOf(line: string): string {
  return line.endsWith("\r") ? "\r" : "";
}

/** A line that gives a setting this value when it is read. */
export function formatSetting(name: string, value: string): string {
  if (/^[\w./:@+,=~%-]*$/.test(value)) return `${name}=${value}`;
  const quote = ["'", '"', "`"].find((mark) => !value.includes(mark)) ?? "'";
  return `${name}=${quote}${value}${quote}`;
}
