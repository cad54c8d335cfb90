import { makeOptionTable, readArguments } from "./options.ts";
import { doubt, type ProgramRule, printsOnly } from "./proof.ts";

const version = makeOptionTable("--version");

/**
 * Interpreters and tools that are harmless only with `--version`. `cargo`, `rustc` and `go` are not among them:
 * a file in the current folder can make them run or fetch another program. With the manual page of each, or its own help where it has none.
 */
export const versionOnlyPrograms: Readonly<Record<string, string>> = {
  node: "node(1) nodejs 20.20.2",
  npm: "npm(1) npm 10.8.2",
  npx: "npx(1) npm 10.8.2",
  python: "python3(1) python3.11 3.11.2",
  python3: "python3(1) python3.11 3.11.2",
  pip: "pip(1) python3-pip 23.0.1",
  pip3: "pip3(1) python3-pip 23.0.1",
  ruby: "ruby(1) ruby3.1 3.1.2",
  perl: "perl(1) perl-base 5.36.0",
  gcc: "gcc(1) gcc-12 12.2.0",
  "g++": "g++(1) g++-12 12.2.0",
  cc: "cc(1) gcc-12 12.2.0",
  clang: "clang(1) clang-14 14.0.6",
  make: "make(1) make 4.3",
  cmake: "cmake(1) cmake 3.25.1",
  java: "java(1) openjdk-17-jre-headless 17.0.15",
  javac: "javac(1) openjdk-17-jdk-headless 17.0.15",
  docker: "docker(1) docker.io 20.10.24",
  tmux: "tmux(1) tmux 3.3a",
  emacs: "emacs(1) emacs 28.2",
  zsh: "zsh(1) zsh 5.9",
  curl: "curl(1) curl 7.88.1",
  wget: "wget(1) wget 1.21.3",
  deno: "deno --help, deno 2.0",
  bun: "bun --help, bun 1.1",
  tsc: "tsc(1) node-typescript 4.8.4",
  rsync: "rsync(1) rsync 3.5.0",
  tar: "tar(1) tar 1.34",
  gzip: "gzip(1) gzip 1.12",
  sqlite3: "sqlite3(1) sqlite3 3.40.1",
  openssl: "openssl(1ssl) openssl 3.0.19",
  sbcl: "sbcl(1) sbcl 2.2.9",
};

/** Accepts `--version` alone. */
export const versionOnlyRule: ProgramRule = (args, name) => {
  const read = readArguments(args, version);
  return read.ok && args.length === 1 && args[0] === "--version"
    ? printsOnly(name, args)
    : doubt(`${name} may do anything that its arguments say`);
};
