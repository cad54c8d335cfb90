import { createHash, type Hash } from "node:crypto";
import { lstatSync, readdirSync, type Stats, statfsSync } from "node:fs";
import { basename } from "node:path";
import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import { isMaybeCertificates } from "../../text/certificates.ts";
import { pushAll } from "../../text/lists.ts";
import { isSettings, mayNameLogin } from "../../text/settings-files.ts";
import { hasBareName, isNote, isText } from "../../text/text-files.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import type { FoundEntry } from "../files/private-names.ts";
import type { Mask } from "../sandbox/bubblewrap.ts";
import { isRepository, linkedSecret } from "./protected-paths.ts";

/**
 * What its name makes of a file. `certificates`: a name of keys, under which public certificates are as
 * often; `read`: one that is shown or covered by what it holds.
 */
type NameRule = "covered" | "certificates" | "read" | "plain";

type Status = Pick<Stats, "ino" | "mode" | "size" | "mtimeMs" | "ctimeMs" | "birthtimeMs">;

/** An entry of a folder, as the last look found it. */
type Entry = {
  readonly name: string;
  readonly rule: NameRule;
  readonly isText: boolean;
  /** Whether it is a text only where nobody may run it. */
  readonly isBare: boolean;
  status: Status | null;
  /**
   * The secrets that were known when it was found to hold none, as it is; null where nobody looked into it.
   */
  cleanFor: unknown;
};

/** A file that is covered or shown by what it holds, as it was found. */
export type LookedFile = { readonly path: string; readonly entry: Entry; readonly status: Status };

type Folder = {
  /** As it was before it was listed; empty where that does not say what it has now. */
  readonly version: string;
  readonly entries: readonly Entry[];
  readonly isRepository: boolean;
  /** Of its entries as they were found last; null once one of them is another. */
  digest: string | null;
  /** The walk that met it last. */
  walk: Walk | null;
};

/** What a walk found. */
export type Walk = {
  readonly masked: Mask[];
  readonly files: LookedFile[];
  /** Over all entries that are not covered, with their inodes, modes, sizes and times. */
  readonly hash: Hash;
  entries: number;
  /** Whether a file that may be run lies in it, or in a folder of it that is called as one of programs. */
  hasPrograms: boolean;
};

/**
 * Called between two steps of a long look, with the entries that were met and the files that were read: what
 * it gives is waited for. Throws once nobody waits for the look.
 */
export type Pause = (entries: number, read?: number) => Promise<void> | null;

type WalkOptions = {
  readonly mostEntries: number;
  /** Milliseconds, as files have them. */
  readonly clock: () => number;
  readonly pause: Pause;
};

/** Milliseconds in which another change may leave a folder with the same times. */
const longestTick = 3_000;
/**
 * File systems that give a folder another time with each name that is made, removed or replaced in it: ext,
 * XFS, btrfs, bcachefs, F2FS, ZFS, tmpfs, overlays of these. Of others, as one of a server, nobody knows.
 */
const keepingTimes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xca451a4e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0x794c7630,
]);
const foldersOfPrograms = /^(?:s?bin|shims|condabin|libexec|scripts)$/i;

/**
 * Walks a folder, and remembers what is in it. A folder in it whose inode and times are as before has the
 * same names, and is not listed again. Each entry is looked at again: its mode, contents and times change
 * without its folder.
 */
export class LookedFolders {
  readonly #root: string;
  readonly #isSecretPath: (path: string) => boolean;
  readonly #folders = new Map<string, Folder>();

  constructor(root: string, isSecretPath: (path: string) => boolean) {
    this.#root = root;
    this.#isSecretPath = isSecretPath;
  }

  /**
   * Walks all below the folder, outermost first, without following links; null where it has too many entries.
   */
  async walk({ mostEntries, clock, pause }: WalkOptions): Promise<Walk | null> {
    const walk: Walk = {
      masked: [],
      files: [],
      hash: createHash("sha256"),
      entries: 0,
      hasPrograms: false,
    };
    const isSettled = makeSettledTest(clock);
    const root = this.#root;
    const waiting = [{ path: root, status: statusOf(root) }];
    for (const { path, status } of waiting) {
      const folder = typeof status === "string" ? null : this.#list(path, status, isSettled);
      if (folder === null || folder.isRepository) {
        walk.masked.push({ path, kind: "folder" });
        continue;
      }
      folder.walk = walk;
      walk.entries += folder.entries.length;
      if (walk.entries > mostEntries) return null;
      const isOfPrograms = path === root || foldersOfPrograms.test(basename(path));
      for (const entry of folder.entries) {
        const wait = pause(walk.entries);
        if (wait !== null) await wait;
        const at = `${path}/${entry.name}`;
        const now = statusOf(at);
        if (update(entry, typeof now === "string" ? null : now)) folder.digest = null;
        if (now === "closed") walk.masked.push({ path: at, kind: "file" });
        if (typeof now === "string") continue;
        if (isOfPrograms && mayBeRun(now)) walk.hasPrograms = true;
        if (now.isSymbolicLink()) {
          if (isByName(entry)) pushAll(walk.masked, await linkedSecret(at));
        } else if (isCovered(entry, now))
          walk.masked.push({ path: at, kind: now.isDirectory() ? "folder" : "file" });
        else if (now.isDirectory()) waiting.push({ path: at, status: now });
        else if (entry.rule !== "plain" && !(entry.isBare && mayBeRun(now)))
          walk.files.push({ path: at, entry, status: entry.status ?? now });
      }
      folder.digest ??= digestOf(folder.entries);
      walk.hash.update(`${path.slice(root.length)}\0${folder.digest}\0`);
    }
    this.#forgetGone(walk);
    return walk;
  }

  /** The entries that the last walk met, at any depth, folder by folder. Other tasks run in between. */
  async *met(): AsyncIterable<readonly FoundEntry[]> {
    const yieldToEventLoop = makeEventLoopYield();
    for (const { entries } of this.#folders.values()) {
      const wait = yieldToEventLoop();
      if (wait !== null) await wait;
      yield entries.flatMap(({ name, status }) => (status === null ? [] : [{ ...status, name }]));
    }
  }

  /** The entries of a folder; null where they may not be listed. */
  #list(path: string, status: Stats, isSettled: SettledTest): Folder | null {
    const before = this.#folders.get(path);
    const version = [status.dev, status.ino, status.mtimeMs, status.ctimeMs].join(" ");
    if (before?.version === version) return before;
    const toldBy = isSettled(path, status) ? version : "";
    const names = namesIn(path);
    if (names === null) return null;
    // Copies: another look may still go through the entries as they were listed before.
    const known = new Map((before?.entries ?? []).map((entry) => [entry.name, { ...entry }]));
    const entries = names
      .toSorted()
      .map((name) => known.get(name) ?? this.#newEntry(name, `${path}/${name}`));
    const folder: Folder = {
      version: toldBy,
      entries,
      isRepository: isRepository(names),
      digest: null,
      walk: null,
    };
    this.#folders.set(path, folder);
    return folder;
  }

  #newEntry(name: string, path: string): Entry {
    const marks = { isText: isText(path), isBare: hasBareName(path) && !isSettings(path) };
    return { name, rule: this.#ruleOf(path), ...marks, status: null, cleanFor: null };
  }

  #ruleOf(path: string): NameRule {
    if (this.#isSecretPath(path))
      return isMaybeCertificates(path, this.#isSecretPath) ? "certificates" : "covered";
    if (/\/(?:share\/(?:doc|gtk-doc|help)|\.git)$/.test(path) || isNote(path)) return "covered";
    return mayNameLogin(path.slice(this.#root.length)) || isText(path) ? "read" : "plain";
  }

  #forgetGone(walk: Walk): void {
    for (const [path, folder] of this.#folders) if (folder.walk !== walk) this.#folders.delete(path);
  }
}

/** Notes how an entry is now. False where it is as before. */
function update(entry: Entry, now: Stats | null): boolean {
  const { status } = entry;
  const isSame =
    status?.ino === now?.ino &&
    status?.mode === now?.mode &&
    status?.size === now?.size &&
    status?.mtimeMs === now?.mtimeMs &&
    status?.ctimeMs === now?.ctimeMs;
  if (isSame) return false;
  entry.cleanFor = null;
  if (now === null) entry.status = null;
  else {
    const { ino, mode, size, mtimeMs, ctimeMs, birthtimeMs } = now;
    entry.status = { ino, mode, size, mtimeMs, ctimeMs, birthtimeMs };
  }
  return true;
}

function digestOf(entries: readonly Entry[]): string {
  const hash = createHash("sha256");
  for (const { name, status } of entries) {
    if (status === null) continue;
    const { ino, mode, size, mtimeMs, ctimeMs } = status;
    hash.update(`${name}\0${ino} ${mode} ${size} ${mtimeMs} ${ctimeMs}\0`);
  }
  return hash.digest("hex");
}

/**
 * Whether no command sees an entry, whatever it holds: by its name or kind, or since only its owner may read
 * it.
 */
function isCovered(entry: Entry, now: Stats): boolean {
  if (!now.isFile() && !now.isDirectory()) return true;
  if (entry.rule === "covered" || (entry.rule === "certificates" && !now.isFile())) return true;
  return (now.mode & 0o044) === 0;
}

function isByName({ rule }: Entry): boolean {
  return rule === "covered" || rule === "certificates";
}

function mayBeRun(now: Stats): boolean {
  return now.isSymbolicLink() || (now.isFile() && (now.mode & 0o111) !== 0);
}

/** What an entry is; or that nothing is there, or that nobody may look. */
function statusOf(path: string): Stats | "gone" | "closed" {
  try {
    return lstatSync(bytesOfPath(path), { throwIfNoEntry: false }) ?? "gone";
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    return "closed";
  }
}

function namesIn(path: string): readonly string[] | null {
  try {
    const names = readdirSync(bytesOfPath(path), "utf8");
    if (!names.some((name) => name.includes("\ufffd"))) return names;
    return readdirSync(bytesOfPath(path), "buffer").map(textOfName);
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    return null;
  }
}

type SettledTest = (path: string, status: Stats) => boolean;

/**
 * Makes the test whether any later change of the names in a folder gives it other times. Each file system is
 * asked once.
 */
function makeSettledTest(clock: () => number): SettledTest {
  const known = new Map<number, boolean>();
  return (path, { dev, mtimeMs, ctimeMs }) => {
    if (clock() - Math.max(mtimeMs, ctimeMs) <= longestTick) return false;
    const keeps = known.get(dev) ?? keepingTimes.has(statfsSync(bytesOfPath(path)).type);
    known.set(dev, keeps);
    return keeps;
  };
}
