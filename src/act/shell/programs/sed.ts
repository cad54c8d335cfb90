import { makeOptionTable, readArguments } from "./options.ts";
import { doubt, type ProgramRule } from "./proof.ts";

const table = makeOptionTable(
  "-n -e= -E -r -s -u -z -l= --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data --line-length= " +
    "--posix --sandbox --debug --help --version",
);

/** `sed` with scripts that only print, delete, move or substitute in memory: no `w`, `e`, `r`, no `-i`, no script file. Adds GNU sed's own `--sandbox`. */
export const sedRule: ProgramRule = (args, name) => {
  const read = readArguments(args, table);
  if (!read.ok) return doubt(read.doubt);
  const scriptOptions = read.options.filter(
    (option) => option.name === "-e" || option.name === "--expression",
  );
  const scripts =
    scriptOptions.length > 0 ? scriptOptions.map((option) => option.value) : read.operands.slice(0, 1);
  const files = scriptOptions.length > 0 ? read.operands : read.operands.slice(1);
  if (!harmlessScript(scripts.join("\n"))) return doubt("the script of sed is not known to be harmless");
  const reads = files.map((path) => ({ path, access: "contents" as const, tree: false }));
  return { harmless: true, reads, argv: [name, "--sandbox", ...args], why: "sed only prints" };
};

/** Reads the script one command at a time. A script that cannot be read to its end is not harmless. */
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

/** The start of a bracket matches in one way only; with two, the regular expression would backtrack exponentially on text that does not match. */
const bracket = String.raw`\[(?:\^\]|\^(?!\])|\]|(?![\^\]]))[^\]\n\\]*\]`;
const regular = String.raw`\/(?:[^\\/\n[]|\\.|${bracket})*\/[IM]*`;
const singleAddress = String.raw`(?:\d+(?:~\d+)?|\$|${regular})`;
const address = new RegExp(String.raw`^${singleAddress}(?:\s*,\s*(?:${singleAddress}|[+~]\d+))?`);
const end = String.raw`(?=\s*(?:[;}\n]|$))`;
const commands = [
  new RegExp(`^[=dDgGhHnNpPxqQlF]${end}`),
  new RegExp(String.raw`^[lqQ]\s*\d+${end}`),
  /^[{}]/,
  /^:\s*[A-Za-z0-9_]+(?=\s*(?:[;\n]|$))/,
  new RegExp(String.raw`^[btT]\s*[A-Za-z0-9_]*${end}`),
  ...["/", "|", ",", "#", ":", "@", "!", "_", "%"].map(substitution),
];

/** `s` and `y` with a usual delimiter, and flags that neither write nor execute. */
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
