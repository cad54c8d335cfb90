import { join } from "node:path";
import { all, valuesOf, type WordedChange } from "./worded-rule.ts";

/**
 * What git makes at a path that its words name: another work tree or repository, an archive, a bundle,
 * patches. Outside of the workspace no copy holds it.
 */
export function gitOutputs(verb: string, words: readonly string[], folder: string): readonly WordedChange[] {
  const named = outputsOf(verb, words).map((path) => (path.startsWith("/") ? path : join(folder, path)));
  const unheld = makesRepository.has(verb)
    ? "a repository or a work tree there is more than a copy of what is there could hold. Make it in a folder of the workspace, or leave it to the owner"
    : "git can write there nothing that an undo takes back. Let it write into the workspace, and propose cp FILE PLACE";
  return all(named, "write", true).map((change) => ({ ...change, onlyForbidden: true, made: true, unheld }));
}

const makesRepository: ReadonlySet<string> = new Set(["worktree", "clone", "init"]);

function outputsOf(verb: string, words: readonly string[]): readonly string[] {
  switch (verb) {
    case "worktree": {
      const [, ...rest] = words;
      if (words[0] === "add") return operandsOf(rest, "-b", "-B", "--reason").slice(0, 1);
      return words[0] === "move" ? operandsOf(rest).slice(1, 2) : [];
    }
    case "clone":
      return [...operandsOf(words, ...valuedByClone).slice(1, 2), ...valuesOf(words, "--separate-git-dir")];
    case "init":
      return [
        ...operandsOf(words, "-b", "--initial-branch", "--template", "--separate-git-dir").slice(0, 1),
        ...valuesOf(words, "--separate-git-dir"),
      ];
    case "archive":
      return valuesOf(words, "-o", "--output");
    case "bundle":
      return words[0] === "create" ? operandsOf(words.slice(1)).slice(0, 1) : [];
    case "format-patch":
      return valuesOf(words, "-o", "--output-directory", "--output");
    case "diff":
    case "log":
    case "show":
      return valuesOf(words, "--output");
    default:
      return [];
  }
}

const valuedByClone = [
  "-b",
  "--branch",
  "-o",
  "--origin",
  "-u",
  "--upload-pack",
  "-c",
  "--config",
  "-j",
].concat(
  ["--jobs", "--depth", "--reference", "--reference-if-able", "--template", "--separate-git-dir", "--filter"],
  ["--shallow-since", "--shallow-exclude", "--bundle-uri", "--server-option"],
);

/** The words that are no options, without the values of those that take the next word. */
function operandsOf(words: readonly string[], ...valued: readonly string[]): readonly string[] {
  return words.filter((word, at) => !word.startsWith("-") && !valued.includes(words[at - 1] ?? ""));
}
