/** Extracts the text of an HTML page in linear time. Removes tags, scripts and styles; block elements become lines. */
export function htmlText(html: string): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf("<", at);
    if (tag === -1) {
      pieces.push(html.slice(at));
      break;
    }
    pieces.push(html.slice(at, tag));
    const step = skipTag(html, tag);
    pieces.push(step.text);
    at = step.next;
  }
  const lines = decodeEntities(pieces.join("")).split("\n");
  return lines
    .map((line) => line.replace(/[ \t\r\f\u00a0]+/g, " ").trim())
    .filter((line, index, all) => line !== "" || (all[index - 1] ?? "") !== "")
    .join("\n")
    .trim();
}

const silent = new Set(["script", "style", "noscript", "template", "svg", "head"]);
const blocks = new Set(
  "address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table title tr ul".split(
    " ",
  ),
);

function skipTag(html: string, tag: number): { readonly text: string; readonly next: number } {
  if (html.startsWith("<!--", tag)) return { text: "", next: after(html, "-->", tag + 4) };
  const name = (/^<\/?([a-z][a-z0-9]{0,15})/i.exec(html.slice(tag, tag + 20))?.[1] ?? "").toLowerCase();
  if (name === "" && !/^<[!?/]/.test(html.slice(tag, tag + 2))) return { text: "<", next: tag + 1 };
  const end = after(html, ">", tag);
  if (silent.has(name) && html[tag + 1] !== "/") return { text: "", next: closing(html, name, end) };
  return { text: blocks.has(name) ? "\n" : name === "td" || name === "th" ? " " : "", next: end };
}

function closing(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[^>]{0,50}>`, "ig");
  end.lastIndex = from;
  const found = end.exec(html);
  return found === null ? html.length : found.index + found[0].length;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["ndash", "–"],
  ["mdash", "—"],
  ["hellip", "…"],
  ["copy", "©"],
]);

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, (whole, entity: string) => {
    if (!entity.startsWith("#")) return named.get(entity.toLowerCase()) ?? whole;
    const code = /^#x/i.test(entity)
      ? Number.parseInt(entity.slice(2), 16)
      : Number.parseInt(entity.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
