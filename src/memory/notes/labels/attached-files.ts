import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, relative, resolve } from "node:path";
import type { NoteNode } from "../../../notes/note-node.ts";
import { bottomLabel, joinAll, type Label, secrecyOf } from "../../../signal/label.ts";
import { isInside } from "../../../text/is-inside.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import type { NoteIndex } from "../index/note-index.ts";

/** What finding the entries needs that files are attached to. */
export type AttachedFilesParts = {
  readonly index: Pick<NoteIndex, "root" | "claimants" | "nodesInFile" | "nodesWithFolder">;
  /** The notes folders. */
  readonly folders: readonly string[];
  readonly pathOf: (file: string) => string;
};

/** Properties that name the folder of an entry's attachments. */
const folderProperties = ["DIR", "ATTACH_DIR"] as const;
/** How many folders of a path an ID is looked for in: Org cuts it into two. */
const mostParts = 3;
/** How many folders are remembered. */
const mostKnown = 100_000;

type NamedFolder = { readonly folder: string; readonly note: string; readonly label: Label };

/**
 * Labels files by the entries that Org attaches them to: in the folder that a property of the entry names, or
 * in folders whose names make up its ID (`data/ab/cdef…`), wherever they are in a notes folder.
 */
export class AttachedFiles {
  readonly #parts: AttachedFilesParts;
  #root: string | null = null;
  #roots: readonly string[] = [];
  #named: readonly NamedFolder[] = [];
  /** The labels of folders by their IDs. */
  readonly #known = new Map<string, Promise<Label>>();

  constructor(parts: AttachedFilesParts) {
    this.#parts = parts;
  }

  /** How secret files or folders are, at real paths, as parts of what is attached. */
  async labelOf(paths: readonly string[]): Promise<Label> {
    await this.#refresh();
    const labels: Label[] = [];
    for (const path of paths) labels.push(await this.#labelOfOne(path));
    return joinAll(labels);
  }

  async #labelOfOne(path: string): Promise<Label> {
    const around = this.#named.filter(({ folder, note }) =>
      // A folder that has the note itself in it has other notes, too, which have their own tags.
      isInside(folder, note) ? isInside(folder, path) && !isOrgFile(path) : isInside(folder, path),
    );
    const root = this.#roots.find((folder) => isInside(folder, path));
    const byId = root === undefined ? bottomLabel : await this.#labelById(path, root);
    return joinAll([byId, ...around.map(({ label }) => label)]);
  }

  async #refresh(): Promise<void> {
    const { index, folders, pathOf } = this.#parts;
    const root = await index.root();
    if (root === this.#root) return;
    this.#roots = await Promise.all(folders.map(realPathOf));
    const named: NamedFolder[] = [];
    for (const node of await index.nodesWithFolder()) {
      const label = await this.#labelOfNode(node);
      const note = await realPathOf(pathOf(node.file));
      const names = folderProperties.flatMap((name) => node.properties[name] ?? []);
      for (const name of label.secrecy === "public" ? [] : names) {
        const typed = name.trim().replace(/^~(?=\/|$)/, homedir());
        named.push({ folder: await realPathOf(resolve(dirname(pathOf(node.file)), typed)), note, label });
      }
    }
    this.#named = named;
    this.#known.clear();
    this.#root = root;
  }

  #labelById(path: string, root: string): Promise<Label> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    if (this.#known.size >= mostKnown) this.#known.clear();
    const label = this.#findById(path, root);
    this.#known.set(path, label);
    return label;
  }

  async #findById(path: string, root: string): Promise<Label> {
    if (path === root) return bottomLabel;
    const folders = relative(root, path).split("/");
    const labels = [await this.#labelById(dirname(path), root)];
    for (let parts = 1; parts <= Math.min(mostParts, folders.length); parts += 1) {
      const nodes = await this.#parts.index.claimants(folders.slice(-parts).join(""));
      for (const node of nodes) labels.push(await this.#labelOfNode(node));
    }
    return joinAll(labels);
  }

  /** How secret a node is, or an entry below it that keeps its attachments with it. */
  async #labelOfNode(node: NoteNode): Promise<Label> {
    const own = secrecyOf([node.label]);
    if (own.secrecy !== "public") return own;
    const { level, begin, end } = node;
    const all = await this.#parts.index.nodesInFile(node.file);
    const below = all.filter((one) => one.level > level && one.begin >= begin && one.end <= end);
    return secrecyOf(below.filter(inherits).map(({ label }) => label));
  }
}

/** Whether an entry has attachments, and none in a folder of its own. */
function inherits({ localTags, properties }: NoteNode): boolean {
  const hasOwn = ["ID", ...folderProperties].some((name) => properties[name] !== undefined);
  return !hasOwn && localTags.some((tag) => tag.toUpperCase() === "ATTACH");
}

/** The real path as far as there is one. */
async function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(async () =>
    path === "/" ? path : resolve(await realPathOf(dirname(path)), basename(path)),
  );
}
