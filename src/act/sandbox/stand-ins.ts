import { once } from "node:events";
import { chmod, link, mkdir, open, readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { isRunning } from "../../machine/is-running.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { removeTree } from "./overlay.ts";
import { makeStandIns, standInsPrefix } from "./process-folders.ts";

/** A folder of more names is closed as a whole. */
const mostNames = 20_000;

/** Folders that a start removes at most. */
const mostRemoved = 100;

/** Removes the stand-ins of processes of this user that were killed. Gives what could not be removed. */
export async function removeLeftStandIns(place: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const left = (await namesIfThere(place)).filter(isLeft);
  for (const path of left.slice(0, mostRemoved).map((name) => join(place, name))) {
    const status = await entryIfThere(path);
    if (status?.isDirectory() !== true || status.uid !== process.geteuid?.()) continue;
    await removeTree(path).catch((fault: Error) => problems.push(`${fault.message}.`));
  }
  return problems;
}

function isLeft(name: string): boolean {
  const [prefix = "", pid] = name.split(/(?<=-)(\d+)-/);
  return prefix === standInsPrefix && pid !== undefined && !isRunning(Number(pid));
}

/**
 * Folders that stand in for secret ones in the views of commands. Each name of the folder is there, and none
 * can be opened: it is a socket, which no program takes for a file that was changed, emptied or deleted. The
 * folder itself cannot be listed, but by root. Where its names cannot be listed outside either, or are too
 * many, the whole is closed.
 */
export class StandIns implements AsyncDisposable {
  readonly #made = new Map<string, string>();
  /** The folder that they are in, once there is one. */
  #place: string | null = null;

  /** The path of the stand-in of a folder, with the names that the folder had when it was first asked for. */
  async of(folder: string): Promise<string> {
    const known = this.#made.get(folder);
    if (known !== undefined) return known;
    this.#place ??= await makeStandIns();
    const made = join(this.#place, String(this.#made.size));
    await makeStandIn(made, await namesIn(folder));
    this.#made.set(folder, made);
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#place !== null) await removeTree(this.#place);
  }
}

async function makeStandIn(made: string, names: readonly Name[] | null): Promise<void> {
  await mkdir(made);
  if (names !== null) {
    await using socket = await makeSocket(dirname(made));
    for (const { inside, isFolder } of names) {
      const path = bytesOfPath(join(made, inside));
      await (isFolder ? mkdir(path) : link(socket.path, path));
    }
  }
  const folders = (names ?? []).filter(({ isFolder }) => isFolder).map(({ inside }) => inside);
  for (const inside of [...folders.toReversed(), ""])
    await chmod(bytesOfPath(join(made, inside)), names === null ? 0 : 0o111);
}

type Name = { readonly inside: string; readonly isFolder: boolean };

/**
 * All names below a folder, each after the folder that it is in; null where they cannot be known. No
 * repository has the `.git` of another one in it.
 */
async function namesIn(root: string): Promise<readonly Name[] | null> {
  const found: Name[] = [];
  const folders = [""];
  for (const folder of folders) {
    const path = bytesOfPath(join(root, folder));
    const entries = await readdir(path, { withFileTypes: true, encoding: "buffer" }).catch(() => null);
    if (entries === null) return null;
    for (const entry of entries) {
      const name = textOfName(entry.name);
      if (name === ".git") continue;
      const inside = join(folder, name);
      found.push({ inside, isFolder: entry.isDirectory() });
      if (entry.isDirectory()) folders.push(inside);
    }
    if (found.length > mostNames) return null;
  }
  return found;
}

/**
 * A socket by a path that is short enough for one. Nobody listens at it once it is disposed; then this name
 * of it is gone, and its others stay.
 */
async function makeSocket(place: string): Promise<AsyncDisposable & { readonly path: string }> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await open(place));
  const path = `/proc/self/fd/${folder.fd}/socket`;
  const server = createServer();
  server.listen(path);
  await once(server, "listening");
  stack.use(server);
  const opened = stack.move();
  return { path, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
