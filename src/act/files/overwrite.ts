import { isUtf8 } from "node:buffer";
import { merge } from "../../memory/notes/edits/merge.ts";
import { isJsonObject } from "../../signal/json.ts";
import type { Caller } from "../../signal/tool.ts";
import { digestBytes } from "./contents.ts";
import { done, type Fallible, problem } from "./fallible.ts";
import type { OriginPort } from "./file-ports.ts";

/** A whole file that is to be written over what a file holds now (null: there is none). */
export type Overwrite = {
  readonly path: string;
  readonly current: Uint8Array | null;
  readonly content: string;
};

/** What an overwriting comes to: the bytes, and whether they are a merge. */
export type OverwriteResult = { readonly bytes: Uint8Array; readonly merged: boolean };

/**
 * Writes over a file what was made from the version that the caller saw last. Where somebody else changed the file since, both changes are merged
 * line by line; where that cannot be, nothing is written. What the agent itself wrote is simply written over, and so is a file that was never seen: its pre-image is kept.
 */
export async function overwrite(
  write: Overwrite,
  caller: Caller,
  origins: OriginPort,
): Promise<Fallible<OverwriteResult>> {
  const { path, current, content } = write;
  const plain = done({ bytes: new TextEncoder().encode(content), merged: false });
  const seen = lastSeenVersion(caller, path);
  if (seen === null || current === null) return plain;
  const digest = digestBytes(current);
  if (seen.digest === digest || (await origins.of(digest)) !== null) return plain;
  const joined =
    seen.text === null || !isUtf8(current)
      ? null
      : merge(seen.text, content, Buffer.from(current).toString("utf8"));
  if (joined?.ok === true) return done({ bytes: new TextEncoder().encode(joined.text), merged: true });
  const both = seen.text === null ? "" : " in the same lines";
  return problem(
    "edited-meanwhile",
    `${path}: somebody else changed the file${both} since it was last seen here, so nothing was written. Read it again and propose anew.`,
  );
}

/** The version that an caller saw last; null text where it was not kept, or is not text. */
export type SeenVersion = { readonly digest: string | null; readonly text: string | null };

/** What an caller saw last of a file: what it held when an action was put off, else what was read in the session and not written since; null where it was not seen as a whole. */
export function lastSeenVersion(caller: Caller, path: string): SeenVersion | null {
  const base = caller.bases?.get(path);
  if (base !== undefined) {
    const text = base.bytes === null || !isUtf8(base.bytes) ? null : Buffer.from(base.bytes).toString("utf8");
    return { digest: base.digest, text: base.digest === null ? "" : text };
  }
  let seen: SeenVersion | null = null;
  for (const { value } of caller.known.values()) {
    if (!isJsonObject(value) || value["path"] !== path) continue;
    const { text, from, size, note, bytes } = value;
    if (typeof text === "string" && typeof size === "number") {
      const whole = from === 1 && note === undefined;
      seen = whole ? { digest: digestBytes(text), text } : null;
    } else if (typeof bytes === "number") seen = null;
  }
  return seen;
}
