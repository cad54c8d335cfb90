import { basename } from "node:path";
import { readGitWords } from "./git-words.ts";
import { scriptOf, withoutWrappers } from "./unwrap-words.ts";
import { wordedChanges } from "./worded-changes.ts";

/** What a command destroys; `items` is null where nobody knows it before it runs. */
export type DestroyedSet = { readonly kind: string; readonly items: readonly string[] | null };

/** The branches, services, containers and the like that a command destroys or stops, by its words. Null where it is not known to destroy any, and for files, which are looked up. */
export function destroyedSet(argv: readonly string[]): DestroyedSet | null {
  const [path = "", ...args] = withoutWrappers(argv);
  const program = basename(path);
  const script = scriptOf(argv);
  if (script !== null) return setOfScript(script);
  if (argv[0] === "xargs" && destroys([program, ...args, "x"])) return { kind: "things", items: null };
  const deletes = wordedChanges(argv).some(({ how }) => how === "delete");
  if (program === "find" && deletes) return { kind: "files", items: null };
  return rules.get(program)?.(args) ?? null;
}

type Rule = (args: readonly string[]) => DestroyedSet | null;

const plain = (args: readonly string[]): readonly string[] => args.filter((word) => !word.startsWith("-"));

/** Names that a program would look up itself are a query: nobody knows yet what they stand for. */
function listed(kind: string, items: readonly string[]): DestroyedSet | null {
  if (items.length === 0) return null;
  return { kind, items: items.some((item) => /[*?[\]$`]/.test(item)) ? null : items };
}

/** A program whose first word says what it does, and whose other words are what it does that to. */
function verbs(kind: string, destroying: RegExp, everything: RegExp): Rule {
  return (args) => {
    const [verb = "", ...items] = plain(args);
    if (!destroying.test(verb)) return null;
    return args.some((word) => everything.test(word)) ? { kind, items: null } : listed(kind, items);
  };
}

const services = verbs(
  "services",
  /^(?:stop|disable|restart|mask|kill|try-restart|isolate)$/,
  /^(?:--all|-a)$/,
);
const containers = verbs("containers", /^(?:rm|rmi|stop|kill|restart|pause)$/, /^(?:--all|-a)$/);

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["git", git],
  ["systemctl", services],
  [
    "service",
    (args) =>
      /^(?:stop|restart)$/.test(args.at(-1) ?? "") ? listed("services", plain(args).slice(0, -1)) : null,
  ],
  ...["docker", "podman"].map((name): readonly [string, Rule] => [
    name,
    (args) => {
      const words = plain(args);
      if (words.includes("prune")) return { kind: "containers", items: null };
      const object = /^(?:container|image|volume|network)$/.test(words[0] ?? "");
      return containers(object ? args.filter((word) => word !== words[0]) : args);
    },
  ]),
  [
    "kubectl",
    (args) => {
      const [verb, , ...items] = plain(args);
      if (verb !== "delete") return null;
      return args.some((word) => /^(?:--all|-l|--selector.*|-f|--filename.*)$/.test(word))
        ? { kind: "objects", items: null }
        : listed("objects", items);
    },
  ],
  ["kill", (args) => listed("processes", plain(args))],
  ...["pkill", "killall"].map((name): readonly [string, Rule] => [
    name,
    () => ({ kind: "processes", items: null }),
  ]),
  ["crontab", (args) => (args.includes("-r") ? { kind: "jobs", items: null } : null)],
  ...["npm", "pnpm", "yarn", "pip", "pip3", "apt", "apt-get", "brew", "cargo"].map(
    (name): readonly [string, Rule] => [
      name,
      verbs("packages", /^(?:uninstall|remove|rm|purge|autoremove)$/, /^--all$/),
    ],
  ),
]);

function git(args: readonly string[]): DestroyedSet | null {
  const [verb = "", ...rest] = readGitWords(args).words;
  const names = plain(rest);
  const removes = rest.some((word) => /^(?:-d|-D|--delete)$/.test(word));
  switch (verb) {
    case "branch":
    case "tag":
      return removes ? listed(verb === "tag" ? "tags" : "branches", names) : null;
    case "push": {
      const dropped = names.slice(1).filter((name) => removes || name.startsWith(":"));
      return listed(
        "branches",
        dropped.map((name) => name.replace(/^:/, "")),
      );
    }
    case "worktree":
      return names[0] === "remove" ? listed("work trees", names.slice(1)) : null;
    case "stash":
      return names[0] === "clear" ? { kind: "stashes", items: null } : null;
    case "clean":
      return rest.some((word) => /^-[a-z]*f|^--force$/.test(word)) ? { kind: "files", items: null } : null;
    case "reset":
      return rest.includes("--hard") ? { kind: "changes", items: null } : null;
    case "checkout":
    case "restore":
      return replacedFiles(verb, rest);
    default:
      return null;
  }
}

/** The files whose changes `git checkout -- FILE…` and `git restore FILE…` throw away. */
function replacedFiles(verb: string, rest: readonly string[]): DestroyedSet | null {
  const end = rest.indexOf("--");
  const files = end >= 0 ? rest.slice(end + 1) : verb === "restore" ? plain(rest) : plain(rest).slice(-1);
  if (files.some((file) => file === "." || file.endsWith("/"))) return { kind: "changes", items: null };
  return end < 0 && verb === "checkout" ? null : listed("changes", files);
}

/** Whether a command destroys anything, by its words. */
function destroys(argv: readonly string[]): boolean {
  return wordedChanges(argv).some(({ how }) => how !== "read") || isRuled(argv);
}

function isRuled(argv: readonly string[]): boolean {
  const [program = "", ...args] = withoutWrappers(argv);
  return rules.get(basename(program))?.(args) != null;
}

/** A script that destroys something may compute what: nobody knows the set before it runs. */
function setOfScript(script: string): DestroyedSet | null {
  return commandsOf(script).some(destroys) ? { kind: "things", items: null } : null;
}

/**
 * Whether the worst that a script says is that it writes files: then its trial tells which ones. What it
 * deletes, moves or stops is asked about before it runs.
 */
export function onlyWrites(argv: readonly string[]): boolean {
  const script = scriptOf(argv);
  return script !== null && commandsOf(script).every((part) => !removes(part));
}

/**
 * What may be a command in a script, with one word more: a part may get its words from the part behind it.
 */
function commandsOf(script: string): readonly (readonly string[])[] {
  const parts = script.split(/[;&|\n`{}]+|\$\(|\)|\b(?:do|then|else|if|while|until)\b/);
  return parts.map((part) => [
    ...part.split(/\s+/).flatMap((word) => word.replaceAll(/["'\\]/g, "") || []),
    "x",
  ]);
}

function removes(argv: readonly string[]): boolean {
  return wordedChanges(argv).some(({ how }) => how === "delete") || isRuled(argv);
}
