/** Values of keys as their lines say them, or why they do not say it. */
type PlainKeys =
  | { readonly ok: true; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problem: string };

const keyLine = /^([^\s:#-][^:]*):(?:[ \t]+(.*))?$/;
/** The keys whose values are read. Of others only the names are. */
const known: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "allowed-tools",
]);

/**
 * Reads the keys of a head line by line, whatever YAML makes of them: a value is the rest of its line and
 * the lines below that are indented. Of a key that stands twice the first counts, except where the second
 * would limit more.
 */
export function readPlainKeys(head: string): PlainKeys {
  const values = new Map<string, string>();
  const lines = head.split("\n");
  for (const [at, line] of lines.entries()) {
    const [, key, first = ""] = keyLine.exec(line) ?? [];
    if (key === undefined) continue;
    const value = known.has(key) ? valueIn(first.trim(), indentedBelow(lines, at)) : "";
    const before = values.get(key);
    if (key === "allowed-tools" && before !== undefined && before !== value)
      return { ok: false, problem: `the front matter of SKILL.md has ${key} twice: keep one of them` };
    if (before === undefined) values.set(key, value);
  }
  return { ok: true, values };
}

function indentedBelow(lines: readonly string[], at: number): readonly string[] {
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^(?:[ \t]|-[ \t]|$)/.test(line));
  return (end < 0 ? below : below.slice(0, end)).map((line) => line.trim());
}

function valueIn(first: string, below: readonly string[]): string {
  if (/^[|>][-+0-9]*$/.test(first)) return below.join(first.startsWith("|") ? "\n" : " ").trim();
  const whole = [first, ...below.map((line) => line.replace(/^-[ \t]+/, ""))].join(" ").trim();
  const quoted = /^"(.*)"$|^'(.*)'$/s.exec(whole);
  const inner = quoted?.[1] ?? quoted?.[2] ?? whole;
  // A list of words. An empty one stays what it is: it allows nothing.
  return /^\[.*[^\s[\]].*\]$/s.test(inner) ? inner.slice(1, -1).replaceAll(/["']/g, "") : inner;
}
