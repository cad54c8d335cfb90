import { type Construct, mostConstructs } from "./construct.ts";
import { edgeLines } from "./edge-lines.ts";
import { linesOf } from "./org-constructs.ts";

const cookie = "Emacs sets variables when it opens the file";
/** Why bytes that switch between character sets count. */
const coded = "Emacs reads the file in another code, in which harmless words are others";

/** Finds what editors obey in a file of any kind: variables of Emacs, modelines of vim, and codes that hide other text. */
export function findFileConstructs(text: string): readonly Construct[] {
  return [...cookies(text), ...localVariables(text), ...modelines(text), ...macros(text), ...codes(text)];
}

const harmlessVariables = new Set(
  (
    "mode coding fill-column tab-width indent-tabs-mode truncate-lines lexical-binding buffer-read-only sentence-end-double-space " +
    "comment-column c-basic-offset c-file-style js-indent-level python-indent-offset sh-basic-offset css-indent-offset version-control " +
    "require-final-newline tab-always-indent byte-compile-warnings no-byte-compile ispell-dictionary ispell-local-dictionary org-adapt-indentation"
  ).split(" "),
);

function isHarmless(name: string, value: string): boolean {
  const word = value.trim().toLowerCase();
  if (!harmlessVariables.has(name.trim().toLowerCase()) || /[()]/.test(word)) return false;
  return (
    name.trim().toLowerCase() !== "coding" ||
    /^(?:utf-8|us-ascii|ascii|latin-1|iso-8859-1|undecided)/.test(word)
  );
}

/** `-*- … -*-` in the first two lines. */
function cookies(text: string): readonly Construct[] {
  const found: Construct[] = [];
  for (const { line, start } of firstLines(text, 4)) {
    const parts = line.split("-*-");
    const armed = parts.slice(1, -1).some((part) =>
      part.split(";").some((setting) => {
        const colon = setting.indexOf(":");
        return colon !== -1 && !isHarmless(setting.slice(0, colon), setting.slice(colon + 1));
      }),
    );
    if (!armed) continue;
    for (const match of line.matchAll(/-(?=\*-)/g).take(mostConstructs + 1))
      found.push({ why: cookie, at: start + match.index + 1, text: line.slice(0, 400) });
  }
  return found;
}

function firstLines(text: string, count: number) {
  return [...linesOf(text.split(/(?<=[\r\n])/, count).join(""))];
}

/** `Local Variables:` with the settings that follow. */
function localVariables(text: string): readonly Construct[] {
  const found: Construct[] = [];
  for (const match of text.matchAll(/(local variables):/gi)) {
    const after = text.slice(match.index + match[0].length, match.index + longestBlock);
    const [block = ""] = after.split(/\bend:/i, 1);
    const settings = [...linesOf(block)].map(({ line }) => /([\w-]+)[ \t]*:(.*)/.exec(line));
    const armed = settings.some((set) => set !== null && !isHarmless(set[1] ?? "", set[2] ?? ""));
    if (armed)
      found.push({ why: cookie, at: match.index + match[0].length - 1, text: match[0] + block.trimEnd() });
    if (found.length > mostBlocks) break;
  }
  return found;
}

const longestBlock = 3_000;
const mostBlocks = 100;
const modelineReach = 12;

const harmlessOptions = new Set(
  (
    "ts sts sw tw et noet ai noai si nosi ci cin nocin wm fo ft syn syntax filetype fenc fileencoding ff fileformat fdm foldmethod fdl foldlevel fdc " +
    "foldmarker fmr nowrap wrap lbr nolbr list nolist nu nonu number nonumber tabstop shiftwidth softtabstop textwidth expandtab noexpandtab autoindent " +
    "spell nospell spl spelllang ro noro ma noma bomb nobomb eol noeol cc colorcolumn com comments cms commentstring isk iskeyword nomodeline noml ic noic"
  ).split(" "),
);

/** `vim: …` in the first and the last lines. */
function modelines(text: string): readonly Construct[] {
  const found: Construct[] = [];
  for (const { line, start } of edgeLines(text, modelineReach)) {
    const match = /(?:^|[ \t])(?:vim?|ex)(?:[<=>]?\d+)?:/i.exec(line);
    if (match === null) continue;
    const end = match.index + match[0].length;
    const options = line.slice(end).split(/[ \t:\r\n]+/);
    if (options.some(isArmedOption))
      found.push({
        why: "vim obeys it when it opens the file",
        at: start + end - 1,
        text: line.slice(match.index, match.index + 400),
      });
  }
  return found;
}

function isArmedOption(option: string): boolean {
  const [, name = "", sets = ""] = /^([a-z]+)([+^-]?=)?/i.exec(option) ?? [];
  if (harmlessOptions.has(name) || name === "") return false;
  return sets !== "" || name === "exrc" || name === "ex" || name === "modelineexpr" || name === "mle";
}

/** Macros count in any file, because an Org file can take its settings from it. */
function macros(text: string): readonly Construct[] {
  return [...text.matchAll(/^([ \t]*)#\+macro:[^\r\n]*\([ \t]*eval[^\r\n]*/gim)].map((match) => ({
    why: "Emacs evaluates it on export",
    at: match.index + (match[1] ?? "").length,
    text: match[0].trim(),
  }));
}

/**
 * Characters that switch between character sets (escape, shift out, shift in) and so can part what belongs
 * together: Emacs takes them out. A comma before one keeps it parted. An escape before a bracket, as in
 * colours and titles, stays in the text whatever the code is.
 */
const shift = new RegExp(
  `(?<!,)(?:${String.fromCharCode(0x1b)}(?![[\\]])|[${String.fromCharCode(0x0e, 0x0f)}])`,
  "g",
);

/**
 * What names a character set, or begins or ends a composition. Emacs reads a text without one as it stands,
 * with all its escapes and shifts.
 */
const names = new RegExp(`${String.fromCharCode(0x1b)}[(-/$0-4]`);

/** The characters that hide words, once a character set is named anywhere in the file. */
export function findShifts(text: string): readonly Construct[] {
  const shifts = isNoText(text) ? [] : [...text.matchAll(shift).take(mostConstructs + 1)];
  return shifts.map(({ index }) => ({ why: coded, at: index, text: text.slice(index, index + 4) }));
}

/** Bytes and declarations that make an editor read other characters than those that stand there. */
function codes(text: string): readonly Construct[] {
  const declared = [
    ...text.slice(0, 4_000).matchAll(/(<)(?:\?xml|meta)\b[^>]*?(?:encoding|charset)\s*=\s*["']?([\w-]+)/gi),
  ];
  return [
    ...(names.test(text) ? findShifts(text) : []),
    ...declared
      .filter(([, , code = ""]) => !isHarmless("coding", code))
      .map((match) => ({ why: coded, at: match.index + 1, text: match[0] })),
  ];
}

/**
 * Whether these are bytes of no text, one a character, in which escapes stand by chance: they are no UTF-8,
 * and have a byte that no text with such escapes has, so that Emacs decodes none. A zero byte alone does
 * not hinder it.
 */
function isNoText(text: string): boolean {
  return neverWithShifts.test(text) && Buffer.from(text, "latin1").toString().includes("\ufffd");
}

/** The upper control characters, without those that switch between character sets themselves. */
const neverWithShifts = /[\x80-\x8d\x90-\x9a\x9c-\x9f]/;
