/**
 * Escapes of characters by their number, in the strings of JSON, TOML, YAML, HCL, Go and Elixir, and in
 * addresses.
 */
const escapes =
  /\\u\{([\da-f]{1,6})\}|\\x\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\\U([\da-f]{8})|\\x([\da-f]{2})|\\([0-3][0-7]{2})|%([\da-f]{2})/gi;

/**
 * The forms in which a list of packages can be read: as it is written, with the lines joined that end in a
 * backslash, and with its escapes decoded, whatever program reads it. A form may show a place that no program
 * reads; then the owner is asked.
 */
export function readForms(text: string): readonly string[] {
  const plain = text.replaceAll("\\/", "/");
  const joined = plain.replaceAll(/\\\r?\n/g, "");
  const decoded = plain.replaceAll(/\\[ \t]*\r?\n\s*/g, "").replaceAll(escapes, decodeEscape);
  return decoded === joined ? [joined] : [joined, decoded];
}

function decodeEscape(written: string, ...groups: readonly unknown[]): string {
  const digits = groups.slice(0, 7).findIndex((group) => group !== undefined);
  const number = Number.parseInt(`${groups[digits]}`, digits === octalGroup ? 8 : 16);
  // Of an address only what stands for other characters is decoded; line ends would part what is one place.
  return number > 0x10ffff || number < 0x20 ? written : String.fromCodePoint(number);
}

/** The group of `escapes` whose digits are octal. */
const octalGroup = 5;

/** Fields by which lists of packages in JSON name a place, also without an address. */
const placeFields = new Set(
  "url uri owner repo host id location repository registry path file git github resolved tarball directory".split(
    " ",
  ),
);

/**
 * The places in the values and keys of a JSON text, as its programs read them: texts of their own, and what
 * the fields of an object say together, such as the owner and the name of a repository. Null for what is no
 * JSON.
 */
export function placesInJson(
  text: string,
): { readonly texts: string; readonly fields: readonly string[] } | null {
  const texts: string[] = [];
  const fields: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      texts.push(key);
      if (typeof value === "string") texts.push(value);
      else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        const named = fieldsOf(value);
        if (named !== "") fields.push(named);
      }
      return value;
    });
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
    return null;
  }
  // In quotes: what stands beside a place is no part of it.
  return { texts: texts.map((each) => `"${each}"`).join("\n"), fields };
}

/** What the fields of an object say of a place without an address; empty for nothing. */
function fieldsOf(value: object): string {
  return Object.entries(value)
    .flatMap(([key, said]: [string, unknown]) =>
      placeFields.has(key.toLowerCase()) && typeof said === "string" && !/^[a-z][a-z0-9+.-]*:\S/i.test(said)
        ? [`${key}: ${said}`]
        : [],
    )
    .toSorted()
    .join(", ");
}
