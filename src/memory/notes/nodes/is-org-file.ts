/** Whether a file's name says that it holds Org: autosaves, backups and conflicts hold what the notes hold. */
export function isOrgFile(path: string): boolean {
  return /\.org(?:_archive)?(?:#|~|\.~\d+~)?$/.test(path);
}
