import { isUtf8 } from "node:buffer";
import { sha256 } from "../../machine/digest.ts";
import type { Caller } from "../../signal/tool.ts";
import { merge } from "../../text/diff/merge.ts";
import { isJsonObject } from "../../text/json.ts";
import { done, type Fallible, problem } from "./fallible.ts";
import type { OriginPort } from "./file-ports.ts";
import { shownPath } from "./shown-path.ts";

/**
 * New contents for a whole file. `current` is null if there is no file. `onDisk`: what the file holds where
 * the
 * current contents are those of a buffer that is not saved.
 */
export type Overwrite = {
  readonly path: string;
  readonly current: Uint8Array | null;
  readonly onDisk?: Uint8Array | null;
  readonly content: string;
};

/** The bytes to write, and whether they are a merge. */
export type OverwriteResult = { readonly bytes: Uint8Array; readonly merged: boolean };

/**
 * Works out the bytes of a file that is overwritten by contents made from the version that the caller saw last. If somebody else
 * changed the file since, both changes are merged line by line, or nothing is written. A file that the agent itself wrote, or that
 * was never seen, is overwritten: its pre-image is kept. What was typed in a buffer and not saved is never
 * overwritten.
 */
export async function overwrite(
  write: Overwrite,
  caller: Caller,
  origins: OriginPort,
): Promise<Fallible<OverwriteResult>> {
  const { path, current, content, onDisk } = write;
  const plain = done({ bytes: new TextEncoder().encode(content), merged: false });
  const seen = lastSeenVersion(caller, path) ?? (onDisk === undefined ? null : versionOf(onDisk));
  if (seen === null || current === null) return plain;
  const digest = sha256(current);
  if (seen.digest === digest) return plain;
  if (onDisk === undefined && (await origins.of([digest])) !== null) return plain;
  const joined =
    seen.text === null || !isUtf8(current)
      ? null
      : merge(seen.text, content, Buffer.from(current).toString("utf8"));
  if (joined?.ok === true) return done({ bytes: new TextEncoder().encode(joined.text), merged: true });
  const both = seen.text === null ? "" : " in the same lines";
  return problem(
    "edited-meanwhile",
    `${path}: somebody else changed the file${both} after you last read it, so nothing was written. Read it again and propose a new change.`,
  );
}

function versionOf(bytes: Uint8Array | null): SeenVersion {
  if (bytes === null) return { digest: null, text: "" };
  return { digest: sha256(bytes), text: isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : null };
}

/** The version of a file that the caller saw last. `text` is null if it was not kept or is not text. */
export type SeenVersion = { readonly digest: string | null; readonly text: string | null };

/** The version of a file that the caller saw last: from when an edit was deferred, else the last version that was read in the session and not written since. Null if the file was not seen as a whole. */
export function lastSeenVersion(caller: Caller, path: string): SeenVersion | null {
  const base = caller.bases?.get(path);
  if (base !== undefined) {
    const text = base.bytes === null || !isUtf8(base.bytes) ? null : Buffer.from(base.bytes).toString("utf8");
    return { digest: base.digest, text: base.digest === null ? "" : text };
  }
  const shown = shownPath(path, caller.workspace);
  let seen: SeenVersion | null = null;
  for (const { value } of caller.known.values()) {
    if (!isJsonObject(value) || (value["path"] !== path && value["path"] !== shown)) continue;
    const { text, from, size, note, bytes } = value;
    if (typeof text === "string" && typeof size === "number") {
      const whole = from === 1 && note === undefined;
      seen = whole ? { digest: sha256(text), text } : null;
    } else if (typeof bytes === "number") seen = null;
  }
  return seen;
}
