/** The words of `git` (git(1)): what stands before the command, and the command with its words. */
export type GitWords = {
  /** Its options, as they were given. */
  readonly options: readonly string[];
  /** The folder that it runs in, from the one where it starts; empty where it names none. */
  readonly folder: string;
  /** Why the options are not known to be harmless; null where they are. */
  readonly doubt: string | null;
  /** The command and its words. */
  readonly words: readonly string[];
};

/** Settings that shape what is printed, and name no program and no place. */
const shownSettings =
  /^(?:color\.[a-z.]+|core\.(?:quotepath|abbrev|precomposeunicode)|log\.(?:date|decorate|abbrevcommit)|diff\.(?:renames|renamelimit|algorithm|mnemonicprefix|noprefix|context|interhunkcontext|colormoved)|status\.(?:short|branch|showuntrackedfiles|relativepaths|showstash)|column\.[a-z]+|advice\.[a-z]+|user\.(?:name|email))=/i;
const harmless = new Set("-P --no-pager --no-optional-locks --no-replace-objects".split(" "));
const withValue = new Set(
  "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source".split(" "),
);

/** Reads the options before git's command. */
export function readGitWords(args: readonly string[]): GitWords {
  let at = 0;
  let folder = "";
  let doubt: string | null = null;
  while (at < args.length && args[at]?.startsWith("-") === true) {
    const option = args[at] ?? "";
    const value = args[at + 1] ?? "";
    if (option === "-C") folder = value.startsWith("/") || folder === "" ? value : `${folder}/${value}`;
    else if (option === "-c")
      doubt ??= shownSettings.test(value) ? null : `git -c ${value} may name a program`;
    else if (!harmless.has(option)) doubt ??= `git ${option} is not known to be harmless`;
    at += withValue.has(option) ? 2 : 1;
  }
  return { options: args.slice(0, at), folder, doubt, words: args.slice(at) };
}
