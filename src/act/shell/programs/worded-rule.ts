/** What the words of a command say that it does with a path. `tree` includes everything below. */
export type WordedChange = {
  readonly path: string;
  readonly how: "read" | "write" | "delete";
  readonly tree: boolean;
  /** Whether the path begins in the owner's home folder. Default: where the command runs. */
  readonly ofHome?: true;
  /** What becomes of all of it, where nothing of it stays in its place. */
  readonly whole?: "deleted" | "moved";
  /**
   * Whether it counts in the workspace for paths only that no action may touch: there the command is tried,
   * and what it did is judged.
   */
  readonly onlyForbidden?: true;
  /** Whether it counts in the folders that each sandbox has of its own as well. Default: no. */
  readonly made?: true;
  /** What a copy or a move puts there. */
  readonly from?: string;
  /**
   * What is read, or lies outside of the workspace, counts only where this is a folder, or only where it is
   * none. Default: always.
   */
  readonly onlyWhere?: { readonly target: string; readonly isFolder: boolean };
  /**
   * Whether it may leave a file of another kind, or with other rights. Default: it changes what a file holds.
   */
  readonly replaces?: true;
  /**
   * Why no copy holds it, with what to propose instead, in words: outside of the workspace it is refused
   * then.
   */
  readonly unheld?: string;
  /** The name that the command takes itself where it is a link: then nothing behind that link changes. */
  readonly unfollowed?: string;
};

/** The words behind a program: all of them, and parted into options and operands. */
export type Words = {
  readonly args: readonly string[];
  readonly options: readonly string[];
  readonly operands: readonly string[];
};

/** Reads from the words of one program what it does with files. */
export type WordedRule = (words: Words) => readonly WordedChange[];

/** The same done with each of some paths. */
export function all(
  paths: readonly string[],
  how: WordedChange["how"],
  tree = false,
): readonly WordedChange[] {
  return paths.map((path) => ({ path, how, tree }));
}

/** The values of options, in the forms `-o x`, `-ox`, `-abo x`, `--output x` and `--output=x`. */
export function valuesOf(args: readonly string[], ...names: readonly string[]): readonly string[] {
  return args.flatMap((word, at) => {
    const next = args[at + 1];
    for (const name of names) {
      if (word.startsWith(`${name}=`)) return [word.slice(name.length + 1)];
      const isShort = /^-[A-Za-z]$/.test(name);
      const isLast = isShort && /^-[A-Za-z]+$/.test(word) && word.endsWith(name.slice(1));
      if (word === name || isLast) return next === undefined ? [] : [next];
      if (isShort && word.startsWith(name)) return [word.slice(2)];
    }
    return [];
  });
}
