import assert from "node:assert/strict";
import { test } from "node:test";
import { makeIsHidden } from "./hidden-pane.ts";

const inside = { TMUX: "/tmp/tmux-0/default,1,0", TMUX_PANE: "%3" };

test("a pane is hidden where a client looks at another window, or at another pane alone; never where tmux does not say", async () => {
  for (const [out, code, hidden] of [
    ["1 1 0 1\n", 0, false],
    ["1 1 0 0\n", 0, false],
    ["1 0 0 1\n", 0, true],
    ["1 1 1 0\n", 0, true],
    ["1 1 1 1\n", 0, false],
    // Nobody is attached: a program may look at its screen.
    ["0 0 0 1\n", 0, false],
    ["", 1, false],
    ["", null, false],
    ["no such format\n", 0, false],
  ] as const) {
    const isHidden = makeIsHidden(inside, async () => ({ code, out }));
    assert.equal(await isHidden?.(), hidden, `${code} ${out}`);
  }
});

test("outside of tmux nobody can tell", () => {
  const run = async () => ({ code: 0, out: "1 0 0 0" });
  assert.equal(makeIsHidden({}, run), null);
  assert.equal(makeIsHidden({ TMUX: "", TMUX_PANE: "%3" }, run), null);
});
