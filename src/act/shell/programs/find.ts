import { doubt, type PathUse, type ProgramRule } from "./proof.ts";

const alone = new Set(
  (
    "-depth -d -mount -xdev -noleaf -daystart -follow -ignore_readdir_race -noignore_readdir_race -warn -nowarn -empty -executable " +
    "-readable -writable -nouser -nogroup -true -false -print -print0 -ls -prune -quit -help --help -version --version ( ) ! -not -a " +
    "-and -o -or ,"
  ).split(" "),
);
const withWord = new Set(
  (
    "-maxdepth -mindepth -regextype -amin -atime -cmin -ctime -mmin -mtime -used -fstype -gid -group -ilname -iname -inum -ipath " +
    "-iregex -links -lname -name -path -wholename -iwholename -perm -regex -size -type -uid -user -xtype -context -printf"
  ).split(" "),
);
const withPath = new Set("-anewer -cnewer -newer -samefile".split(" "));

/** `find` with tests and with actions that only print. Actions that run, delete or write are in none of the lists. */
export const findRule: ProgramRule = (args, name) => {
  let at = 0;
  while (/^-[HLP]$/.test(args[at] ?? "")) at += 1;
  const roots: string[] = [];
  while (at < args.length && !/^(?:-|\(|\)|!|,)/.test(args[at] ?? "")) {
    roots.push(args[at] ?? "");
    at += 1;
  }
  const reads: PathUse[] = (roots.length === 0 ? ["."] : roots).map((path) => ({
    path,
    access: "names",
    tree: true,
  }));
  for (; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (alone.has(word)) continue;
    const value = args[at + 1];
    const newer = withPath.has(word) || /^-newer[aBcm][aBcm]$/.test(word);
    if (!newer && !withWord.has(word) && !/^-newer[aBcm]t$/.test(word)) {
      return doubt(`find's ${word} is not known to be harmless`);
    }
    if (value === undefined) return doubt(`find's ${word} lacks its value`);
    if (newer) reads.push({ path: value, access: "names", tree: false });
    at += 1;
  }
  return { harmless: true, reads, argv: [name, ...args], why: "find only looks and prints" };
};
