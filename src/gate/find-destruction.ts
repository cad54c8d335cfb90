/** Says in words what a command would destroy; null if nothing is recognised. Also searches scripts that are passed to a shell, word by word. It catches plain cases and proves nothing. */
export function findDestruction(argv: readonly string[], home: string): string | null {
  const texts = argv.slice(1).filter((word) => /[\s;&|<>]/.test(word));
  const commands = [argv, ...texts.flatMap((text) => text.split(/[;&|\n()]+/).map(wordsOf))];
  for (const command of commands) {
    for (const part of commandsIn(command)) {
      const what = destroys(part, home);
      if (what !== null) return what;
    }
  }
  for (const text of texts) {
    if (/\/dev\/(tcp|udp)\//.test(text)) return "opens a network connection in the shell itself";
    if (overwritesDisk.test(text)) return "overwrites a disk";
    if (/:\s*\(\)\s*\{[^}]*:\s*\|\s*:/.test(text)) return "starts processes without end";
  }
  return null;
}

const disk = "\\/dev\\/(sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\\d|mmcblk\\d|disk\\d|dm-\\d|mapper\\/)";
const overwritesDisk = new RegExp(`>\\s*["']?${disk}`);
const onDisk = new RegExp(`^${disk}`);
const everything =
  /^(\/+|~|\$HOME|\/(home|Users)\/[^/]+|\/(bin|boot|dev|etc|home|lib|lib64|opt|root|sbin|srv|sys|usr|var|Users|System|Library))$/;

/** An absolute path without `.` and `..`. */
function withoutDots(path: string): string {
  if (!path.startsWith("/") || !/\/\.\.?(?:\/|$)/.test(path)) return path;
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "." && segment !== "") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

/** Whether a word names a whole system or home folder, with or without a pattern for everything in it. */
function isEverything(word: string, home: string): boolean {
  const bare = withoutDots(word)
    .replace(/(?<=.)\/+(\.?\*|\.)?$/, "")
    .replace(/^\/\.?\*$/, "/");
  return (
    everything.test(bare === "" ? word : bare) ||
    (home !== "" && (bare === home || home.startsWith(`${bare}/`)) && bare.startsWith("/"))
  );
}

const prefixes = new Set([
  "sudo",
  "doas",
  "env",
  "nohup",
  "command",
  "exec",
  "time",
  "nice",
  "busybox",
  "timeout",
  "ionice",
  "setsid",
  "stdbuf",
  "xargs",
  "then",
  "do",
  "else",
  "if",
  "while",
  "!",
]);

function wordsOf(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll(/["'`\\{}]/g, ""))
    .filter((word) => word !== "");
}

/** The words before which a command that a prefix starts cannot begin. */
const longestPrefix = 12;

/** A command, and what may be the command that its prefixes start: behind them stand options and their values, such as `sudo -u root`. */
function commandsIn(words: readonly string[]): readonly (readonly string[])[] {
  const start = words.findIndex((word) => !prefixes.has(word) && !/^\w+=/.test(word));
  if (start < 0) return [];
  if (start === 0) return [words];
  return words.slice(start, start + longestPrefix).map((_, index) => words.slice(start + index));
}

function destroys([path = "", ...args]: readonly string[], home: string): string | null {
  const program = path.slice(path.lastIndexOf("/") + 1);
  const options = args.filter((word) => word.startsWith("-"));
  const operands = args.filter((word) => !word.startsWith("-"));
  const recursive = options.some(
    (word) => /^-[a-zA-Z]*[rR]/.test(word) || /^--r(?:ecursive|ecursi|ecurs|ecur|ecu|ec|e)?$/.test(word),
  );
  const all = operands.some((word) => isEverything(word, home));
  switch (program) {
    case "rm":
      if (options.includes("--no-preserve-root")) return "deletes the whole system";
      return recursive && all ? "deletes a whole system or home" : null;
    case "chmod":
    case "chown":
    case "chgrp":
    case "chflags":
      return recursive && all ? "changes the modes or owners of a whole system or home" : null;
    case "find": {
      const deletes =
        args.includes("-delete") ||
        (args.some((word) => /^-(exec|execdir|ok)$/.test(word)) && args.includes("rm"));
      const narrowed = args.some((word) =>
        /^-(i?name|i?path|i?regex|size|mtime|mmin|newer|empty|user|perm)$/.test(word),
      );
      return deletes && all && !narrowed ? "deletes a whole system or home" : null;
    }
    case "dd":
      return args.some((word) => word.startsWith("of=") && onDisk.test(word.slice(3)))
        ? "overwrites a disk"
        : null;
    case "wipefs":
    case "blkdiscard":
      return operands.some((word) => onDisk.test(word)) && (program !== "wipefs" || wipes(options))
        ? "erases a disk"
        : null;
    case "shred":
      return operands.some((word) => onDisk.test(word)) ? "erases a disk" : null;
    default:
      return /^mkfs(\.\w+)?$|^mkswap$/.test(program) && operands.some((word) => onDisk.test(word))
        ? "erases a disk"
        : null;
  }
}

function wipes(options: readonly string[]): boolean {
  return options.some((word) => /^-[a-z]*a/.test(word) || word === "--all");
}
