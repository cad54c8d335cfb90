import { basename } from "node:path";
import { withoutWrappers } from "./unwrap-words.ts";

/** Options by which a program prints the names of files in an order that the names alone decide. */
const ofNames: ReadonlyMap<string, RegExp> = new Map([
  ["ls", /^-[1aABCdFmNpQrRUx]+$|^--(?:all|almost-all|directory|recursive|reverse|color(?:=\w+)?)$/],
  ["find", /^-(?:name|iname|path|ipath|type|maxdepth|mindepth|prune|print0?|not|o|or|a|and)$/],
  ["tree", /^-[adfiL]+$/],
  ["fd", /^-[HIuasipg0dt]+$/],
  ["git", /^-(?:-no-pager|-[a-z]+)?$/],
  ["echo", /^/],
  ["readlink", /^/],
  ["realpath", /^/],
]);

/** Whether a command tells no size, no time and no mode of what it lists. */
export function showsNamesOnly(argv: readonly string[]): boolean {
  const [program = "", ...words] = withoutWrappers(argv);
  const options = ofNames.get(basename(program));
  return options !== undefined && words.every((word) => !word.startsWith("-") || options.test(word));
}
