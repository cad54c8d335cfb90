import { pushAll } from "../../signal/lists.ts";

/**
 * Whether a text may be sent as rich Markdown. The service's Markdown can hold any of its HTML: a picture
 * there makes the service fetch an address, and a button looks like one of this program. A text that holds
 * such outside of code is sent as it is, and so is one whose code might be read as something else.
 */
export function isSafeMarkdown(text: string): boolean {
  const { outside, inside } = withoutFences(text);
  if (isActive(outside)) return false;
  // Formulas can hold what looks like a fence: then what stands in "code" counts.
  return !(isActive(inside) && /\$|\\[[(]|<|&/.test(outside));
}

const isActive = (text: string): boolean => /<[a-z/!?]|!\[|&#|&lt/i.test(text);

/** The lines in fenced code that begins and ends at the margin, and the other lines. A fence that is not closed encloses nothing. */
function withoutFences(text: string): { readonly outside: string; readonly inside: string } {
  const outside: string[] = [];
  const inside: string[] = [];
  let open: { readonly marks: string; readonly lines: string[] } | null = null;
  for (const line of text.split(/\r?\n|\r/)) {
    const [, marks, info = ""] = /^(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (open === null) {
      if (marks === undefined) outside.push(line);
      else {
        open = { marks, lines: [] };
        outside.push(info);
      }
    } else if (marks?.startsWith(open.marks) === true && info.trim() === "") {
      pushAll(inside, open.lines);
      open = null;
    } else open.lines.push(line);
  }
  return { outside: [...outside, ...(open?.lines ?? [])].join("\n"), inside: inside.join("\n") };
}
