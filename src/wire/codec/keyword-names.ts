const plain = /^[\x20-\x7e]*$/;
const capital = /[A-Z]/;
const small = /[a-z]/;

/**
 * The name of the keyword that stands for a key of a JSON object, or for a word: upper case where the key has no capital letter, else as it is.
 * What Lisp could take for another key (all capitals) or for a value (`false`, `null`), and what begins with `=`, gets a `=` before it.
 */
export function keywordNameOf(key: string): string {
  if (key.startsWith("=") || key === "false" || key === "null") return `=${key}`;
  if (!plain.test(key)) return key;
  if (!capital.test(key)) return key.toUpperCase();
  return small.test(key) ? key : `=${key}`;
}

/** The key that a keyword stands for: `keyOf(nameOf(key))` is the key. */
export function keyOf(name: string): string {
  if (name.startsWith("=")) return name.slice(1);
  return plain.test(name) && !small.test(name) ? name.toLowerCase() : name;
}
