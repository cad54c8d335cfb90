import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import {
  findObjects,
  git,
  ifThere,
  linesOf,
  objectsOf,
  type Repository,
  stampOfObjects,
} from "./git-objects.ts";
import { findSecretBlobs, learnPresent, type SecretBlobs } from "./secret-blobs.ts";
import { writeLooseStandIn, writePackedStandIns } from "./stand-in-objects.ts";

/** What is covered of a store of objects: a file, or a folder with what is seen in its place. */
export type ObjectMask = {
  readonly path: string;
  readonly kind: "file" | "folder";
  readonly standIn?: string;
};

/** The repositories that a command could read, and which of them it uses. */
export type HiddenIn = {
  readonly repositories: readonly string[];
  /** Where it works and what it names, by which it uses repositories; null where it uses all. */
  readonly used: { readonly cwd: string; readonly named: readonly string[] } | null;
  /** Secret files that are there. */
  readonly present: readonly string[];
  readonly cancel: AbortSignal;
};

export type HiddenObjectsParts = {
  readonly isSecretPath: (path: string) => boolean;
  readonly searchPath: string;
  /** Makes a folder of this process for packs that stand in for others. */
  readonly makeFolder: () => Promise<string>;
};

type Pack = { readonly key: string; readonly masks: readonly ObjectMask[] };
type Known = SecretBlobs & { stamp: string; masks: readonly ObjectMask[]; readonly packs: Map<string, Pack> };

/** Milliseconds after which what failed is not tried again, until there are other objects. */
const patience = 10_000;

/** Above these limits a whole store, or all of its packs, are covered. Bytes. */
const most = { loose: 1000, packed: 500_000_000 };

/**
 * What of the objects of repositories commands must not see: what git keeps of secret files, of any commit.
 * The other objects stay: something else stands under the names of those, since git commits nothing without
 * them. Where it cannot be known what is secret, no object is seen.
 */
export class HiddenObjects {
  readonly #parts: HiddenObjectsParts;
  readonly #known = new Map<string, Known>();
  readonly #looking = new Map<string, Promise<readonly ObjectMask[]>>();
  #folder: Promise<string> | null = null;
  #loose: Promise<string> | null = null;
  #made = 0;

  constructor(parts: HiddenObjectsParts) {
    this.#parts = parts;
  }

  /**
   * What is covered of repositories, by their own folders. One that is not used is not looked into, which may
   * take minutes: none of its objects is seen. The others, and what they borrow from, are looked into one
   * after another. Throws once it is cancelled.
   */
  async masksOf({ repositories, used, present, cancel }: HiddenIn): Promise<readonly ObjectMask[]> {
    const found = repositories.map(async (each) => [each, await storesOf(join(each, "objects"))] as const);
    const stores = new Map(await Promise.all(found));
    const isUsed = used === null ? () => true : await useTest(used);
    const seen = new Set([...stores].flatMap(([each, all]) => (isUsed(each) ? all : [])));
    const masks: (readonly ObjectMask[])[] = [];
    for (const [each, all] of stores)
      if (seen.has(all[0] ?? "")) masks.push(await this.#lookInTurn(each, present, cancel));
      else masks.push(all.filter((path) => !seen.has(path)).map((path) => ({ path, kind: "folder" })));
    return masks.flat();
  }

  /** Whether commands saw other contents than a repository has. */
  isCovered(repository: string): boolean {
    return (this.#known.get(repository)?.masks.length ?? 0) > 0;
  }

  async #lookInTurn(
    repository: string,
    present: readonly string[],
    cancel: AbortSignal,
  ): Promise<readonly ObjectMask[]> {
    const before = this.#looking.get(repository) ?? Promise.resolve([]);
    const looking = before.then(() => this.#look(repository, present, cancel));
    this.#looking.set(
      repository,
      looking.catch(() => []),
    );
    return unlessCancelled(looking, cancel);
  }

  async #look(
    folder: string,
    present: readonly string[],
    cancel: AbortSignal,
  ): Promise<readonly ObjectMask[]> {
    cancel.throwIfAborted();
    const repository = { folder, searchPath: this.#parts.searchPath, cancel };
    const stamp = await stampOf(folder);
    const known = this.#known.get(folder) ?? {
      ids: new Set(),
      trees: new Set(),
      listing: null,
      tips: [],
      stamp: "",
      masks: [],
      packs: new Map(),
      files: new Map(),
      present: new Set(),
    };
    this.#known.set(folder, known);
    const isNew = await learnPresent(present, known);
    if (known.stamp === stamp && !isNew) return known.masks;
    const stores = await storesOf(join(folder, "objects"));
    const begun = performance.now();
    try {
      await findSecretBlobs(repository, this.#parts.isSecretPath, known);
      const masks = await Promise.all(stores.map((store) => this.#masksIn(store, repository, known)));
      known.masks = masks.flat();
      known.stamp = stamp;
    } catch {
      cancel.throwIfAborted();
      known.masks = stores.map((path) => ({ path, kind: "folder" }));
      if (performance.now() - begun > patience) known.stamp = stamp;
    }
    return known.masks;
  }

  async #masksIn(store: string, repository: Repository, known: Known): Promise<readonly ObjectMask[]> {
    if (known.ids.size === 0) return [];
    const loose: ObjectMask[] = [];
    for (const id of known.ids) {
      const path = join(store, id.slice(0, 2), id.slice(2));
      if ((await ifThere(stat(path), null)) === null) continue;
      this.#loose ??= this.#makeFolder().then(writeLooseStandIn);
      loose.push({ path, kind: "file", standIn: await this.#loose });
    }
    if (loose.length > most.loose) return [{ path: store, kind: "folder" }];
    return [...loose, ...(await this.#packMask(join(store, "pack"), repository, known))];
  }

  async #packMask(path: string, repository: Repository, known: Known): Promise<readonly ObjectMask[]> {
    if ((await ifThere(stat(path), null)) === null) return [];
    const names = (await readdir(path)).toSorted();
    const key = [...names, known.ids.size].join("\n");
    const last = known.packs.get(path);
    if (last?.key === key) return last.masks;
    const indexes = names.filter((name) => name.endsWith(".idx"));
    const listed = await Promise.all(indexes.map((name) => idsIn(join(path, name), repository)));
    const ids = [...new Set(listed.flat())];
    const secret = ids.filter((id) => known.ids.has(id));
    // No pack is made while other contents stand under the names of objects: it would keep those.
    const masks: ObjectMask[] = secret.length > 0 ? [] : [{ path, kind: "folder", standIn: path }];
    if (secret.length > 0) {
      const standIn = await this.#makeFolder();
      const others = (await isSmall(path, names)) ? ids.filter((id) => !known.ids.has(id)) : [];
      if (others.length > 0) await packObjects({ ids: others, names, standIn }, repository);
      await writePackedStandIns(standIn, secret);
      masks.push({ path, kind: "folder", standIn });
    }
    known.packs.set(path, { key, masks });
    return masks;
  }

  async #makeFolder(): Promise<string> {
    this.#folder ??= this.#parts.makeFolder();
    this.#made += 1;
    const place = join(await this.#folder, `objects-${this.#made}`);
    await mkdir(place);
    return place;
  }
}

/** Makes the test whether a repository is used: a place of the command is in it, or it is in such a place. */
async function useTest({
  cwd,
  named,
}: NonNullable<HiddenIn["used"]>): Promise<(repository: string) => boolean> {
  const places = (await objectsOf(cwd)) === null ? named : [cwd, ...named];
  const around = await Promise.all(places.map(findObjects));
  const all = new Set([...places, ...around].filter((path) => path !== null));
  return (repository) => [...all].some((path) => isInside(path, repository));
}

/** What a piece of work gives, or throws at once when it is cancelled, also where another is waited for. */
async function unlessCancelled<Value>(work: Promise<Value>, cancel: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(cancel.reason);
  cancel.addEventListener("abort", stop);
  try {
    cancel.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    cancel.removeEventListener("abort", stop);
  }
}

type NewPack = {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly standIn: string;
};

/** Packs objects anew. `names` are those of the files of the packs that they are in. */
async function packObjects({ ids, names, standIn }: NewPack, repository: Repository): Promise<void> {
  const packer = git(repository, ["pack-objects", "--quiet", "--window=0", join(standIn, "pack")], "pipe");
  packer.stdin?.on("error", () => undefined);
  packer.stdin?.end(ids.map((id) => `${id}\n`).join(""));
  const packs = await linesOf(packer);
  // By this git knows that what a partial clone has not may be fetched.
  if (names.some((name) => name.endsWith(".promisor")))
    for (const pack of packs) await writeFile(join(standIn, `pack-${pack}.promisor`), "");
}

/** What changes when objects are added to a repository, or names of files to an index of it. */
async function stampOf(folder: string): Promise<string> {
  const linked = await ifThere(readdir(join(folder, "worktrees")), []);
  const indexes = ["", ...linked.map((name) => `worktrees/${name}`)].map(async (own) => {
    const status = await ifThere(stat(join(folder, own, "index"), { bigint: true }), null);
    return `${status?.ctimeNs ?? ""} ${status?.ino ?? ""} ${status?.size ?? ""}`;
  });
  return [await stampOfObjects(folder), ...(await Promise.all(indexes))].join("\n");
}

/** The folder of objects of a repository, and those that it borrows from, by their real paths. */
async function storesOf(objects: string): Promise<readonly string[]> {
  const stores = [await realpath(objects)];
  for (const store of stores) {
    const list = await ifThere(readFile(join(store, "info/alternates"), "utf8"), "");
    for (const line of list.split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      const named = line.startsWith('"') ? String(JSON.parse(line)) : line;
      const path = await ifThere(realpath(named.startsWith("/") ? named : join(store, named)), null);
      if (path !== null && !stores.includes(path)) stores.push(path);
    }
  }
  return stores;
}

async function idsIn(index: string, repository: Repository): Promise<readonly string[]> {
  const reader = git(repository, ["show-index"], "pipe");
  const { stdin } = reader;
  stdin?.on("error", () => undefined);
  if (stdin !== null)
    createReadStream(index)
      .on("error", () => stdin.end())
      .pipe(stdin);
  return (await linesOf(reader)).map((line) => line.split(" ")[1] ?? "");
}

async function isSmall(path: string, names: readonly string[]): Promise<boolean> {
  const sizes = names.map(async (name) => (await ifThere(stat(join(path, name)), null))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) <= most.packed;
}
