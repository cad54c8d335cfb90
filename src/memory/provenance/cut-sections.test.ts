import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nodesIn } from "../notes/labels/label-of-file.ts";
import { cutSections } from "./cut-sections.ts";

const notes = { folder: "/n", variables: [] };

/** A file without the sections whose heading or text says so. */
async function cut(text: string, mark: RegExp): Promise<string | null> {
  const bytes = Buffer.from(text);
  const { nodes } = await nodesIn({ path: "/n/a.org", notes }, bytes);
  const isMeant = ({ begin, sectionEnd }: { readonly begin: number; readonly sectionEnd: number }): boolean =>
    mark.test(text.slice(begin, sectionEnd));
  const wanted = new Set(nodes.filter(isMeant).map(({ begin }) => begin));
  const made = cutSections(bytes, nodes, { isCut: ({ begin }) => wanted.has(begin) });
  return made.bytes === null ? null : Buffer.from(made.bytes).toString();
}

test("a section goes with its heading, and every other byte stays: line ends, blanks, drawers and a missing last line feed", async () => {
  const text =
    "#+TITLE: T\r\n\r\n* A  \n:PROPERTIES:\n:ID: a\n:END:\n  x\r\n* Gone\nGONE\n\n** Gone too\nGONE\n* B\n\tno end";
  assert.equal(await cut(text, /gone/i), text.replace("* Gone\nGONE\n\n** Gone too\nGONE\n", ""));
});

test("a heading with other notes below it stays, without its text", async () => {
  assert.equal(await cut("* Top GONE\nwords\n** Mine\nkept\n", /GONE/), "* Top GONE\n** Mine\nkept\n");
});

test("a file with nothing else in it goes, keywords of its owner stay, and so does the title above other notes", async () => {
  assert.equal(await cut(":PROPERTIES:\n:ORIGIN:   untrusted\n:END:\n* GONE\n", /GONE/), null);
  assert.equal(await cut("#+STARTUP: fold\n* GONE\n", /GONE/), "#+STARTUP: fold\n");
  assert.equal(await cut("#+TITLE: GONE\n* Mine\n* GONE\n", /GONE/), "#+TITLE: GONE\n* Mine\n");
});

test("whatever sections are cut, what is left is the file without their lines", async () => {
  const section = fc.record({
    level: fc.integer({ min: 1, max: 3 }),
    gone: fc.boolean(),
    body: fc.constantFrom("", "a\n", " b \r\n", "\n", "\t- c\n"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(section, { minLength: 1, maxLength: 8 }), async (sections) => {
      const isAbove = (index: number): boolean => {
        const below = sections.slice(index + 1);
        const end = below.findIndex(({ level }) => level <= (sections[index]?.level ?? 0));
        return below.slice(0, end === -1 ? undefined : end).some(({ gone }) => !gone);
      };
      const lines = sections.map(({ level, gone, body }, index) => {
        const head = `${"*".repeat(level)} ${gone ? "GONE" : "stay"} ${index}\n`;
        return { whole: head + body, left: !gone ? head + body : isAbove(index) ? head : "" };
      });
      const left = lines.map((line) => line.left).join("");
      const text = lines.map((line) => line.whole).join("");
      assert.equal(await cut(text, /GONE/), left === "" && text !== "" ? null : left);
    }),
    { numRuns: 200 },
  );
});
