/**
 * Whether a path is secret only because its name ends as that of a key in PEM, which holds public
 * certificates as often. `isSecret` says what a path's name makes of it.
 */
export function isMaybeCertificates(path: string, isSecret: (path: string) => boolean): boolean {
  return /[^/]\.pem$/i.test(path) && isSecret(path) && !isSecret(path.replace(/\.pem$/i, ".crt"));
}

/** A larger file is not looked into. */
export const largestBundle = 2_000_000;

const block = /-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/\r\n]+={0,2}\r?\n)-----END CERTIFICATE-----/g;

/**
 * Whether a text, whole, is public certificates in PEM and words that tell which they are. Anything else in
 * it, as a key, a block that is cut, or words that may be a password, makes it none.
 */
export function holdsOnlyCertificates(text: string): boolean {
  if (text.length > largestBundle) return false;
  const blocks = [...text.matchAll(block)];
  const between = text.replace(block, "").split(/\r?\n/);
  return (
    blocks.length > 0 &&
    between.every(isOnlyWords) &&
    blocks.every(([, base64 = ""]) => isCertificate(base64))
  );
}

/** Of a line outside of the blocks. Fingerprints have colons; what has as many letters without one may be a key. */
function isOnlyWords(line: string): boolean {
  return (
    line.length <= 300 &&
    !/passw|passphrase|secret|token|private|-----|[^\t\x20-\x7e\x80-\xff]/i.test(line) &&
    !/[\w+/=-]{32}/.test(line.replace(/^(?:=+|# Serial: -?\d+)$/, ""))
  );
}

/**
 * Whether these bytes are a certificate by its form: one sequence, in which another one comes first, that
 * begins with a version or a serial number. A key has a number in the place of the inner sequence, and an
 * encrypted one the name of a cipher in it.
 */
function isCertificate(base64: string): boolean {
  const bytes = Buffer.from(base64, "base64");
  const outer = sequenceAt(bytes, 0);
  if (outer === null || outer.end !== bytes.length) return false;
  const inner = sequenceAt(bytes, outer.start);
  const first = inner === null ? undefined : bytes[inner.start];
  return first === 0xa0 || first === 0x02;
}

/** Where the contents of a sequence of ASN.1 begin and end; null where none is. */
function sequenceAt(bytes: Buffer, at: number): { readonly start: number; readonly end: number } | null {
  const [tag, length = 0] = bytes.subarray(at);
  if (tag !== 0x30) return null;
  if (length < 0x80) return { start: at + 2, end: at + 2 + length };
  const count = length & 0x7f;
  if (count === 0 || count > 3 || at + 2 + count > bytes.length) return null;
  const start = at + 2 + count;
  return { start, end: start + bytes.readUIntBE(at + 2, count) };
}
