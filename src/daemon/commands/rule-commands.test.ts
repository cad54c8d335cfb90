import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Rule } from "../../gate/rules/rule.ts";
import { sha256 } from "../../machine/digest.ts";
import { openSampleState, sampleApproval, sampleSignal } from "../../memory/state/samples.fixture.ts";
import { openRuleBook } from "../../settings/rule-book.ts";
import { adviseQuestion, always } from "./rule-commands.ts";

const root = mkdtempSync(join(tmpdir(), "passepartout-rule-commands-"));
after(() => rmSync(root, { recursive: true, force: true }));

const ruleFor = (target: string, madeAt: number): Rule => ({
  name: `write-path-${madeAt}`,
  workspace: "/projects",
  command: null,
  effects: [{ kind: "write-path", target }],
  madeAt,
  examples: { matches: [], differs: [] },
});

test("only the rule that was shown last is kept, with the question or by /always, whatever further answers made of it", async () => {
  await using state = await openSampleState(join(root, "state"));
  const { turn } = await state.accept(sampleSignal(), 8);
  const token = "a-token-of-the-question";
  const approval = sampleApproval(turn.id, sha256(token));
  await state.commit({ turn: { ...turn, state: "thinking" } });
  await state.commit({ turn: { ...turn, state: "suspended" }, approval });
  let target = "/projects/a";
  let clock = 0;
  const kept: Rule[] = [];
  const book = openRuleBook(join(root, "rules.json"));
  const rules = {
    ...book,
    propose: () => ({ rule: ruleFor(target, ++clock), yes: 0, no: 0 }),
    keep: (rule: Rule) => {
      kept.push(rule);
      return rule.name;
    },
  };
  const parts = { state, policy: { rules }, recordPolicy: async () => {} };
  const targets = () => kept.flatMap(({ effects }) => effects.map((effect) => effect.target));

  const unseen = await always(parts, token, true);
  assert.equal(unseen.code, "rule");
  assert.match(
    unseen.text,
    /^Nothing was kept: .*\nThis rule would allow from now on,\n.*\n.*\/projects\/a/s,
  );
  assert.equal((await always(parts, token, true)).code, "rule-kept");
  assert.deepEqual(targets(), ["/projects/a"]);

  target = "/projects/⟨any⟩";
  const changed = await always(parts, token, true);
  assert.equal(changed.code, "rule");
  assert.match(changed.text, /^Nothing was kept/);
  assert.deepEqual(targets(), ["/projects/a"], "what was shown before is not kept as something wider");

  await adviseQuestion({ ...parts, filter: (text) => text }, approval);
  target = "/";
  assert.equal((await always(parts, token, true)).code, "rule");
  target = "/projects/b";
  await adviseQuestion({ ...parts, filter: (text) => text }, approval);
  assert.equal((await always(parts, token, true)).code, "rule-kept");
  assert.deepEqual(targets(), ["/projects/a", "/projects/b"], "the question itself had shown it");
});
