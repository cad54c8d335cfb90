/** True if a file holds Org by its name. Autosaves and backups count, because they hold the same text as the note. */
export function isOrgFile(path: string): boolean {
  return /\.org(?:_archive)?(?:#|~|\.~\d+~)?$/.test(path);
}
