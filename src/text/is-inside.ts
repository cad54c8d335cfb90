/** True if the path is the folder or below it. Both are real and absolute; they are compared character by character. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
