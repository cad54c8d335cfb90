import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { systemPath } from "../../signal/system-programs.ts";
import type { Overlay } from "../sandbox/overlay.ts";

/** An overlay, and where what was changed in it lies. */
export type OverlayFolders = Pick<Overlay, "folder" | "upper">;

/** The objects of a repository, as git reads them. */
export type History = AsyncDisposable & {
  /** What git prints; null where it fails or takes too long. */
  readonly run: (args: readonly string[], input?: readonly string[]) => Promise<string | null>;
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
