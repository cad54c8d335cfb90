/** What a comparison or a quotation puts in front of a line. */
const quote = String.raw`^[+> -]?[ \t]*`;
/** The lines around the head of a note: front matter, or the line below the head of a plain one. */
const fence = /^[+> -]?(?:-{3,}|\+{3})[ \t]*$/;
const tagKey = new RegExp(String.raw`${quote}["']?(?:tags?|keywords|filetags)["']?[ \t]*[:=](.*)$`, "iu");
const item = new RegExp(String.raw`${quote}(?:-[ \t]+)(.*)$`, "u");
const hashtag = /(?<![\p{L}\p{N}_/#&@%:.=-])#([\p{L}\p{N}_@%-]+)/gu;

/**
 * Reads the tags in the head of a note that is no Org file, line by line: those of `tags:`, in a line or as
 * a list below it.
 */
export class HeadTags {
  /** A note without a fence has its head at its beginning, up to a blank line. */
  #place: "beginning" | "head" | "body" = "beginning";
  #list: "none" | "lines" | "brackets" = "none";

  /** The tags, in lower case, that the next line gives the whole note. */
  next(line: string): readonly string[] {
    if (fence.test(line)) {
      this.#place = this.#place === "head" ? "body" : "head";
      this.#list = "none";
    } else if (this.#place === "beginning" && line.trim() === "") this.#place = "body";
    return this.#place === "body" ? [] : tagsOf(this.#named(line));
  }

  /** Begins another note. */
  restart(): void {
    this.#place = "beginning";
    this.#list = "none";
  }

  #named(line: string): string {
    const value = tagKey.exec(line)?.[1];
    if (value !== undefined) {
      const isOpen = value.includes("[") && !value.includes("]");
      this.#list = isOpen ? "brackets" : value.trim() === "" ? "lines" : "none";
      return value;
    }
    const [list, one] = [this.#list, item.exec(line)?.[1]];
    if (list === "brackets" ? line.includes("]") : one === undefined) this.#list = "none";
    return list === "brackets" ? line : list === "lines" ? (one ?? "") : "";
  }
}

/** The hashtags of a line, in lower case: `#@personal`, also with a tag below it, `#@personal/health`. */
export function hashtagsIn(line: string): readonly string[] {
  return [...line.matchAll(hashtag)].map(([, tag = ""]) => tag.toLowerCase());
}

function tagsOf(list: string): readonly string[] {
  return list.toLowerCase().match(/[\p{L}\p{N}_@%-]+/gu) ?? [];
}
