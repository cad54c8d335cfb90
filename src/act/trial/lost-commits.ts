import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { isInside } from "../../signal/is-inside.ts";
import { systemPath } from "../../signal/system-programs.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { afterwards, type Difference, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { textOf } from "./text-of.ts";

/** What a command changed. */
type Tried = Pick<Difference, "exchanges"> & { readonly overlay: Pick<Overlay, "folder" | "upper"> };

/**
 * The commits that no branch or tag of its repository leads to any more, once `branch` (a file of the
 * repository, or the `HEAD` of a detached work tree) is what the command made of it. A commit that stands
 * there with the same change, as after a rebase, is not lost; nor is the last one where another takes its
 * place that changes all the same files, as after an amend. Null where that cannot be found out.
 */
export async function lostCommits(branch: string, tried: Tried): Promise<readonly string[] | null> {
  const repository = await repositoryOf(branch);
  if (repository === null) return null;
  const name = relative(repository, branch);
  const [before, after] = [await refsOf(repository), await refsOf(repository, tried)];
  if (before === null || after === null) return null;
  const old = idIn(textOf(branch)) ?? before.get(name);
  const now = after.get(name) ?? idIn(textOf(afterwards(tried.exchanges)(branch) ?? ""));
  if (old === undefined || old === now) return [];
  if (now === undefined) return null;
  const others = [...after].flatMap(([other, id]) => (other === name ? [] : [`^${id}`]));
  await using git = await openHistory(repository, old.length, tried.overlay);
  const gone = await git.run(["rev-list", "--count", "--stdin"], [old, `^${now}`, ...others]);
  if (gone === null || gone === "0\n") return gone && [];
  const sides = await git.run(
    ["log", "--left-right", "--cherry-pick", "-z", "--format=%m%H %h %s", "--stdin"],
    [`${now}...${old}`, ...others],
  );
  if (sides === null) return null;
  const lost = sides.split("\0").flatMap((line) => (line.startsWith(">") ? [line.slice(1)] : []));
  const [id = "", ...more] = lost.map((line) => line.split(" ", 1)[0] ?? "");
  const isAmended = more.length === 0 && sides.includes("<") && (await holdsChange(git, id, now));
  return isAmended ? [] : lost.map((line) => line.slice(line.indexOf(" ") + 1));
}

/** Whether a commit changes every file that another one changed, seen from the parent of that one. */
async function holdsChange(git: History, lost: string, now: string): Promise<boolean> {
  const parent = (await git.run(["log", "-1", "--format=%P", lost]))?.trim().split(" ", 1)[0];
  const start = parent === "" || parent === undefined ? emptyTrees.get(lost.length) : parent;
  const names = async (commit: string): Promise<readonly string[] | undefined> =>
    (await git.run(["diff-tree", "-r", "-z", "--name-only", `${start}`, commit]))?.split("\0");
  const [was, is] = [await names(lost), new Set(await names(now))];
  return was?.every((file) => is.has(file)) === true;
}

/** The tree without files, which git knows without keeping it, by the length of names of objects. */
const emptyTrees: ReadonlyMap<number, string> = new Map(
  [
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
  ].map((id) => [id.length, id]),
);

/** The repository that a file belongs to: the nearest folder above it with objects. */
async function repositoryOf(file: string): Promise<string | null> {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if ((await statusOf(join(folder, "objects")))?.isDirectory() === true) return folder;
  return null;
}

/** A repository with more branches and tags is not looked through. */
const mostRefs = 5_000;

/**
 * The branches and tags of a repository with the objects that they name, also those of other repositories
 * that it knows; as they would be after a command, where one is given. Null where they are too many.
 */
async function refsOf(repository: string, tried?: Tried): Promise<ReadonlyMap<string, string> | null> {
  const exchanges = (tried?.exchanges ?? []).filter(
    ({ path }) => isInside(repository, path) || isInside(path, repository),
  );
  const at = afterwards(exchanges);
  const packed = at(join(repository, "packed-refs"));
  const listed = packed === null || (await statusOf(packed)) === null ? "" : textOf(packed);
  if (listed === null) return null;
  const found = new Map<string, string>();
  for (const [, id = "", name = ""] of listed.matchAll(packedRef)) found.set(name, id);
  const refs = join(repository, "refs");
  for (const { path, incoming } of [{ path: refs, incoming: refs }, ...exchanges])
    for await (const { inside, status } of incoming === null ? [] : walkEntries(incoming)) {
      const file = join(path, inside);
      const name = relative(repository, file);
      if (!status.isFile() || !keeps.test(name)) continue;
      const id = idIn(textOf(at(file) ?? ""));
      if (id !== undefined) found.set(name, id);
      if (found.size > mostRefs) return null;
    }
  return found.size > mostRefs ? null : found;
}

const keeps = /^refs\/(?:heads|tags|remotes)\//;
const packedRef = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/(?:heads|tags|remotes)\/.+)$/gm;

/** The name of an object that a branch or tag holds. */
function idIn(held: string | null): string | undefined {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})(?=\n$)/.exec(held ?? "")?.[0];
}

type History = AsyncDisposable & {
  /** What git prints; null where it fails or takes too long. */
  readonly run: (args: readonly string[], input?: readonly string[]) => Promise<string | null>;
};

/** Seconds. A file of a repository may be a pipe, for which git would wait for ever. */
const longest = 20;

/**
 * Opens the objects of a repository, together with those that a command made, for the system's own git. It
 * sees no setting, branch, hook or prepared graph of the repository, since the command may have written them.
 */
async function openHistory(
  repository: string,
  idLength: number,
  { folder, upper }: Tried["overlay"],
): Promise<History> {
  const place = await mkdtemp(join(dirname(upper), "history-"));
  await mkdir(join(place, "refs"));
  await writeFile(join(place, "HEAD"), "ref: refs/heads/none\n");
  const format = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n";
  if (idLength === 64) await writeFile(join(place, "config"), format);
  const objects = join(repository, "objects");
  const env = {
    LC_ALL: "C",
    GIT_DIR: place,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(upper, relative(folder, objects))),
    GIT_SHALLOW_FILE: join(repository, "shallow"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
  const options = ["--no-pager", "--no-replace-objects", "-c", "core.commitGraph=false"];
  const words = ["--kill-after=5", `${longest}`, "git", ...options, "-c", "core.multiPackIndex=false"];
  return {
    async run(args, input = []) {
      const child = spawn("timeout", [...words, ...args], {
        env: { ...env, PATH: systemPath },
        cwd: "/",
        stdio: ["pipe", "pipe", "ignore"],
      });
      const ended = new Promise<boolean>((done) => {
        child.once("error", () => done(false));
        child.once("close", (code) => done(code === 0));
      });
      child.stdin.on("error", () => undefined);
      child.stdin.end(input.map((line) => `${line}\n`).join(""));
      const said = await text(child.stdout);
      return (await ended) ? said : null;
    },
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  };
}

/** A folder in a list that git splits at colons. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, "\\$&")}"`;
}
