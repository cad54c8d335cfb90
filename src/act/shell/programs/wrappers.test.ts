import assert from "node:assert/strict";
import { test } from "node:test";
import { proveHarmless } from "./prove-harmless.ts";

const harmless = [
  "xargs ls",
  "xargs",
  "xargs -0 -n 1 wc -l",
  "xargs -I {} dirname {}",
  "find . -type f -exec wc -l {} +",
  "find src -name x -exec grep -l y {} ;",
  "timeout 5 ls",
  "timeout -k 1 2.5s cat a",
  "nice -n 10 du -sh .",
  "stdbuf -oL grep x a",
  "env LANG=C TZ=Europe/Berlin sort a",
  "timeout 5 nice env LC_ALL=C ls",
  "nohup ls",
  "ionice -c3 ls",
  "ionice -c 2 -n 7 cat a",
  "time -p ls",
  "nohup timeout 5 time nice -5 ionice stdbuf -oL ls",
];

for (const cmd of harmless) {
  test(`only starts what only reads: ${cmd}`, () => {
    const proof = proveHarmless(cmd.split(" "));
    assert.ok(proof.harmless, proof.harmless ? "" : proof.doubt);
    assert.deepEqual(proof.harmless && proof.argv, cmd === "xargs" ? ["xargs", "echo"] : cmd.split(" "));
  });
}

const doubtful = [
  "xargs rm",
  "xargs -I cat cat x",
  "xargs -Ils ls",
  "xargs --replace=a cat a",
  // The value of these stands behind "=" or is not there: the next word is the program.
  "xargs --max-lines rm cat",
  "xargs --eof sh cat",
  "xargs --replace rm cat",
  "nice xargs --eof rm ls",
  "timeout 5 xargs -0 --max-lines sh ls",
  "xargs -a f ls",
  "xargs -p ls",
  "xargs sort",
  "xargs sh -c ls",
  "xargs xargs rm",
  "xargs ./cat",
  "find . -exec ls {} + -delete",
  "find . -exec ls {} ; -exec rm {} ;",
  "find . -exec {} ;",
  "find . -exec sh -c ls ;",
  "find . -exec ls",
  "timeout ls",
  "timeout 5",
  "timeout 5 rm a",
  "timeout 5 ./ls",
  "timeout --foo 5 ls",
  "nice rm a",
  "stdbuf -oL sh",
  "env -i ls",
  "env -S ls",
  "env PATH=. ls",
  "env LD_PRELOAD=x ls",
  "env LANG=C",
  "env -u PATH ls",
  "nohup",
  "nohup rm a",
  "nohup ./ls",
  "nohup -x ls",
  "setsid ls",
  "setsid -w ls",
  "ionice -p 1",
  "ionice -c3 rm a",
  "flock l ls",
  "script -c ls",
  "busybox ls",
  "ssh h ls",
  "sudo ls",
  "watch ls",
  "parallel ls",
  "time -o f ls",
  "time rm a",
  "command ls",
];

for (const cmd of doubtful) {
  test(`may start something else: ${cmd}`, () => {
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false);
  });
}

test("a program that gets its words from another one may read the workspace in the sandbox, and no more", () => {
  for (const [cmd, path, access] of [
    ["xargs cat", ".", "contents"],
    ["xargs ls", ".", "names"],
    ["find src -exec cat {} +", "src", "contents"],
  ] as const) {
    const proof = proveHarmless(cmd.split(" "));
    assert.ok(proof.harmless && proof.onlyConfined !== undefined, cmd);
    assert.ok(
      proof.reads.some((use) => use.path === path && use.access === access && use.tree),
      cmd,
    );
  }
});

test("the program behind a wrapper is told, so that its file is looked at as well", () => {
  const proof = proveHarmless("timeout 5 nice ls".split(" "));
  assert.equal(proof.harmless && proof.starts?.at(-1), "ls");
});
