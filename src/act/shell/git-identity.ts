import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Bind, sandboxHome } from "../sandbox/bubblewrap.ts";

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
 * Opens the owner's name and mail for the commits that commands make in the sandbox: the two values of the
 * owner's own git settings, in a file without anything else of these. The settings of a repository win over
 * it, as they do for the owner. What it gives is empty where the owner set neither.
 */
export function openGitIdentity(parts: GitIdentityParts): () => Promise<readonly Bind[]> {
  const known = { stamp: "", binds: [] as readonly Bind[] };
  return async () => {
    const stamp = stampOf(parts.home);
    if (stamp !== known.stamp) {
      known.binds = await writeIdentity(parts);
      known.stamp = stamp;
    }
    return known.binds;
  };
}

/** Changes when the owner's settings do. */
function stampOf(home: string): string {
  return [".gitconfig", ".config/git/config"]
    .map((name) => statSync(join(home, name), { throwIfNoEntry: false, bigint: true }))
    .map((status) => (status === undefined ? "none" : `${status.ino} ${status.size} ${status.mtimeNs}`))
    .join(", ");
}

async function writeIdentity({ home, folder }: GitIdentityParts): Promise<readonly Bind[]> {
  const values = await readIdentity(home);
  if (values.length === 0) return [];
  const path = join(folder, "git-identity");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}`;
  writeFileSync(
    partial,
    ["[user]", ...values.map(([key, value]) => `\t${key} = ${quote(value)}`), ""].join("\n"),
    {
      mode: 0o600,
    },
  );
  renameSync(partial, path);
  return [{ from: path, to: join(sandboxHome, ".gitconfig") }];
}

/** The last value of each key wins, as in git. */
async function readIdentity(home: string): Promise<readonly (readonly [string, string])[]> {
  const git = places.find((path) => existsSync(path));
  if (git === undefined) return [];
  const args = ["config", "--global", "--includes", "--null", "--get-regexp", "^user\\.(name|email)$"];
  const env = { HOME: home, PATH: "/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
  const found = await promisify(execFile)(git, args, {
    cwd: "/",
    env,
    timeout: patience,
    killSignal: "SIGKILL",
  }).catch(
    // Nothing is set, or the settings cannot be read: git then asks for an identity itself.
    () => ({ stdout: "" }),
  );
  const entries = found.stdout.split("\0").flatMap((entry): readonly (readonly [string, string])[] => {
    const [, key = "", value = ""] = /^user\.(name|email)\n([^\n\r]+)$/.exec(entry) ?? [];
    return key === "" ? [] : [[key, value]];
  });
  return [...new Map(entries)];
}

function quote(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, "\\$&")}"`;
}
