const names = new Map([
  ["/dev/stdin", 0],
  ["/dev/stdout", 1],
  ["/dev/stderr", 2],
]);

/**
 * Which standard stream of the program that opens it a path is: 0, 1 or 2; null for anything else. The same
 * path is another stream for each program.
 */
export function streamNamed(path: string): number | null {
  const descriptor = /^(?:\/dev\/fd|\/proc\/(?:thread-)?self\/fd)\/([012])$/.exec(path);
  return names.get(path) ?? (descriptor === null ? null : Number(descriptor[1]));
}
