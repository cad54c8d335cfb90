/** What the name of a file says by the file-naming scheme of Denote: `DATE==SIGNATURE--TITLE__KEYWORDS.org`, its parts in any order. */
export type DenoteName = {
  readonly id: string;
  readonly title: string | null;
  readonly tags: readonly string[];
};

const identifier = /(?:^|@@)(\d{8}T\d{6})(?=[-=_@.#~]|$)/;
const title = /--((?:(?!==|__|@@)[^.])+)/;
const keywords = /__((?:(?!==|--|@@)[^.])+)/;

/** Reads the name of a file; null if it is not Denote's. Backups and autosaves have that of their note. https://protesilaos.com/emacs/denote */
export function readDenoteName(path: string): DenoteName | null {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/^[.#]+/, "");
  const id = identifier.exec(name)?.[1];
  if (id === undefined) return null;
  const words = title.exec(name)?.[1]?.replaceAll("-", " ").trim() ?? "";
  const tags =
    keywords
      .exec(name)?.[1]
      ?.split("_")
      .filter((tag) => /^[\p{L}\p{N}@#%]+$/u.test(tag)) ?? [];
  return { id, title: words === "" ? null : words.charAt(0).toUpperCase() + words.slice(1), tags };
}
