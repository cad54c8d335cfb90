/**
 * Emacs's character classes as the inside of a JavaScript character class, for expressions with the flag `u`, as far as the two Unicode versions
 * agree. Beware in all expressions over Org text: `.`, `$` and `^` know line ends that Emacs does not, so write `[^\n]` and `lineEnd`.
 */

/** What `[[:alnum:]]` matches. */
export const alphanumeric = "\\p{L}\\p{M}\\p{Nl}\\p{Nd}";

/** What `[[:word:]]` matches in an Org buffer; rare symbols beyond Latin are taken for words, as Emacs takes most of them. */
export const wordConstituent =
  "$%'0-9A-Za-z\\u0080-\\u009f\\u00a5\\u00b2\\u00b3\\u00b5\\u00b7\\u00b9\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02c6\\u02de-\\u05bd\\u05c7-\\u1fff\\u2c00-\\u2dff\\u3004-\\ud7ff\\ue000-\\u{10ffff}";

/** What has the syntax of white space in an Org buffer (`\s-`). */
export const whitespace = "\\t\\n\\f\\r \\u00a0\\u2000-\\u200b\\u202f\\u205f\\u3000";

/** Matches at the end of a line. */
export const lineEnd = "(?![^\\n])";
