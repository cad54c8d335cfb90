import { makeOptionTable, readLeadingOptions } from "./options.ts";
import { doubt, type PathUse, type ProgramRule } from "./proof.ts";

const flags = makeOptionTable(
  "-c -n -e -s -r -a -j -S -C -M -R -h -V --compact-output --null-input --exit-status --slurp --raw-output --raw-output0 --ascii-output --join-output " +
    "--sort-keys --color-output --monochrome-output --raw-input --tab --indent= --seq --stream --stream-errors --unbuffered --help --version",
);
/** Options with a name and a value behind them, and whether the value is a file that is read. */
const pairs = new Map([
  ["--arg", false],
  ["--argjson", false],
  ["--slurpfile", true],
  ["--rawfile", true],
]);

/** `jq` (jq(1)) with a filter that reads no more than its input. */
export const jqRule: ProgramRule = (args, name) => {
  const operands: string[] = [];
  const files: string[] = [];
  let words = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const isFile = pairs.get(word);
    if (word === "--" && args.slice(at + 1).some((each) => /^-./.test(each)))
      return doubt("jq takes words behind -- as files");
    if (isFile !== undefined) {
      if (args[at + 2] === undefined) return doubt(`the option ${word} lacks its value`);
      if (isFile) files.push(args[at + 2] ?? "");
      at += 2;
    } else if (word === "--args" || word === "--jsonargs") words = true;
    else if (!word.startsWith("-") || word === "-") {
      if (operands.length === 0 || !words) operands.push(word);
    } else {
      const read = readLeadingOptions(word === "--indent" ? [word, args[at + 1] ?? ""] : [word], flags);
      if (!read.ok) return doubt(read.doubt);
      if (word === "--indent") at += 1;
    }
  }
  const [filter = "", ...inputs] = operands;
  if (readsMore.test(filter)) return doubt("this jq program may read more than its input");
  const reads = [...inputs, ...files].map((path): PathUse => ({ path, access: "contents", tree: false }));
  return { harmless: true, reads, argv: [name, ...args], why: `${name} only reads` };
};

const readsMore =
  /\b(?:env|import|include|input_filename|get_search_list|modulemeta|halt|halt_error|stderr|debug)\b|\\u/i;
