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

/** What tells of a certificate outside of its block: what programs write there, and nothing else. */
const tellsOfCertificate: readonly RegExp[] = [
  /^\s*$/,
  /^#? ?(?:Issuer|Subject): ?[A-Za-z.]+=[^@:]*$/,
  /^(?:subject|issuer)= ?[^@:]*$/,
  /^ *(?:\d+ )?[si]: ?\/?[A-Za-z.]+ ?=[^@:]*$/,
  /^# Label: "[^@:=]*"$/,
  /^# Serial: -?\d+$/,
  /^# (?:MD5|SHA1|SHA256) Fingerprint: (?:[\da-f]{2}:)+[\da-f]{2}$/i,
  /^Bag Attributes$/,
  /^ *localKeyID: (?:[\dA-F]{2} )*[\dA-F]{2} ?$/,
];

/** Of a line outside of the blocks, and the line after it, by which a title is underlined. */
function isOnlyWords(line: string, index: number, lines: readonly string[]): boolean {
  if (line.length > 300 || /[^\t\x20-\x7e\x80-\xff]/.test(line)) return false;
  if (/^=+$/.test(line)) return isUnderlined(lines[index - 1] ?? "", line);
  const mayBeLogin = /passw|passphrase|\bpass\b|pwd|\bpw\b|\bpin\b|login|secret|token|private|-----/i.test(
    line,
  );
  const mayBeKey = /[\w+/=-]{32}/.test(line.replace(/^# Serial: -?\d+$/, ""));
  if (mayBeLogin || mayBeKey) return false;
  return (
    tellsOfCertificate.some((pattern) => pattern.test(line)) || isUnderlined(line, lines[index + 1] ?? "")
  );
}

function isUnderlined(title: string, line: string): boolean {
  return title !== "" && !/[:=@#]/.test(title) && line === "=".repeat(title.length);
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
