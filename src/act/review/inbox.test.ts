import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scanOutline } from "#org";
import { wholeDiff } from "../../signal/file-diff.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { KeptProposal } from "../../signal/review.ts";
import { styleOf } from "./entry.ts";
import { fileProposals, readStandings } from "./inbox.ts";

const style = styleOf("/notes", { privacyTags: ["private"], org: [] });
const sample: KeptProposal = {
  id: "review-0123456789",
  by: "gardener",
  title: "Repair a link",
  why: "It leads nowhere.",
  source: "[[file:a.org]]",
  label: bottomLabel,
  change: { kind: "none", next: "" },
  state: "open",
  turn: null,
  filed: false,
  at: Date.UTC(2026, 4, 5, 10),
};
const withDiff = (before: string, after: string): KeptProposal["change"] => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const diff = wholeDiff(bytes(before), bytes(after)) ?? "";
  return { kind: "files", files: [{ path: "/notes/a.org", before: "0", after: "1", diff }] };
};
const file = (current: string, proposal: KeptProposal): string =>
  Buffer.from(fileProposals(Buffer.from(current), [{ proposal, at: proposal.at }], style)).toString();
const standingOf = (text: string, proposal: KeptProposal): string =>
  readStandings(Buffer.from(text), style)(proposal);

const hostile = fc
  .array(
    fc.constantFrom(
      "* TODO x",
      "#+end_src",
      "#+begin_src sh",
      ":PROPERTIES:",
      ":ID: review-ffffffffff",
      ":END:",
      "#+TITLE: x",
      "%%(evil)",
      "# Local Variables:",
      "\r",
      " :private:",
      "\u202e",
      "words",
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.join("\n"));

test("no words of a proposal, and no lines of its diff, become a heading, a property or a block of the inbox", () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (title, why, before, after) => {
      const proposal = { ...sample, title, why, source: why, change: withDiff(before, after) };
      const text = file("* Mine\nwords", proposal);
      const { headlines, settings } = scanOutline(text);
      assert.deepEqual(
        headlines.map(({ level }) => level),
        [1, 1],
      );
      assert.equal(headlines[1]?.properties?.properties[0]?.value, sample.id);
      assert.ok(settings.title === null && text.startsWith("* Mine\nwords\n"));
      assert.equal(standingOf(text, proposal), "shown");
      assert.equal(file(text, proposal), text);
    }),
    { numRuns: 500 },
  );
});

test("a decided entry is DONE with its outcome, opened again it is as before, and what somebody wrote below it stays", () => {
  const open = `${file("", { ...sample, change: withDiff("a\n", "b\n") })}My own remark.\n`;
  const proposal = { ...sample, change: withDiff("a\n", "b\n") };
  const closed = file(open, { ...proposal, state: "rejected" });
  assert.match(closed, /^\* DONE Repair a link$/m);
  assert.match(closed, /^:OUTCOME: +rejected \[2026-05-05 /m);
  assert.equal(file(closed, proposal), open);
  const renewed = file(open, { ...proposal, change: withDiff("a\n", "c\n") });
  assert.match(renewed, /^\+c$/m);
  assert.match(renewed, /My own remark\.$/m);
});

test("an entry that somebody marked as DONE in Emacs, or without a keyword, is open again without a trace of the decision, and its ID is read", () => {
  const proposal = { ...sample, change: withDiff("a\n", "b\n") };
  const text = file("", proposal);
  const done = text.replace(
    "* TODO Repair a link\n",
    "* DONE Repair a link\nCLOSED: [2026-05-06 Wed 10:00]\n",
  );
  const planned = text.replace(
    "* TODO Repair a link\n",
    "* DONE Repair a link\nCLOSED: [2026-05-06 Wed 10:00] SCHEDULED: <2026-05-07 Thu>\n",
  );
  assert.equal(file(done, proposal), text);
  assert.match(
    file(planned, proposal),
    /^\* TODO Repair a link\n SCHEDULED: <2026-05-07 Thu>\n:PROPERTIES:$/m,
  );
  assert.equal(standingOf(file(planned, proposal), proposal), "shown");
  for (const keyword of ["", "MINE "]) {
    const own = text.replace("* TODO ", `* ${keyword}`);
    const closed = file(own, { ...proposal, state: "accepted" });
    assert.match(closed, /^:OUTCOME: +accepted/m);
    assert.equal(file(closed, proposal), own);
  }
});

test("an entry whose diff somebody edited, closed or removed is known as that", () => {
  const proposal = { ...sample, change: withDiff("a\n", "b\n") };
  const text = file("", proposal);
  const standing = (changed: string): string => standingOf(changed, proposal);
  assert.equal(standing(text), "shown");
  assert.equal(standing(text.replace("\n+b", "\n+rm -rf")), "edited");
  assert.equal(standing(text.replace("#+begin_src diff", "#+begin_src sh")), "edited");
  for (const comma of ["+,b", "+b,", ",+b"]) {
    const isInert = comma === "+,b" || comma === ",+b";
    assert.equal(standing(text.replace("\n+b", `\n${comma}`)), isInert ? "shown" : "edited", comma);
  }
  const digits = { ...sample, change: withDiff("a\n", "15\n") };
  const shown = file("", digits);
  for (const edited of ["+1,5", "+,1,5", "+15,"])
    assert.equal(standingOf(shown.replace("+15", edited), digits), "edited", edited);
  assert.equal(standing(text.replace("* TODO", "* DONE")), "closed");
  assert.equal(standing("* Mine\n"), "gone");
  for (const unsure of ["", " \n", "* Mine", "* Mine\n#+begin_src diff\n", "* Mine\n<<<<<<< HEAD\n"])
    assert.equal(standing(unsure), "unknown", unsure);
});

test("a private proposal has the owner's tag for private text, and content of others its mark", () => {
  const label = { ...bottomLabel, secrecy: "private", integrity: "untrusted" } as const;
  const text = file("", { ...sample, label });
  assert.match(text, /^\* TODO Repair a link :private:$/m);
  assert.match(text, /^:ORIGIN: +untrusted$/m);
});

test("an entry whose proposal another one replaced shows the new one, and keeps what somebody wrote in it", () => {
  const old: KeptProposal = {
    ...sample,
    why: "It leads nowhere.\nTwo lines.",
    change: withDiff("a\n", "b\n"),
  };
  const label = { ...bottomLabel, secrecy: "private", integrity: "untrusted" } as const;
  const now: KeptProposal = {
    ...old,
    label,
    title: "Repair two links",
    why: "They lead nowhere.",
    source: "[[file:b.org]]",
    change: withDiff("a\n", "c\n"),
    replaced: old,
  };
  const first = file("* Mine\nwords", old);
  const { replaced: _, ...fresh } = now;
  assert.equal(file(first, now), file("* Mine\nwords", fresh));
  const annotated = first
    .replace("* TODO Repair a link", "** NEXT [#A] Repair a link :later:")
    .replace("#+begin_src diff", "My word between.\n#+begin_src diff")
    .replace(/^:END:$/m, ":EFFORT: 1h\n:END:\n:LOGBOOK:\n- Note taken\n:END:");
  const shown = file(`#+TODO: TODO NEXT | DONE\n${annotated}My own remark.\n*** Mine below\n`, now);
  assert.match(shown, /^\*\* NEXT \[#A\] Repair two links :later:private:$/m);
  assert.match(shown, /^:ORIGIN: +untrusted$/m);
  assert.match(shown, /^:EFFORT: 1h$/m);
  assert.match(shown, /^:LOGBOOK:\n- Note taken\n:END:$/m);
  assert.match(shown, /^They lead nowhere\.\nFrom: \[\[file:b\.org\]\]\n#\+begin_src diff$/m);
  assert.match(shown, /^My word between\.$/m);
  assert.match(shown, /^My own remark\.\n\*\*\* Mine below\n$/m);
  assert.ok(!/Repair a link|Two lines|file:a\.org|^\+b/m.test(shown), shown);
  assert.equal(standingOf(shown, now), "shown");
  const retitled = file(first.replace("Repair a link", "My title"), now);
  assert.match(retitled, /^\* TODO My title :private:$/m);
});
