import type { FilePorts } from "../../act/files/file-ports.ts";
import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import type { Label } from "../../signal/label.ts";

/** Finds the older copies that would have to go before the contents of a file can be kept. */
export function makePreImagePlanner(state: Pick<State, "changes">): FilePorts["planPreImage"] {
  return async (path, bytes, session) =>
    bytes === null ? [] : state.changes.planPreImage({ bytes, path, session });
}

/**
 * Keeps what files hold before they change. What may be secret is encrypted. It throws where the contents cannot be kept, so that the file is not changed.
 * `always` keeps them where there is no room, too: an undo frees as much as it takes. The contents after the change are kept while there is room.
 */
export function makePreImageKeeper(
  state: State,
  policy: Pick<Policy, "isSecretPath" | "scan">,
  room: "within-budget" | "always",
): FilePorts["keepPreImage"] {
  return async ({ path, before, after, drops = [] }) => {
    const secrecyOf = (bytes: Uint8Array | null): Label["secrecy"] =>
      bytes !== null && (policy.isSecretPath(path) || mayHoldSecrets(path, bytes, policy))
        ? "secret"
        : "public";
    const { id, kept } = await state.changes.storePreImage(before, {
      secrecy: secrecyOf(before),
      path,
      drops,
      always: room === "always",
      ...(after === null ? {} : { after: { bytes: after, secrecy: secrecyOf(after) } }),
    });
    if (kept) return id ?? "";
    throw new Error(
      `there is no room to keep the contents of ${path} for an undo, so it was not changed. Propose the change again: the owner is then asked what may be dropped`,
    );
  };
}

/** Marks of encrypted texts and of keys. Encrypting too much costs nothing. */
const marks = /crypt|-----BEGIN /i;

/** Texts of more bytes are encrypted unread. */
const mostScanned = 1_000_000;

function mayHoldSecrets(path: string, bytes: Uint8Array, { scan }: Pick<Policy, "scan">): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (/\.(gpg|pgp|asc)$/i.test(path) || marks.test(buffer.toString("latin1"))) return true;
  return buffer.length > mostScanned || scan(buffer.toString("utf8")).length > 0;
}
