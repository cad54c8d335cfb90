import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bottomLabel, type Label } from "../../signal/label.ts";
import { assembleContext, contextText } from "./assemble-context.ts";
import type { ContextNode, ContextRequest, ContextSource, ShownNode } from "./context.ts";
import { estimateTokens } from "./estimate-tokens.ts";

type Given = {
  readonly id: string;
  readonly parent?: string;
  readonly title?: string;
  readonly text?: string;
} & {
  readonly project?: boolean;
  readonly done?: boolean;
  readonly level?: number;
  readonly label?: Partial<Label>;
  readonly linksTo?: string;
};

type ProjectNode = ContextNode & { readonly parent: string | null; readonly isProject: boolean };

function note(given: Given): ProjectNode {
  return {
    id: given.id,
    parent: given.parent ?? null,
    title: given.title ?? given.id,
    level: given.level ?? 1,
    todo: given.project === true ? "TODO" : null,
    done: given.done ?? false,
    label: { ...bottomLabel, ...given.label },
    isProject: given.project === true,
  };
}

/** Notes in memory, each similar to the words by the number given. */
function notes(
  given: readonly Given[],
  similar: Readonly<Record<string, number>> = {},
  edited: string | null = null,
): ContextSource {
  const nodes = new Map(given.map((one) => [one.id, note(one)]));
  const textFor = (id: string): string => given.find((one) => one.id === id)?.text ?? `* ${id}`;
  const children = (id: string): readonly ProjectNode[] =>
    [...nodes.values()].filter(({ parent }) => parent === id);
  const subtree = (id: string): readonly ShownNode[] => {
    const node = nodes.get(id);
    if (node === undefined) return [];
    return [{ node, text: textFor(id) }, ...children(id).flatMap((child) => subtree(child.id))];
  };
  return {
    node: async (id) => nodes.get(id) ?? null,
    subtree: async (id) => subtree(id),
    children: async (id) => children(id),
    similar: async (_words, limit) =>
      Object.entries(similar)
        .map(([id, similarity]) => ({ id, similarity }))
        .slice(0, limit),
    titledIn: async (words) => [...nodes.values()].filter(({ title }) => words.includes(title)),
    sections: async (ids) => ids.flatMap((id) => subtree(id).slice(0, 1)),
    projects: async () => [...nodes.values()].filter(({ isProject, done }) => isProject && !done),
    lastEdited: async () => edited,
    isOfProgram: async (id) => id.startsWith("review-"),
    backlinks: async (id) => given.filter(({ linksTo }) => linksTo === id).map((one) => note(one)),
  };
}

const asked: ContextRequest = { words: "the boiler", focus: null, threshold: 0.75, budget: 1000 };
const shown = async (source: ContextSource, request: Partial<ContextRequest> = {}) => {
  const context = await assembleContext(source, { ...asked, ...request });
  return {
    ...context,
    text: contextText(context, "public").text,
    private: contextText(context, "private").text,
  };
};

test("of a file that is the best match only its own text is the focus; a headline comes with all below it", async () => {
  const given = [
    { id: "house.org", level: 0, text: "All about the house." },
    { id: "roof", parent: "house.org", text: "* Roof" },
    { id: "leak", parent: "roof", text: "** Leak" },
  ];
  assert.equal(
    (await shown(notes(given, { "house.org": 0.9 }))).text,
    "FOCUS 0.90 [house.org]\nAll about the house.",
  );
  assert.equal((await shown(notes(given, { roof: 0.9 }))).text, "FOCUS 0.90 [roof]\n* Roof\n** Leak");
});

test("what the program keeps for itself is no part of the context, private or not, unless the client names it", async () => {
  const given = [
    { id: "near" },
    { id: "review-1", text: "* TODO The job bills was put off", linksTo: "near" },
    { id: "review-2", project: true, title: "The job bills needs your yes" },
    { id: "review-3", text: "* A private proposal", label: { secrecy: "private" as const } },
  ];
  const source = notes(given, { "review-1": 0.95, "review-3": 0.95, near: 0.9 });
  const others = await shown(source);
  assert.equal(others.text, "FOCUS 0.90 [near]\n* near");
  assert.equal(others.private, "");
  assert.deepEqual(
    others.omitted.map(({ id }) => id),
    ["review-1", "review-3"],
  );
  assert.match(
    (await shown(source, { focus: "review-1" })).text,
    /^FOCUS \[review-1\]\n\* TODO The job bills/,
  );
});

test("the node that the client names is the focus, in full with its subtree", async () => {
  const source = notes([
    { id: "house", text: "* House\nOld." },
    { id: "roof", parent: "house", text: "** Roof\nLeaks." },
  ]);
  const { text, pieces } = await shown(source, { focus: "house" });
  assert.equal(text, "FOCUS [house]\n* House\nOld.\n** Roof\nLeaks.");
  assert.deepEqual(
    pieces.map(({ part, nodes }) => [part, nodes]),
    [["focus", ["house", "roof"]]],
  );
});

test("by default the focus is the note edited last, else the best match above the threshold, else none", async () => {
  const given = [{ id: "edited" }, { id: "near" }];
  assert.match((await shown(notes(given, { near: 0.9 }, "edited"))).text, /^FOCUS \[edited\]/);
  assert.match((await shown(notes(given, { near: 0.9 }))).text, /^FOCUS 0\.90 \[near\]/);
  assert.equal((await shown(notes(given, { near: 0.7 }))).text, "");
  const filed = notes([...given, { id: "review-1" }], { "review-1": 0.95, near: 0.9 });
  assert.match((await shown(filed)).text, /^FOCUS 0\.90 \[near\]/);
  assert.match((await shown(notes(given, { near: 0.9 }), { focus: "gone" })).text, /^FOCUS 0\.90 \[near\]/);
});

test("the focus shows which notes link to it, public and private ones apart, and a linking note may still be shown in full", async () => {
  const source = notes(
    [
      { id: "roof" },
      { id: "offer", title: "Offer", text: "* Offer\nZinc.", linksTo: "roof" },
      { id: "diary", title: "Diary", linksTo: "roof", label: { secrecy: "private" } },
      { id: "page", title: "Page", linksTo: "roof", label: { integrity: "untrusted" } },
      { id: "key", title: "Key", linksTo: "roof", label: { secrecy: "secret" } },
    ],
    { offer: 0.9 },
  );
  const { text, private: privateText, omitted } = await shown(source, { focus: "roof" });
  assert.equal(
    text,
    "FOCUS [roof]\n* roof\nLINKS TO [roof]\n- Offer [offer]\nNOTE 0.90 [offer]\n* Offer\nZinc.",
  );
  assert.equal(privateText, "LINKS TO [roof]\n- Diary [diary]");
  assert.deepEqual(
    omitted.map(({ id }) => id),
    ["page", "key"],
  );
});

test("the notes that link to the focus take at most a tenth of the remaining budget", async () => {
  const linking = Array.from({ length: 40 }, (_, at) => ({ id: `linking-note-${at}`, linksTo: "f" }));
  const { pieces } = await shown(notes([{ id: "f" }, ...linking]), { focus: "f", budget: 1000 });
  const [, links] = pieces;
  assert.equal(links?.part, "backlink");
  assert.ok(links.tokens <= 100, `${links.tokens} tokens`);
});

test("nodes above the threshold are shown in full with their score; nodes below it are listed with the reason", async () => {
  const source = notes([{ id: "f" }, { id: "a", text: "* A\nwords" }, { id: "b" }], { a: 0.75, b: 0.74 });
  const { text, omitted } = await shown(source, { focus: "f" });
  assert.match(text, /NOTE 0\.75 \[a\]\n\* A\nwords/);
  assert.ok(!text.includes("[b]"));
  assert.deepEqual(omitted, [{ id: "b", why: "its similarity 0.74 is below 0.75" }]);
});

test("open projects are shown as an outline two levels deep, without finished headlines", async () => {
  const source = notes([
    { id: "p", title: "Move", project: true },
    { id: "c", parent: "p", title: "Boxes" },
    { id: "d", parent: "p", title: "Keys", done: true },
    { id: "g", parent: "c", title: "Tape" },
    { id: "h", parent: "g", title: "Too deep" },
    { id: "x", title: "Over", project: true, done: true },
  ]);
  assert.equal((await shown(source)).text, "PROJECT [p]\n- TODO Move\n  - Boxes\n    - Tape");
});

test("secret text is never shown, private text never beside public text", async () => {
  const source = notes([
    { id: "f", text: "* Open" },
    { id: "s", parent: "f", text: "** Vault words", label: { secrecy: "secret" } },
    { id: "p", parent: "f", text: "** Diary", label: { secrecy: "private" } },
  ]);
  const context = await shown(source, { focus: "f" });
  assert.equal(context.text, "FOCUS [f]\n* Open");
  assert.equal(context.private, "FOCUS [f]\n** Diary");
  assert.deepEqual(context.omitted, [{ id: "s", why: "it is or was encrypted" }]);
  assert.equal(contextText(context, "private").label.secrecy, "private");
});

test("text of others is shown only as the focus, and then the context is untrusted", async () => {
  const source = notes(
    [{ id: "web", label: { integrity: "untrusted" } }, { id: "own" }],
    { web: 1, own: 0.9 },
    "own",
  );
  assert.ok(!(await shown(source)).text.includes("web"));
  const context = await assembleContext(source, { ...asked, focus: "web" });
  assert.equal(contextText(context, "public").label.integrity, "untrusted");
});

test("the budget is never exceeded, and a piece that was cut says so", async () => {
  const texts = fc.array(fc.string({ maxLength: 400, unit: fc.constantFrom("a", "é", "\n", " ", "😀") }), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 0, max: 400 }), async (bodies, budget) => {
      const given = bodies.map((text, index) => ({
        id: `n${index}`,
        text,
        project: index % 3 === 1,
        ...(index % 4 === 3 ? { parent: `n${index - 1}` } : {}),
        label: { secrecy: index % 5 === 2 ? ("private" as const) : ("public" as const) },
      }));
      const similar = Object.fromEntries(given.map(({ id }, index) => [id, 1 - index / 50]));
      const context = await shown(notes(given, similar, "n0"), { budget });
      const whole = [context.text, context.private].filter((text) => text !== "").join("\n");
      assert.ok(estimateTokens(whole) <= budget || whole === "", `${estimateTokens(whole)} of ${budget}`);
      for (const piece of context.pieces) assert.equal(piece.cut, piece.text.endsWith("[cut to fit]"));
    }),
  );
});

test("the same notes and words give the same bytes", async () => {
  const make = () => notes([{ id: "a" }, { id: "b", project: true }, { id: "c" }], { a: 0.8, c: 0.8 });
  assert.equal((await shown(make())).text, (await shown(make())).text);
});
