import assert from "node:assert/strict";
import { test } from "node:test";
import { untriedBecause } from "./untried.ts";

test("a command that works on the files of the workspace may be tried", () => {
  for (const cmd of [
    "npm test",
    "npm run build",
    "make -j4",
    "cargo test",
    "pytest -x",
    "tsc --noEmit",
    "cp -r a b",
    "mv a b",
    "sed -i s/a/b/ f",
    "git commit -m x",
    "tar xf a.tar",
    "python3 x.py",
    "timeout 60 npm test",
    "rsync -a a/ b/",
  ])
    assert.equal(untriedBecause(cmd.split(" ")), null, cmd);
  assert.equal(untriedBecause(["bash", "-c", "for f in *.html; do mv $f x/$f; done"]), null);
});

test("a command that needs the network, other programs, rights or a person is not tried", () => {
  for (const [cmd, reason] of [
    ["curl -I https://example.com", /network/],
    ["ssh host ls", /network/],
    ["npm install", /network/],
    ["pip install x", /network/],
    ["git push", /network/],
    ["git clone https://example.org/x", /network/],
    ["rsync -a a/ host:b/", /network/],
    ["systemctl status", /services/],
    ["docker ps", /services/],
    ["pkill x", /services/],
    ["sudo ls", /rights/],
    ["nano x", /terminal/],
    ["apt install x", /machine/],
    ["timeout 5 ping host", /network/],
    ["/usr/bin/curl x", /network/],
  ] as const)
    assert.match(untriedBecause(cmd.split(" ")) ?? "", reason, cmd);
  assert.match(untriedBecause(["bash", "-c", "for i in 1 2; do ping -c1 h$i; done"]) ?? "", /network/);
});
