const hexOf = (key: string): string => Buffer.from(key).toString("hex");
const bytesOf = (key: string): readonly number[] => [...Buffer.from(key)];
const join = (key: string, separator: string): string => [...key].join(separator);

/** Base32 without its padding, as it can stand in a host's name. */
function base32Of(text: string): string {
  const bits = bytesOf(text).map((byte) => byte.toString(2).padStart(8, "0"));
  const groups = bits.join("").match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(group.padEnd(5, "0"), 2)])
    .join("");
}

/** Each way to write a key. What reads it gets the key back. */
export const keyEncodings: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => key,
  "in base64": (key) => Buffer.from(key).toString("base64"),
  "in base64 behind one byte": (key) => Buffer.from(`a${key}z`).toString("base64"),
  "in base64 behind two bytes": (key) => Buffer.from(`ab${key}`).toString("base64"),
  "in base64 of addresses": (key) => Buffer.from(`~?${key}`).toString("base64url"),
  "in base64 with line ends": (key) =>
    Buffer.from(`user:${key}`).toString("base64").replaceAll(/.{10}/g, "$&\n  "),
  "in base32": base32Of,
  "in base32 behind three bytes": (key) => base32Of(`abc${key}`),
  "in base32 as labels of a host": (key) => base32Of(`a${key}`).replaceAll(/.{12}/g, "$&."),
  "in hexadecimal digits": hexOf,
  "in upper-case hexadecimal digits": (key) => hexOf(key).toUpperCase(),
  "in hexadecimal digits with blanks": (key) => hexOf(key).replaceAll(/../g, "$& "),
  "in hexadecimal digits with colons": (key) =>
    bytesOf(key)
      .map((byte) => byte.toString(16))
      .join(":"),
  "as bytes of C": (key) =>
    bytesOf(key)
      .map((byte) => `0x${byte.toString(16)}`)
      .join(", "),
  "percent-encoded": (key) => encodeURIComponent(key),
  "percent-encoded in lower case": (key) =>
    encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
  "in lower case": (key) => key.toLowerCase(),
  "percent-encoded whole": (key) => hexOf(key).replaceAll(/../g, "%$&"),
  "percent-encoded here and there": (key) =>
    [...key].map((character, at) => (at % 3 === 0 ? `%${hexOf(character)}` : character)).join(""),
  "as a form": (key) => new URLSearchParams({ key }).toString(),
  "in a JSON text": (key) => JSON.stringify(JSON.stringify(key)),
  "in escapes of JSON": (key) => [...key].map((character) => `\\u00${hexOf(character)}`).join(""),
  "in escapes of a shell": (key) => hexOf(key).replaceAll(/../g, "\\x$&"),
  "in octal escapes": (key) =>
    bytesOf(key)
      .map((byte) => `\\${byte.toString(8)}`)
      .join(""),
  "quoted for a shell": (key) => `'${key.replaceAll("'", `'\\''`)}'`,
  "with backslashes": (key) => key.replaceAll(/[^A-Za-z0-9]/g, "\\$&"),
  "as quoted pieces": (key) => `${JSON.stringify(key.slice(0, 9))} + ${JSON.stringify(key.slice(9))}`,
  "as entities of XML": (key) =>
    bytesOf(key)
      .map((byte) => `&#${byte};`)
      .join(""),
  reversed: (key) => [...key].reverse().join(""),
  "with a blank between": (key) => join(key, " "),
  "with points between": (key) => join(key, "."),
  "with invisible characters between": (key) => join(key, "\u200b"),
  "with a letter between": (key) => join(key, "x"),
  "with a digit between": (key) => join(key, "0"),
  "with line ends": (key) => key.replaceAll(/.{4}/g, "$&\r\n"),
  "with line ends of JSON": (key) => key.replaceAll(/.{4}/g, "$&\\n"),
};

/** Whether more than a third of a key is left in a text: as it is, or in an encoding. */
export function leaks(masked: string, encoded: string): boolean {
  const longest = Math.floor(encoded.length / 3);
  for (let at = 0; at + longest <= encoded.length; at += 1)
    if (masked.includes(encoded.slice(at, at + longest))) return true;
  return false;
}
