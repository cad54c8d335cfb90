const plain = /^[\x20-\x7e]*$/;
const capital = /[A-Z]/;
const small = /[a-z]/;

/**
 * The name of the keyword for a key of a JSON object, or for a word: upper case if the key has no capital letter, else unchanged.
 * A key that would become another key (all capitals) or a value (`false`, `null`), or that begins with `=`, gets a `=` before it.
 */
export function keywordNameOf(key: string): string {
  if (key.startsWith("=") || key === "false" || key === "null") return `=${key}`;
  if (!plain.test(key)) return key;
  if (!capital.test(key)) return key.toUpperCase();
  return small.test(key) ? key : `=${key}`;
}

/** The key of a keyword: `keyOf(keywordNameOf(key))` is `key`. */
export function keyOf(name: string): string {
  if (name.startsWith("=")) return name.slice(1);
  return plain.test(name) && !small.test(name) ? name.toLowerCase() : name;
}
