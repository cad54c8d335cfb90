import type { FilePorts } from "../../act/files/file-ports.ts";
import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";

/** Keeps what files hold before they change. Whatever may be secret is sealed; what cannot be kept throws, so that it is not changed. */
export function makePreImageKeeper(
  state: State,
  policy: Pick<Policy, "isSecretPath" | "scan">,
): FilePorts["keepPreImage"] {
  return async (path, bytes) => {
    const secret = bytes !== null && (policy.isSecretPath(path) || mayHoldSecrets(path, bytes, policy));
    const { id, kept } = await state.changes.storePreImage(bytes, secret ? "secret" : "public");
    if (kept) return id ?? "";
    throw new Error(
      `what ${path} holds now is too large to be kept, so it could not be undone and was not changed`,
    );
  };
}

/** Marks of what is or was encrypted, and of keys. Sealing too much costs nothing. */
const marks = /crypt|-----BEGIN /i;

/** Texts above this many bytes are sealed unread. */
const mostScanned = 1_000_000;

function mayHoldSecrets(path: string, bytes: Uint8Array, { scan }: Pick<Policy, "scan">): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (/\.(gpg|pgp|asc)$/i.test(path) || marks.test(buffer.toString("latin1"))) return true;
  return buffer.length > mostScanned || scan(buffer.toString("utf8")).length > 0;
}
