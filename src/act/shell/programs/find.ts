import { doubt, type PathUse, type Proof, type WrapperRule } from "./proof.ts";
import { proveWithUnknownWords } from "./wrappers.ts";

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

/** `find` (find(1)) with tests, with actions that only print, and with `-exec` of programs that only read. Actions that delete or write are in none of the lists. */
export const findRule: WrapperRule = (args, name, prove) => {
  let at = 0;
  while (/^-[HLP]$/.test(args[at] ?? "")) at += 1;
  const roots: string[] = [];
  while (at < args.length && !/^(?:-|\(|\)|!|,)/.test(args[at] ?? "")) {
    roots.push(args[at] ?? "");
    at += 1;
  }
  const started: Proof[] = [];
  const reads: PathUse[] = (roots.length === 0 ? ["."] : roots).map((path) => ({
    path,
    access: "names",
    tree: true,
  }));
  for (; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (alone.has(word)) continue;
    if (word === "-exec" || word === "-execdir") {
      const length = lengthOfCommand(args.slice(at + 1));
      const command = args.slice(at + 1, at + 1 + length);
      started.push(
        proveWithUnknownWords({ words: [name], command, folders: roots.length === 0 ? ["."] : roots }, prove),
      );
      at += 1 + length;
      continue;
    }
    const value = args[at + 1];
    const newer = withPath.has(word) || /^-newer[aBcm][aBcm]$/.test(word);
    if (!newer && !withWord.has(word) && !/^-newer[aBcm]t$/.test(word)) {
      return doubt(`find's ${word} is not known to be harmless`);
    }
    if (value === undefined) return doubt(`find's ${word} lacks its value`);
    if (newer) reads.push({ path: value, access: "names", tree: false });
    at += 1;
  }
  const looks: Proof = { harmless: true, reads, argv: [name, ...args], why: "find only looks and prints" };
  return started.reduce(withStarted, looks);
};

/** The words of a command behind `-exec`, up to its `;` or `{} +`; none where it has no end, or where files stand for the program. */
function lengthOfCommand(words: readonly string[]): number {
  const end = words.findIndex((word, at) => word === ";" || (word === "+" && words[at - 1] === "{}"));
  return words[0]?.includes("{}") === true ? 0 : Math.max(end, 0);
}

function withStarted(looks: Proof, started: Proof): Proof {
  if (!looks.harmless || !started.harmless) return started.harmless ? looks : started;
  const { reads, onlyConfined, starts } = started;
  return {
    ...looks,
    reads: [...looks.reads, ...reads],
    ...(onlyConfined === undefined ? {} : { onlyConfined }),
    ...(starts === undefined ? {} : { starts: [...(looks.starts ?? []), ...starts] }),
  };
}
