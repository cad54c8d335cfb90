import type { KeptValue } from "../../memory/state/kept-value.ts";
import { formatDiffs } from "../../shown/format-diff.ts";
import { diffFile } from "../../signal/file-diff.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { isInside } from "../../text/is-inside.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import type { SkillOrder } from "./project-skills.ts";

/** An order as it was shown: its files, each with its digest, and its text where it is short. */
type Copy = JsonObject;
type Order = Pick<SkillOrder, "path" | "digest" | "text"> & Partial<Pick<SkillOrder, "skill">>;

/** The most bytes of a file, and of all files of a skill, whose text is kept. */
const most = { file: 16_384, skill: 65_536 };
/** Rows of a diff that are shown. */
const shownRows = 200;

/** The orders of folders as their owner was shown them, to show what changed since. */
export class TrustedCopies {
  readonly #kept: KeptValue;

  constructor(kept: KeptValue) {
    this.#kept = kept;
  }

  /**
   * By path, the lines of what changed in the orders of a folder since they were kept last; no lines where
   * nothing did, or nothing was kept. `keep` keeps them as they are.
   */
  async compare(
    workspace: string,
    orders: readonly Order[],
  ): Promise<{
    readonly changes: ReadonlyMap<string, readonly string[]>;
    readonly keep: () => Promise<void>;
  }> {
    const all = await this.#kept.get();
    const kept = isJsonObject(all) ? all : {};
    const before = kept[workspace];
    const changes = new Map<string, readonly string[]>();
    const copies: Record<string, Copy> = {};
    for (const order of orders) {
      const copy = await copyOf(order);
      copies[order.path] = copy;
      const old = before !== undefined && isJsonObject(before) ? before[order.path] : undefined;
      if (old !== undefined && isJsonObject(old)) changes.set(order.path, describeChanges(old, copy));
    }
    return { changes, keep: () => this.#kept.set({ ...kept, [workspace]: copies }) };
  }

  async move(from: string, to: string): Promise<void> {
    const all = await this.#kept.get();
    if (isJsonObject(all)) await this.#kept.set(moveOrders(all, from, to));
  }
}

/**
 * What is kept by workspace, then by the path of an order, after a folder was moved: workspaces in it go
 * along, with the orders that lie in it.
 */
export function moveOrders(all: JsonObject, from: string, to: string): JsonObject {
  const moved = (path: string): string => (isInside(from, path) ? to + path.slice(from.length) : path);
  return Object.fromEntries(
    Object.entries(all).map(([workspace, kept]) => {
      if (!isInside(from, workspace) || !isJsonObject(kept)) return [workspace, kept];
      const own = Object.entries(kept).filter(([path]) => isInside(from, path));
      return [
        moved(workspace),
        Object.fromEntries(own.map(([path, order]) => [moved(path), movedOrder(order, moved)])),
      ];
    }),
  );
}

/** A copy of an `AGENTS.md` names its path again. */
function movedOrder(order: Json | undefined, moved: (path: string) => string): Json {
  if (order === undefined || !isJsonObject(order)) return order ?? null;
  return Object.fromEntries(Object.entries(order).map(([path, part]) => [moved(path), part ?? null]));
}

async function copyOf({ path, digest, text, skill }: Order): Promise<Copy> {
  if (skill === undefined) return { [path]: { digest, text } };
  if (skill.read === null) return {};
  const { readSkillBytes } = await import("../../skills/folders/read-skill-folder.ts");
  const copy = new Map<string, JsonObject>();
  let left = most.skill;
  for (const file of skill.read.files) {
    const isShort = file.size <= Math.min(most.file, left);
    const bytes = isShort ? await readSkillBytes(skill.read, file.path) : null;
    if (bytes !== null) left -= bytes.length;
    const kept = bytes === null ? null : bytes.toString("utf8");
    copy.set(file.path, { digest: file.digest, text: kept?.includes("\0") === true ? null : kept });
  }
  return Object.fromEntries(copy);
}

/** New, changed and removed files, with their lines where both texts are known. */
function describeChanges(before: Copy, now: Copy): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((path) => {
    const [past, present] = [partOf(before, path), partOf(now, path)];
    if (past?.digest === present?.digest) return [];
    const [old, fresh] = [bytesOf(past), bytesOf(present)];
    return old === undefined || fresh === undefined
      ? [`  ${escapeInvisible(path)} changed; it is too long, or no text`]
      : formatDiffs([diffFile(path, old, fresh)], null, shownRows);
  });
}

type Part = { readonly digest: unknown; readonly text: unknown };

function partOf(copy: Copy, path: string): Part | null {
  const part = Object.hasOwn(copy, path) ? copy[path] : undefined;
  return part !== undefined && isJsonObject(part) ? { digest: part["digest"], text: part["text"] } : null;
}

/** Null where there is no such file, undefined where its text was not kept. */
function bytesOf(part: Part | null): Buffer | null | undefined {
  if (part === null) return null;
  return typeof part.text === "string" ? Buffer.from(part.text) : undefined;
}
