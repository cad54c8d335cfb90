import { makeOptionTable, readArguments } from "./options.ts";
import { doubt, type ProgramRule } from "./proof.ts";

const table = makeOptionTable(
  "-n -e= -E -r -s -u -z -l= --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data --line-length= " +
    "--posix --sandbox --debug --help --version",
);

/** `sed` with scripts that only print, delete, move or substitute in memory: no `w`, `e`, `r`, no `-i`, no script file. GNU sed's own `--sandbox` is added. */
export const sedRule: ProgramRule = (args, name) => {
  const sorted = readArguments(args, table);
  if (!sorted.ok) return doubt(sorted.doubt);
  const given = sorted.options.filter((option) => option.name === "-e" || option.name === "--expression");
  const scripts = given.length > 0 ? given.map((option) => option.value) : sorted.operands.slice(0, 1);
  const files = given.length > 0 ? sorted.operands : sorted.operands.slice(1);
  if (!harmlessScript(scripts.join("\n"))) return doubt("the script of sed is not known to be harmless");
  const reads = files
    .filter((path) => path !== "-")
    .map((path) => ({ path, access: "contents" as const, tree: false }));
  return { harmless: true, reads, argv: [name, "--sandbox", ...args], why: "sed only prints" };
};

/** Reads the script from its start, a command at a time; what does not read to the end is not harmless. */
function harmlessScript(script: string): boolean {
  let rest = script;
  while (rest !== "") {
    const before = rest.length;
    rest = rest.replace(/^[\s;]+/, "");
    if (rest === "") return true;
    rest = rest.replace(address, "").replace(/^\s*!?\s*/, "");
    const command = commands.find((form) => form.test(rest));
    if (command === undefined) return false;
    rest = rest.replace(command, "");
    if (rest.length === before) return false;
  }
  return true;
}

/** A bracket's beginning reads in one way only: two ways would be tried in every combination where the text does not read to its end. */
const bracket = String.raw`\[(?:\^\]|\^(?!\])|\]|(?![\^\]]))[^\]\n\\]*\]`;
const regular = String.raw`\/(?:[^\\/\n[]|\\.|${bracket})*\/[IM]*`;
const one = String.raw`(?:\d+(?:~\d+)?|\$|${regular})`;
const address = new RegExp(String.raw`^${one}(?:\s*,\s*(?:${one}|[+~]\d+))?`);
const end = String.raw`(?=\s*(?:[;}\n]|$))`;
const commands = [
  new RegExp(`^[=dDgGhHnNpPxqQlF]${end}`),
  new RegExp(String.raw`^[lqQ]\s*\d+${end}`),
  /^[{}]/,
  /^:\s*[A-Za-z0-9_]+(?=\s*(?:[;\n]|$))/,
  new RegExp(String.raw`^[btT]\s*[A-Za-z0-9_]*${end}`),
  ...["/", "|", ",", "#", ":", "@", "!", "_", "%"].map(substitution),
];

/** `s` and `y` with one of the usual delimiters and flags that neither write nor execute. */
function substitution(delimiter: string): RegExp {
  const mark = `\\${delimiter}`
    .replace("\\_", "_")
    .replace("\\,", ",")
    .replace("\\:", ":")
    .replace("\\@", "@");
  const escaped = mark.replace("\\#", "#").replace("\\!", "!").replace("\\%", "%");
  const part = String.raw`(?:[^\\\n${escaped}]|\\[\s\S])*`;
  return new RegExp(
    `^(?:s${escaped}${part}${escaped}${part}${escaped}[gpiIM0-9]*|y${escaped}${part}${escaped}${part}${escaped})${end}`,
  );
}
