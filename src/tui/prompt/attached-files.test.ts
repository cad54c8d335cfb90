import assert from "node:assert/strict";
import { test } from "node:test";
import type { SilentAnswer } from "../session/silent-requests.ts";
import { AttachedFiles, type TakenFile } from "./attached-files.ts";

const idsOf = (files: readonly TakenFile[]): readonly string[] => files.map(({ id }) => id);

test("a file goes with the words of the session that it was attached in, whichever is open once it was read", () => {
  let session: string | null = "first";
  const answers: ((answer: SilentAnswer) => void)[] = [];
  const attached = new AttachedFiles({
    ask: (_, answered) => void answers.push(answered),
    session: () => session,
    notice: () => {},
    changed: () => {},
  });
  const answer = (id: string): void =>
    answers.shift()?.({ code: "attached", text: "", data: { id, name: `${id}.txt` } });
  attached.attach("/one");
  session = "second";
  answer("one");
  attached.attach("/two");
  answer("two");
  assert.deepEqual(idsOf(attached.take("words")), ["two"]);
  assert.equal(attached.clear(), false);
  session = "first";
  assert.deepEqual(idsOf(attached.take("words")), ["one"]);
  session = null;
  attached.attach("/three");
  session = "opened";
  answer("three");
  assert.deepEqual(idsOf(attached.take("words")), ["three"]);
});
