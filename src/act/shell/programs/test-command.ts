import { doubt, type ProgramRule } from "./proof.ts";

const testOperators = new Set(
  "-b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -t -u -w -x -z -n = == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef ! -a -o ( )".split(
    " ",
  ),
);
const onPaths = /^-[bcdefgGhkLNOprsSuwx]$/;

/** `test` and `[`: they look at names, dates and sizes, never at contents. */
export const testRule: ProgramRule = (args, name) => {
  const words = name === "[" ? args.slice(0, -1) : args;
  if (name === "[" && args.at(-1) !== "]") return doubt("[ lacks its ]");
  if (words.some((word) => /^-[^0-9]/.test(word) && !testOperators.has(word))) {
    return doubt("test has an operator that is not known");
  }
  const reads = words.flatMap((word, index) =>
    onPaths.test(words[index - 1] ?? "") || comparesFiles(words[index - 1]) || comparesFiles(words[index + 1])
      ? [{ path: word, access: "names" as const, tree: false }]
      : [],
  );
  return { harmless: true, reads, argv: [name, ...args], why: `${name} only compares` };
};

function comparesFiles(word: string | undefined): boolean {
  return /^-(?:nt|ot|ef)$/.test(word ?? "");
}
