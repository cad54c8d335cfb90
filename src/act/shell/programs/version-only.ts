import { makeOptionTable, readArguments } from "./options.ts";
import { doubt, type ProgramRule, printsOnly } from "./proof.ts";

const version = makeOptionTable("--version");

/**
 * Interpreters and tools that are harmless only with `--version`. `cargo`, `rustc` and `go` are not among them:
 * a file in the current folder can make them run or fetch another program.
 */
export const versionOnlyPrograms: readonly string[] = (
  "node npm npx python python3 pip pip3 ruby perl gcc g++ cc clang make cmake java javac docker tmux emacs bash zsh " +
  "curl wget deno bun tsc rsync tar gzip sqlite3 openssl sbcl"
).split(" ");

/** Accepts `--version` alone. */
export const versionOnlyRule: ProgramRule = (args, name) => {
  const read = readArguments(args, version);
  return read.ok && args.length === 1 && args[0] === "--version"
    ? printsOnly(name, args)
    : doubt(`${name} may do anything that its arguments say`);
};
