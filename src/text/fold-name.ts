/** A name in lower case, without dashes and underscores: two names that fold to the same mean the same. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}
