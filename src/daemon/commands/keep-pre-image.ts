import type { FilePorts } from "../../act/files/file-ports.ts";
import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";

/** Finds the older copies that would have to go before the contents of a file can be kept. */
export function makePreImagePlanner(state: Pick<State, "changes">): FilePorts["planPreImage"] {
  return async (path, bytes, session) =>
    bytes === null ? [] : state.changes.planPreImage({ bytes, path, session });
}

/**
 * Keeps what files hold before they change. What may be secret is encrypted. It throws where the contents cannot be kept, so that the file is not changed.
 * `always` keeps them where there is no room, too: an undo frees as much as it takes.
 */
export function makePreImageKeeper(
  state: State,
  policy: Pick<Policy, "isSecretPath" | "scan">,
  room: "within-budget" | "always",
): FilePorts["keepPreImage"] {
  return async (path, bytes, _mode, drops = []) => {
    const secret = bytes !== null && (policy.isSecretPath(path) || mayHoldSecrets(path, bytes, policy));
    const { id, kept } = await state.changes.storePreImage(bytes, {
      secrecy: secret ? "secret" : "public",
      path,
      drops,
      always: room === "always",
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
