import { Tokenizer } from "htmlparser2";

/** All text of a page, and about how deep its elements are nested. */
export type PlainPage = { readonly text: string; readonly depth: number };

/** Elements whose content is not text for a person. */
const silent = new Set(["script", "style", "noscript", "template", "svg"]);
const blocks = new Set(
  "address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section table title tr ul".split(
    " ",
  ),
);
/** Elements that have no end tag, or that the next one of their kind ends. They do not nest by themselves. */
const unnested = new Set(
  "area base br col dd dt embed hr img input li link meta option p param source tbody td th thead tr track wbr".split(
    " ",
  ),
);

/** Extracts all text of an HTML page with its menus: block elements become lines. It builds no tree, so that its time is linear for any input. */
export function readPlainPage(html: string): PlainPage {
  const pieces: string[] = [];
  let skipping: string | null = null;
  let [depth, deepest] = [0, 0];
  const open = (start: number, end: number) => {
    const name = html.slice(start, Math.min(end, start + 20)).toLowerCase();
    if (skipping !== null) return;
    if (silent.has(name)) skipping = name;
    else pieces.push(separator(name));
    if (!unnested.has(name)) depth += 1;
    deepest = Math.max(deepest, depth);
  };
  const close = (start: number, end: number) => {
    const name = html.slice(start, Math.min(end, start + 20)).toLowerCase();
    if (skipping !== null && skipping !== name) return;
    if (skipping === null) pieces.push(separator(name));
    skipping = null;
    if (!unnested.has(name)) depth = Math.max(0, depth - 1);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...ignored,
      onopentagname: open,
      onclosetag: close,
      ontext: (start, end) => {
        if (skipping === null) pieces.push(html.slice(start, end));
      },
      ontextentity: (code) => {
        if (skipping === null) pieces.push(String.fromCodePoint(code));
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return { text: tidy(pieces.join("")), depth: deepest };
}

function separator(name: string): string {
  return blocks.has(name) ? "\n" : name === "td" || name === "th" ? " " : "";
}

function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f\u00a0]+/g, " ").trim())
    .filter((line, index, all) => line !== "" || (all[index - 1] ?? "") !== "")
    .join("\n")
    .trim();
}

const nothing = () => undefined;
const ignored = {
  onattribdata: nothing,
  onattribentity: nothing,
  onattribend: nothing,
  onattribname: nothing,
  oncdata: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
};
