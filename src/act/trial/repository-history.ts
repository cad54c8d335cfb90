import { spawn } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { systemPath } from "../../text/system-programs.ts";
import type { Overlay } from "../sandbox/overlay.ts";

/** An overlay, and where what was changed in it lies. */
export type OverlayFolders = Pick<Overlay, "folder" | "upper">;

/** The objects of a repository, as git reads them. */
export type History = AsyncDisposable & {
  /** What git prints; null where it fails or takes too long. */
  readonly run: (args: readonly string[], input?: readonly string[]) => Promise<string | null>;
  /** Those of some objects whose contents are there, and are what their names say; null as for `run`. */
  readonly intact: (ids: readonly string[]) => Promise<ReadonlySet<string> | null>;
  /** Whether git finds nothing wrong within so many milliseconds; null where it comes to no end. */
  readonly verify: (args: readonly string[], milliseconds: number) => Promise<boolean | null>;
};

/** Seconds. A file of a repository may be a pipe, for which git would wait for ever. */
const longest = 20;

/**
 * Opens the objects of a repository, together with those that a command made, for the system's own git. It
 * sees no setting, branch, hook or prepared graph of the repository, since the command may have written them.
 */
export async function openHistory(
  repository: string,
  idLength: number,
  { folder, upper }: OverlayFolders,
): Promise<History> {
  const objects = join(repository, "objects");
  const others = [join(upper, relative(folder, objects))];
  const shallow = join(repository, "shallow");
  return openObjects({ objects, others, shallow, idLength, beside: dirname(upper) });
}

/** Folders with objects, and where to have a folder of its own for git. */
type Objects = {
  readonly objects: string;
  readonly others: readonly string[];
  readonly shallow: string;
  readonly idLength: number;
  readonly beside: string;
};

/** Opens folders with objects, as `openHistory` does. */
export async function openObjects(from: Objects): Promise<History> {
  const place = await mkdtemp(join(from.beside, "history-"));
  await mkdir(join(place, "refs"));
  await writeFile(join(place, "HEAD"), "ref: refs/heads/none\n");
  const format = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n";
  if (from.idLength === 64) await writeFile(join(place, "config"), format);
  const env = {
    LC_ALL: "C",
    GIT_DIR: place,
    GIT_OBJECT_DIRECTORY: from.objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: from.others.map(quoted).join(":"),
    GIT_SHALLOW_FILE: from.shallow,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
  const options = ["--no-pager", "--no-replace-objects", "-c", "core.commitGraph=false"];
  const words = ["git", ...options, "-c", "core.multiPackIndex=false"];
  const start = async <Said>(
    args: readonly string[],
    input: readonly string[],
    reader: (said: Readable) => Promise<Said>,
    seconds = longest,
  ): Promise<Ended<Said>> => {
    const child = spawn("timeout", ["--kill-after=5", `${seconds}`, ...words, ...args], {
      env: { ...env, PATH: systemPath },
      cwd: "/",
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ended = new Promise<number | null>((done) => {
      child.once("error", () => done(null));
      child.once("close", done);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input.map((line) => `${line}\n`).join(""));
    const said = await reader(child.stdout);
    return { said, code: await ended };
  };
  const algorithm = from.idLength === 64 ? "sha256" : "sha1";
  return {
    run: async (args, input = []) => saidIn(await start(args, input, text)),
    intact: async (ids) =>
      saidIn(await start(["cat-file", "--batch"], ids, (said) => intactIn(said, algorithm))),
    async verify(args, milliseconds) {
      if (milliseconds <= 0) return null;
      const { code } = await start(args, [], text, milliseconds / 1000);
      return code === null || isCutOff(code) ? null : code === 0;
    },
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  };
}

type Ended<Said> = { readonly said: Said; readonly code: number | null };

/** What a program said that did its work. */
function saidIn<Said>({ said, code }: Ended<Said>): Said | null {
  return code === 0 ? said : null;
}

/** Whether `timeout` ended a program, could not start it, or says that another signal ended it. */
function isCutOff(code: number): boolean {
  return (code >= 124 && code <= 127) || code > 128;
}

/**
 * The objects that `cat-file --batch` prints whose contents have their name: of each a line with name, type
 * and size, its bytes and a line feed.
 */
async function intactIn(said: Readable, algorithm: string): Promise<ReadonlySet<string>> {
  const intact = new Set<string>();
  let [line, name, left] = ["", "", 0];
  let hash: Hash | null = null;
  for await (const chunk of said) {
    let piece = Buffer.from(chunk);
    while (piece.length > 0) {
      const end = hash === null ? piece.indexOf("\n") : left;
      const part = end < 0 ? piece : piece.subarray(0, end);
      if (hash === null) line += part.toString("latin1");
      else hash.update(part);
      left -= part.length;
      const isEnd = end >= 0 && part.length < piece.length;
      piece = piece.subarray(part.length + 1);
      if (!isEnd) continue;
      if (hash === null) {
        const [id = "", type, size] = line.split(" ");
        [line, name, left] = ["", id, Number(size)];
        if (size !== undefined) hash = createHash(algorithm).update(`${type} ${size}\0`);
      } else {
        if (hash.digest("hex") === name) intact.add(name);
        hash = null;
      }
    }
  }
  return intact;
}

/** A folder in a list that git splits at colons. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, "\\$&")}"`;
}
