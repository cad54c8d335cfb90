/** True for a file that Org archives to: by its default name, or by the words at the top of an archive that Emacs made. */
export function isArchive(file: string, text: string): boolean {
  return file.endsWith("_archive") || /^Archived entries from file /m.test(text.slice(0, 300));
}
