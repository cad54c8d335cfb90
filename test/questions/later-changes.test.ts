import assert from "node:assert/strict";
import { test } from "node:test";
import { openQuestionWriter } from "../../src/daemon/agent/questions/write-questions.ts";
import { openKnownPrivateText } from "../../src/daemon/agent/resources/private-passages.ts";
import { openStateForWriting } from "../../src/daemon/serve.ts";
import { sha256 } from "../../src/machine/digest.ts";
import { openOwnNotes } from "../../src/memory/notes/open-own-notes.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import type { ListedQuestion, QuestionState } from "../../src/signal/listed-question.ts";
import { makeQuestionsWorld } from "./questions-world.ts";

/** A question that counts how often its words are read. */
function counted(index: number, state: QuestionState, read: () => void): ListedQuestion {
  const name = `create /home/me/file-${index}.txt`;
  const at = Date.UTC(2026, 4, 5, 10);
  return {
    id: `question-${String(index).padStart(12, "0")}`,
    state,
    by: "The agent",
    tool: "write-file",
    session: "s1",
    askedAt: at,
    lapsesAt: at + 1000,
    gates: ["paths"],
    about: {
      title: name,
      effects: [name],
      integrity: index === 7 ? "untrusted" : "agent",
      get lines() {
        read();
        return [`+ words of ${index}`];
      },
    },
  };
}

test("a later change formats, labels and searches for marks only in the entries that it changes", async (t) => {
  const world = await makeQuestionsWorld(t);
  const policy = loadPolicy(world.environment);
  const report = (message: string): void => assert.fail(message);
  await using plain = await openStateForWriting(policy);
  const work = { labelled: 0, formatted: 0 };
  const of: typeof plain.origins.of = (hashes) => {
    work.labelled += hashes.length;
    return plain.origins.of(hashes);
  };
  const state = { ...plain, origins: { ...plain.origins, of } };
  await using notes = openOwnNotes({
    ...policy.notesPlace,
    agendaFiles: [],
    stateFolder: policy.config.places.state,
    privacyTags: policy.config.privacyTags,
    originsOf: state.origins.of,
    isProgramFile: policy.isProgramFile,
    report,
    serving: false,
  });
  const privateText = openKnownPrivateText({ state, notes, policy, report });
  const write = openQuestionWriter({ policy, state, notes, privateText, semanticIndex: null });
  const files = async (count: number, denied: number) => {
    Object.assign(work, { labelled: 0, formatted: 0 });
    const ids = Array.from({ length: count }, (_, index) => index);
    const questions = ids.map((index) =>
      counted(index, index < denied ? "DENIED" : "OPEN", () => {
        work.formatted += 1;
      }),
    );
    const missing = new Set(questions.map(({ id }) => id));
    const wanted = { key: `${count} ${denied}`, isEmpty: false, missing, more: 0 };
    assert.equal(await write({ ...wanted, questions: async () => questions }), "written");
    const [open, closed] = [world.read().match(/^\* OPEN /gm), world.read().match(/^\* DENIED /gm)];
    assert.deepEqual([open?.length ?? 0, closed?.length ?? 0], [count - denied, denied]);
    return { ...work };
  };
  const many = 150;
  const first = await files(many, 0);
  assert.ok(first.formatted >= many && first.labelled >= many, JSON.stringify(first));
  for (const [count, denied] of [
    [many + 1, 0],
    [many + 1, 1],
  ] as const) {
    const later = await files(count, denied);
    assert.ok(later.formatted >= 1 && later.formatted < 5, JSON.stringify(later));
    assert.ok(later.labelled >= 1 && later.labelled < 100, JSON.stringify(later));
  }
  // Whoever else changes the file has all of it looked at again.
  world.write(`${world.read()}My own words.\n`);
  const edited = await files(many + 2, 1);
  assert.ok(edited.labelled >= many, JSON.stringify(edited));
  assert.match(world.read(), /^My own words\.$/m);
  const digest = (await plain.origins.of([sha256(world.read())])).values();
  assert.deepEqual(
    [...digest].map(({ label }) => label.integrity),
    ["untrusted"],
  );
});
