import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Bind } from "../sandbox/binds.ts";
import { sandboxHome } from "../sandbox/bubblewrap.ts";

/**
 * What finding the owner's identity needs: their home folder, and a folder of the agent's own for the file
 * that commands see.
 */
export type GitIdentityParts = { readonly home: string; readonly folder: string };

/** Where the system's own git may be. The workspace and the owner's `PATH` have no say. */
const places = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"];
/** Milliseconds. A file of settings may be a pipe that nobody writes to. */
const patience = 3_000;

/**
 * What git takes from the owner's settings: a file that commands see, and the folders that they call safe.
 */
export type GitOfOwner = { readonly binds: readonly Bind[]; readonly safe: readonly string[] };

/**
 * Opens what git takes from the owner's settings in the sandbox: name and mail for the commits that commands
 * make, and the folders of other users that the owner calls safe (`safe.directory`), in a file without
 * anything else of these. The settings of a repository win over it, as they do for the owner.
 */
export function openGitIdentity(parts: GitIdentityParts): () => Promise<GitOfOwner> {
  const known = { stamp: "", of: { binds: [], safe: [] } as GitOfOwner };
  return async () => {
    const stamp = stampOf(parts.home);
    if (stamp !== known.stamp) {
      known.of = await writeIdentity(parts);
      known.stamp = stamp;
    }
    return known.of;
  };
}

/** Changes when the owner's settings do. */
function stampOf(home: string): string {
  return [join(home, ".gitconfig"), join(home, ".config/git/config"), "/etc/gitconfig"]
    .map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }))
    .map((status) => (status === undefined ? "none" : `${status.ino} ${status.size} ${status.mtimeNs}`))
    .join(", ");
}

async function writeIdentity({ home, folder }: GitIdentityParts): Promise<GitOfOwner> {
  const [values, safe] = await Promise.all([readIdentity(home), readSafe(home)]);
  if (values.length + safe.length === 0) return { binds: [], safe };
  const path = join(folder, "git-identity");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  const section = (name: string, rows: readonly (readonly [string, string])[]): readonly string[] =>
    rows.length === 0 ? [] : [`[${name}]`, ...rows.map(([key, value]) => `\t${key} = ${quote(value)}`)];
  const folders = safe.map((each) => ["directory", each] as const);
  const text = [...section("user", values), ...section("safe", folders), ""].join("\n");
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, path);
  return { binds: [{ from: path, to: join(sandboxHome, ".gitconfig") }], safe };
}

/** The last value of each key wins, as in git. */
async function readIdentity(home: string): Promise<readonly (readonly [string, string])[]> {
  const printed = await readSettings(home, ["--global", "--get-regexp", "^user\\.(name|email)$"]);
  const entries = printed.flatMap((entry): readonly (readonly [string, string])[] => {
    const [, key = "", value = ""] = /^user\.(name|email)\n([^\n\r]+)$/.exec(entry) ?? [];
    return key === "" ? [] : [[key, value]];
  });
  return [...new Map(entries)];
}

/**
 * The folders that the system's settings and the owner's call safe. An empty one takes back those before
 * it.
 */
async function readSafe(home: string): Promise<readonly string[]> {
  const all = ["--type=path", "--get-all", "safe.directory"];
  const [system, own] = await Promise.all(
    ["--system", "--global"].map((scope) => readSettings(home, [scope, ...all])),
  );
  const folders = [...(system ?? []), ...(own ?? [])];
  return folders.slice(folders.lastIndexOf("") + 1).filter((folder) => !/[\n\r]/.test(folder));
}

/** What git prints of settings; nothing where none is set, or they cannot be read. */
async function readSettings(home: string, words: readonly string[]): Promise<readonly string[]> {
  const git = places.find((path) => existsSync(path));
  if (git === undefined) return [];
  const [scope = "", ...rest] = words;
  const found = await promisify(execFile)(git, ["config", scope, "--includes", "--null", ...rest], {
    cwd: "/",
    env: { HOME: home, PATH: "/usr/bin:/bin", GIT_TERMINAL_PROMPT: "0" },
    timeout: patience,
    killSignal: "SIGKILL",
  }).catch(() => ({ stdout: "" }));
  return found.stdout.split("\0").slice(0, -1);
}

function quote(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, "\\$&")}"`;
}
