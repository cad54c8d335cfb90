/** A link in a text: its type (`id`, `file`, `https`, `cite`, `fuzzy`, …), its target without the type, and where it begins. */
export type FoundLink = { readonly type: string; readonly target: string; readonly begin: number };

const link = /\[\[((?:[^\][\\]|\\.)+)\](?:\[(?:[^\]]|\](?!\]))*\])?\]|\[cite(?:\/[^\]:]*)?:([^\]]+)\]/g;
const typed = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s;
const verbatimBlock =
  /^[ \t]*#\+begin_(src|example|comment|export)\b[^\n]*\n(?:[^\n]*\n)*?[ \t]*#\+end_\1[ \t]*$|^[ \t]*(?:#|:)(?: [^\n]*)?$/gim;

/** The links of a section's text, from left to right; nothing inside verbatim blocks, comments and fixed width counts. */
export function findLinks(text: string): readonly FoundLink[] {
  if (!text.includes("[[") && !text.includes("[cite")) return [];
  const shown = text.replaceAll(verbatimBlock, (block) => " ".repeat(block.length));
  return [...shown.matchAll(link)].flatMap(({ 0: whole, 1: target, 2: keys, index }) =>
    target !== undefined
      ? [readTarget(target.replaceAll(/\\([\][\\])/g, "$1"), index)]
      : [...(keys ?? whole).matchAll(/@([^\s;\]]+)/g)].map(([, key = ""]) => ({
          ...{ type: "cite", target: key, begin: index },
        })),
  );
}

function readTarget(target: string, begin: number): FoundLink {
  const match = typed.exec(target);
  if (match !== null) return { type: (match[1] ?? "").toLowerCase(), target: (match[2] ?? "").trim(), begin };
  const type = target.startsWith("#") ? "custom-id" : /^(?:\.{0,2}\/|~)/.test(target) ? "file" : "fuzzy";
  return { type, target: type === "custom-id" ? target.slice(1) : target, begin };
}
