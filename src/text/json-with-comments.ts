/** A text of JSON that was read, or what is wrong with it, in words without any of its contents. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads JSON as people write it into settings: with comments, trailing commas, and a byte order mark before
 * it.
 */
export function readJsonWithComments(text: string): ReadJson {
  try {
    return { ok: true, value: JSON.parse(withoutComments(text.replace(/^\uFEFF/, " "))) };
  } catch (error) {
    const place = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : "");
    const problem =
      place === null ? "it is no JSON" : `it is no JSON at line ${place[1]}, column ${place[2]}`;
    return { ok: false, problem };
  }
}

/** The text with blanks in the place of comments and trailing commas, so that places stay. */
function withoutComments(text: string): string {
  const token =
    /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*[\]}])/g;
  return text.replaceAll(token, (found) => (found.startsWith('"') ? found : found.replaceAll(/\S/g, " ")));
}
