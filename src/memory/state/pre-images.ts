import { sha256 } from "../../machine/digest.ts";
import type { Label } from "../../signal/label.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { text } from "../storage/rows.ts";
import { dropUnneeded, planRoom, type UndoBudget, usedBytes } from "./blob-room.ts";
import {
  type BlobFate,
  type BlobStore,
  dropBlobs,
  formOf,
  hasBytes,
  insertBlob,
  readBlob,
  sizeOfForm,
  touchBlob,
} from "./blobs.ts";

/** A pre-image as an undo finds it. Only `kept` has bytes. */
export type PreImage =
  | { readonly status: "kept"; readonly bytes: Uint8Array }
  | { readonly status: "evicted" | "missing"; readonly reason: string };

/** The contents of a file before a change of a session. */
export type PreImageRequest = {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly session: string;
};

/** An earlier pre-image that an undo may need, and the files whose changes it undoes. */
export type DroppedPreImage = { readonly id: string; readonly paths: readonly string[] };

/** How a pre-image is stored. */
export type PreImageOptions = {
  readonly secrecy?: Label["secrecy"];
  /** The file: a pre-image of a file that has others is stored as its differences from one of them. */
  readonly path?: string | null;
  /** Pre-images that may be dropped to make room. Default: none that an undo needs. */
  readonly drops?: readonly string[];
  /** Whether it is stored even where there is no room. An undo needs that: it frees as much as it takes. */
  readonly always?: boolean;
  /** The contents after the change. They are kept while there is room, and are the first to go. */
  readonly after?: { readonly bytes: Uint8Array; readonly secrecy: Label["secrecy"] };
};

/** Stores the contents of files before changes. None that an undo may need is dropped unless the caller names it. */
export class PreImages {
  readonly #store: BlobStore;
  readonly #budget: UndoBudget;
  readonly #clock: Clock;

  constructor(store: BlobStore, budget: UndoBudget, clock: Clock) {
    this.#store = store;
    this.#budget = budget;
    this.#clock = clock;
  }

  async store(
    bytes: Uint8Array | null,
    options: PreImageOptions,
  ): Promise<{ readonly id: string | null; readonly kept: boolean }> {
    try {
      return await this.#store.database.forced(() => {
        const stored = bytes === null ? { id: null, kept: true } : this.#insert(bytes, options);
        if (stored.kept && options.after !== undefined)
          this.#insertSpare(options.after, options.path ?? null);
        return stored;
      });
    } catch (error) {
      if (error instanceof NoRoom) return { id: bytes === null ? null : sha256(bytes), kept: false };
      throw error;
    }
  }

  plan({ bytes, path, session }: PreImageRequest): readonly DroppedPreImage[] {
    const { database } = this.#store;
    const used = usedBytes(database, session);
    const { total, session: share } = this.#budget;
    const isWithin = (size: number) => used.total + size <= total && used.session + size <= share;
    const id = sha256(bytes);
    if (isWithin(bytes.length) || hasBytes(database, id)) return [];
    const { size, base } = measureForm(this.#store, { id, bytes, path });
    if (isWithin(size)) return [];
    const request = { session, budget: this.#budget, at: this.#clock() };
    const drops = planRoom(database, { ...request, size });
    const all =
      base !== null && drops.has(base) ? planRoom(database, { ...request, size: bytes.length }) : drops;
    return [...all].map((dropped) => ({ id: dropped, paths: pathsOf(database, dropped) }));
  }

  read(id: string): PreImage {
    const read = readBlob(this.#store, id);
    if (read === null) return { status: "missing", reason: "it was never kept" };
    return read.ok ? { status: "kept", bytes: read.bytes } : notKept(read.fate);
  }

  /** Throws `NoRoom` where an undo needs too much of what is there: the transaction then changes nothing. */
  #insert(
    bytes: Uint8Array,
    { secrecy, path = null, drops = [], always = false }: PreImageOptions,
  ): { readonly id: string; readonly kept: boolean } {
    const store = this.#store;
    const { total } = this.#budget;
    const [id, at, isSecret] = [sha256(bytes), this.#clock(), secrecy === "secret"];
    const isLarge = bytes.length > total;
    if (hasBytes(store.database, id)) {
      touchBlob(store, { id, isSecret, at });
      return { id, kept: true };
    }
    dropBlobs(store, new Set(drops), "evicted");
    const form = isLarge ? null : formOf(store, { id, bytes, path });
    insertBlob(store, { id, size: bytes.length, form, isSecret, at });
    dropUnneeded(store, total, at);
    if (!always && !isLarge && usedBytes(store.database, "").total > total) throw new NoRoom();
    return { id, kept: !isLarge };
  }

  #insertSpare({ bytes, secrecy }: NonNullable<PreImageOptions["after"]>, path: string | null): void {
    const store = this.#store;
    const { total } = this.#budget;
    const id = sha256(bytes);
    if (bytes.length > total || hasBytes(store.database, id)) return;
    const form = formOf(store, { id, bytes, path });
    insertBlob(store, { id, size: bytes.length, form, isSecret: secrecy === "secret", at: spareTime });
    dropUnneeded(store, total, this.#clock());
  }
}

/** The time of a blob that no undo needs yet: the oldest go first. */
const spareTime = 0;

class NoRoom extends Error {}

function measureForm(store: BlobStore, blob: Parameters<typeof formOf>[1]) {
  const form = formOf(store, blob);
  return { size: sizeOfForm(form), base: form.base };
}

function pathsOf(database: Database, id: string): readonly string[] {
  return database
    .all("SELECT DISTINCT path FROM changes WHERE pre_image = ? AND undone = 0 ORDER BY path", id)
    .map((row) => text(row, "path"));
}

const unsealable = "it is sealed, and the key of this state folder does not open it";

function notKept(fate: BlobFate): PreImage {
  switch (fate) {
    case "large":
      return { status: "evicted", reason: "it was larger than the quota for what is kept" };
    case "evicted":
      return { status: "evicted", reason: "it was dropped to stay within the quota for what is kept" };
    case "forgotten":
      return { status: "evicted", reason: "it was forgotten at your word" };
    case "kept":
    case "sealed":
      return {
        status: "missing",
        reason: fate === "sealed" ? unsealable : "its contents are gone from the database",
      };
  }
}
