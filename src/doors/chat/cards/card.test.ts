import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type ApprovalQuestion, formatApprovalQuestion } from "../../../shown/approval-question.ts";
import { bottomLabel } from "../../../signal/label.ts";
import { type Card, type CardContext, makeCard } from "./card.ts";
import { deletes, questionOf } from "./phone.fixture.ts";
import { isTypedWord, pickWord, weightsOf } from "./typed-word.ts";

const context: CardContext = {
  time: { now: 1_000_000, zoneMinutes: 60 },
  assistant: "Passepartout",
  answers: "buttons",
  weights: [],
  word: null,
};

/** A question about a command line. */
function about(cmd: string, more: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  const { action } = questionOf("t");
  return questionOf("t", { action: { ...action, payload: { tool: "shell", args: { cmd } } }, ...more });
}

/** What of a page no service reads as a link, a name, a command or markup. */
const outside = ({ text, code }: Card["pages"][number]): string =>
  code.toReversed().reduce((rest, { from, length }) => rest.slice(0, from) + rest.slice(from + length), text);

test("a card says who asks and what for in 60 characters, the effects, whether they can be undone, why, the gate, and when it lapses", () => {
  const { pages, sealed, toRead } = makeCard(about("make report"), context);
  assert.equal(
    pages[0]?.text,
    [
      "Passepartout in house asks: make report",
      "",
      "- run make report, sandboxed (can be undone)",
      "",
      "Can be undone.",
      "Asked because `make report` cannot be proved harmless",
      "Gate: programs",
      "The agent says: The owner asked for the report",
      "",
      "Once: yes, this one time.",
      "Lapses tomorrow at 01:00, which means no. “Always” is for the terminal alone.",
    ].join("\n"),
  );
  assert.equal(toRead, 1);
  assert.ok(!/report|make/.test(sealed.text));
});

test("the title never has more than 60 characters, and what would be done stands on the card in the words of the terminal", () => {
  const unit = fc.oneof(fc.integer({ min: 0, max: 0x24ff }), fc.integer({ min: 0x1f300, max: 0x1f9ff }));
  const text = fc
    .array(unit, { minLength: 1, maxLength: 400 })
    .map((units) => String.fromCodePoint(...units));
  fc.assert(
    fc.property(text, text, text, (cmd, folder, name) => {
      const question = about(cmd, { workspace: `/home/o/${folder}` });
      const { pages } = makeCard(question, { ...context, assistant: name });
      const [title = ""] = pages[0]?.text.split("\n") ?? [];
      assert.ok(title.length <= 60, title);
      const shown = pages.map((page) => page.text).join("\n");
      for (const line of formatApprovalQuestion(question, 0).split("\n").slice(2))
        if (line.startsWith("  - ") && line.length < 1500) assert.ok(shown.includes(line.trim()), line);
    }),
    { numRuns: 30 },
  );
});

test("whatever names, commands and reasons hold: a card keeps its form, fits into a message, and has none of it outside of code", () => {
  const hostile = fc.constantFrom(
    "\n\nOnce: yes, this one time.\nLapses never",
    "**bold** _it_ [x](https://evil.example) `code` ```\n",
    "\u202eno\u2066 \u200b\u2028\u2029",
    '<tg-button type="callback_data" data="x">No</tg-button>',
    "/clear @bot #tag https://evil.example",
    "a".repeat(5000),
    "👍".repeat(900),
    "e\u0301".repeat(3000),
    "\u0000\u001b[2J",
  );
  const word = "maple";
  fc.assert(
    fc.property(
      hostile,
      hostile,
      hostile,
      fc.constantFrom("buttons", "reactions"),
      (cmd, path, why, answers) => {
        const question = about(cmd, {
          workspace: `/home/${path}`,
          reason: why,
          habit: undefined as never,
          effects: [
            ...questionOf("t").effects,
            { kind: "delete-path", target: `/home/${path}`, label: bottomLabel, reversal: "final" },
          ],
          trace: [{ gate: "paths", result: "approval", reason: why, effects: [1] }],
        });
        const card = makeCard(question, { ...context, answers, weights: ["deletion"], word });
        const most = answers === "buttons" ? 4000 : 2000;
        for (const page of card.pages) {
          assert.ok(page.text.length <= most, `${page.text.length}`);
          assert.ok(page.text.trim() === page.text, "a service trims, and would move what is code");
          assert.match(page.text, /^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\n)*$/u);
        }
        const frame = outside(card.pages[0] ?? { text: "", code: [] });
        assert.ok(!/evil|clear|bot|bold|tg-button|never|aaa|👍👍/.test(frame), frame);
        assert.equal(frame.match(/write this word here: maple/g)?.length, 1);
        assert.equal(frame.match(/^Lapses/gm)?.length, 1);
        for (const page of card.pages.slice(1)) assert.match(outside(page), /^Details \d+ of \d+\n\n$/);
      },
    ),
    { numRuns: 100 },
  );
});

test("nothing of what would be done is cut in silence: the card and its details together hold every character", () => {
  const line = fc.string({ minLength: 0, maxLength: 3000 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
      const question = about(lines.join("\n"));
      const card = makeCard(question, context);
      const [first, ...rest] = card.pages;
      const isCut = first?.text.includes("✂") === true;
      const joined = (isCut ? rest : [first])
        .map((page) => page?.text.replace(/^Details.*\n\n/, ""))
        .join("\n");
      const plain = joined.replaceAll("\n↪ ", "");
      const wanted = formatApprovalQuestion(question, 0).split("\n");
      if (card.toRead === null) return;
      for (const one of wanted.filter((text) => text.startsWith("    │ ")))
        assert.ok(plain.includes(one.slice(2)), one);
      assert.ok(card.toRead <= card.pages.length);
      assert.equal(card.toRead > 1, isCut);
    }),
    { numRuns: 40 },
  );
});

test("a file edit is shown as its lines, as at the terminal", () => {
  const diff = {
    path: "/home/o/house/plan.org",
    change: "replace",
    added: 1,
    removed: 1,
    diff: "@@ -1 +1 @@\n-old\n+new",
    left: 0,
  } as const;
  const effects = [
    { kind: "write-path", target: diff.path, change: "replace", label: bottomLabel, reversal: "undoable" },
  ] as const;
  const action = {
    target: "tool",
    payload: { tool: "write-file", args: { path: "plan.org", content: "new" } },
    explanation: "as you said",
  };
  const card = makeCard(questionOf("t", { action, effects, changes: [diff] }), context);
  assert.match(
    card.pages[0]?.text ?? "",
    /asks: write-file plan\.org\n\n- replace plan\.org \(can be undone\)\n {2}│ - old\n {2}│ \+ new\n/,
  );
});

test("money, access and deletion want a word, wherever in a plan they stand; what nobody declared wants it too", () => {
  const base = { label: bottomLabel, reversal: "undoable" } as const;
  const memory = { kind: "change-memory", target: "s", realm: "own", ...base } as const;
  const secret = { ...base, label: { ...bottomLabel, secrecy: "secret" } } as const;
  const setting = { name: "A", before: "1", after: "2" };
  const steps = [{ words: "w", command: null, times: 1, effects: [...deletes] }] as const;
  const service = (act: "pay" | "grant" | "credential" | "delete" | "send" | "unknown") =>
    ({ kind: "use-service", service: "bank", act, target: "x", ...base }) as const;
  const [run] = questionOf("t").effects;
  assert.ok(run?.kind === "run-program");
  const cases: readonly (readonly [ApprovalQuestion["effects"], string])[] = [
    [[run], ""],
    [[service("send")], ""],
    [[service("pay")], "money"],
    [[service("grant")], "access"],
    [[service("credential")], "access"],
    [[service("delete")], "deletion"],
    [[service("unknown")], "money access deletion"],
    [deletes, "deletion"],
    [[{ ...run, confined: false }], "deletion"],
    [[{ ...run, credentials: ["token"] }], "access"],
    [[{ kind: "write-path", target: "/x", change: "replace", opens: "600 → 666", ...base }], "access"],
    [[{ kind: "read-path", target: "/x", access: "contents", tree: false, ...secret }], "access"],
    [[{ ...memory, operation: "change a setting", setting }], "access"],
    [[{ ...memory, operation: "drop what is kept", reversal: "final" }], "deletion"],
    [[{ ...memory, operation: "keep a flight plan", plan: { minutes: 5, steps } }], "deletion"],
  ];
  for (const [effects, wanted] of cases) assert.equal(weightsOf({ effects }).join(" "), wanted);
  const changes = [{ path: "/x", change: "delete", added: 0, removed: 1, diff: "", left: 0 }] as const;
  assert.deepEqual(weightsOf({ effects: [run], changes }), ["deletion"]);
});

test("each open question wants another word, which is typed as a phone writes it", () => {
  const taken = new Set<string>();
  for (let at = 0; at < 300; at += 1) {
    const word = pickWord(taken, (below) => Math.floor(below / 2));
    if (at < 150) assert.ok(!taken.has(word));
    taken.add(word);
    assert.ok(isTypedWord(` ${word[0]?.toUpperCase()}${word.slice(1)}.`, word));
    assert.ok(!isTypedWord(`${word}s`, word));
  }
});
