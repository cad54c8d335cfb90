import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { cage } from "./sandbox.fixture.ts";
import { sandboxFor, shellIn } from "./shell.fixture.ts";

test("what a tried line could read is looked up before its trial and after it, and not once more; private at either time counts", async (t) => {
  const made = await cage(t);
  const sandbox = await sandboxFor(t);
  if (made === null || sandbox === null) return;
  const { workspace, state } = made;
  const cancel = new AbortController().signal;
  const privately: Label = { ...bottomLabel, secrecy: "private" };
  for (const [labels, expected] of [
    [[bottomLabel, bottomLabel, privately], "public"],
    [[privately, bottomLabel, bottomLabel], "private"],
    [[bottomLabel, privately, bottomLabel], "private"],
  ] as const) {
    let looks = 0;
    const overlays = openCommandOverlays(join(state, "tried"), rememberNothing);
    t.after(() => overlays.trials.close());
    const shell = shellIn(workspace, {
      sandbox,
      tries: true,
      hidden: [state],
      overlays,
      labelOfRead: async ({ path, tree }) => {
        if (path !== workspace || !tree) return bottomLabel;
        looks += 1;
        return labels[looks - 1] ?? privately;
      },
    });
    const cmd = "sh -c 'X=made; echo words > $X'";
    const first = await shell.prepare(cmd);
    assert.ok(first.ok && first.trial !== undefined);
    assert.equal((await first.trial(cancel)).changed, true);
    for (const again of [1, 2]) {
      const tried = await shell.prepare(cmd);
      assert.ok(tried.ok);
      assert.equal(tried.resultLabel.secrecy, expected, `${again}`);
    }
    assert.equal(looks, 2);
  }
});
