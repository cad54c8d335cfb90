/** The most characters of one message of a server. */
export const longestMessage = 4_194_304;
/**
 * The most values in one message: each becomes an object of this program, however small it is, and is looked
 * at by all that labels, judges, keeps and shows a result.
 */
export const mostValues = 50_000;
/** How deep a message of a server may nest: what is deeper would exhaust the stack of whoever walks it. */
export const deepestMessage = 128;

/** What is too much in a text of JSON, found without parsing it; null where it may be parsed. */
export function excessOf(json: string): string | null {
  if (json.length > longestMessage) return `it sent a message of more than ${longestMessage} bytes`;
  const found = countJson(json, mostValues);
  if (found.depth > deepestMessage) return "it sent a message that nests too deep";
  return found.values > mostValues ? `it sent a message of more than ${mostValues} values` : null;
}

/** How many values a text of JSON has; null where they are more than `most`, or nest too deep. */
export function countValues(json: string, most: number): number | null {
  const { values, depth } = countJson(json, most);
  return values > most || depth > deepestMessage ? null : values;
}

/**
 * Counts what stands outside of strings, up to the first that is too much: what is no JSON may be too much
 * as well.
 */
function countJson(json: string, most: number): { readonly values: number; readonly depth: number } {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length && values <= most && depth <= deepestMessage; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at);
    else if (code === endOfBrace || code === endOfBracket) depth -= 1;
    else if (code === comma || code === brace || code === bracket) values += 1;
    if (code === brace || code === bracket) depth += 1;
  }
  return { values, depth };
}

const [quote, backslash, comma, brace, endOfBrace, bracket, endOfBracket] = [...'"\\,{}[]'].map((sign) =>
  sign.charCodeAt(0),
);

/** Where the string that begins at this place ends. */
function endOfString(json: string, begin: number): number {
  for (let at = begin + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at += 1;
  }
  return json.length;
}
