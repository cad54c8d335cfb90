import type { FilePorts } from "../../act/files/file-ports.ts";
import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";

/** Keeps what files hold before they change. What may be secret is encrypted. It throws where the contents cannot be kept, so that the file is not changed. */
export function makePreImageKeeper(
  state: State,
  policy: Pick<Policy, "isSecretPath" | "scan">,
): FilePorts["keepPreImage"] {
  return async (path, bytes) => {
    const secret = bytes !== null && (policy.isSecretPath(path) || mayHoldSecrets(path, bytes, policy));
    const { id, kept } = await state.changes.storePreImage(bytes, secret ? "secret" : "public");
    if (kept) return id ?? "";
    throw new Error(`${path} is too large to be kept for an undo, so it was not changed`);
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
