import { readGitWords } from "./git-words.ts";
import { baseName, scriptOf, withoutWrappers } from "./unwrap-words.ts";

/** Where a command would connect to, as its words say: hosts or URLs, and remotes of the repository whose URLs its settings hold. */
export type NetworkUse = {
  readonly hosts: readonly string[];
  /** Names of remotes; empty text for the one that git takes by itself. */
  readonly remotes: readonly string[];
};

type Rule = (args: readonly string[]) => NetworkUse;

const nothing: NetworkUse = { hosts: [], remotes: [] };

/**
 * Programs that connect to hosts, each with a rule that reads the hosts from its words. A command whose hosts are not found runs without network,
 * unless the proposal names them.
 */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...each("curl wget http https aria2c lynx w3m yt-dlp", client),
  ["git", git],
  // The registry that a package manager takes by itself is in its settings: without one in its words it runs without network, and its failure names the host.
  ...each(
    "npm pnpm yarn bun npx bunx pnpx pip pip3 pipx uv uvx poetry cargo go gem bundle bundler composer",
    registry,
  ),
  ["gh", () => ({ hosts: ["https://api.github.com", "https://github.com"], remotes: [] })],
]);

/** Reads from the words of a command where it would connect to. A script after `-c` is read as words too. */
export function networkUse(argv: readonly string[]): NetworkUse {
  const [path, ...args] = withoutWrappers(argv);
  const program = baseName(path);
  const module = /^python[\d.]*$/.test(program) && args[0] === "-m" ? args.slice(1) : null;
  if (module !== null) return networkUse(module);
  const script = scriptOf(argv);
  if (script !== null) return networkUseOfScript(script);
  return rules.get(program)?.(args) ?? nothing;
}

/** Reads a script as plain words, part by part. What it computes is not known. */
function networkUseOfScript(script: string): NetworkUse {
  const parts = script.split(/[;&|\n()`]+|\b(?:do|then|else|if|while)\b/).map((part) => part.split(/\s+/));
  const uses = parts.map((words) =>
    networkUse(words.map((word) => word.replaceAll(/["'$]/g, "")).filter((word) => word !== "")),
  );
  return { hosts: uses.flatMap(({ hosts }) => hosts), remotes: uses.flatMap(({ remotes }) => remotes) };
}

function each(programs: string, rule: Rule): readonly (readonly [string, Rule])[] {
  return programs.split(" ").map((program) => [program, rule] as const);
}

function urlsIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => /https?:\/\/[^\s"'<>]+/i.exec(word)?.[0] ?? []);
}

/** A client of the Web: its URLs, or a last word that looks like a host. */
function client(args: readonly string[]): NetworkUse {
  const urls = urlsIn(args);
  const last = args.at(-1) ?? "";
  const bare = urls.length === 0 && /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:\/|$)/i.test(last);
  return { hosts: bare ? [`http://${last}`] : urls, remotes: [] };
}

/** A package manager: the registry that its words name. */
function registry(args: readonly string[]): NetworkUse {
  const isOffline = args.some((word) => /^(?:--offline|--version|-v|--help|-h)$/.test(word));
  return isOffline ? nothing : { hosts: urlsIn(args), remotes: [] };
}

const remoteCommands = new Set("fetch pull push ls-remote clone submodule remote archive lfs".split(" "));

/** Git: the URL in its words, or the remote that they name. */
function git(args: readonly string[]): NetworkUse {
  const [command = "", ...words] = readGitWords(args).words;
  const rest = words.filter((word) => !word.startsWith("-"));
  if (!remoteCommands.has(command)) return nothing;
  const urls = urlsIn(rest);
  if (urls.length > 0) return { hosts: urls, remotes: [] };
  if (command === "clone" || command === "archive" || command === "submodule") return nothing;
  if (command === "remote")
    return rest[0] === "update" || rest[0] === "show" ? { hosts: [], remotes: [rest[1] ?? ""] } : nothing;
  return { hosts: [], remotes: [rest[0] ?? ""] };
}
