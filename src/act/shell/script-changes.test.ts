import assert from "node:assert/strict";
import { test } from "node:test";
import { changedByScript } from "./script-changes.ts";

const place = { workspace: "/home/ada/work", cwd: "/home/ada/work", home: "/home/ada" };

test("a script names what it enters or changes outside of the workspace", () => {
  for (const [script, path] of [
    ["for f in a b; do cp $f ~/docs/$f; done", "/home/ada/docs"],
    ["for f in ~/docs/*; do rm $f; done", "/home/ada/docs"],
    ["cd .. && rm -f one", "/home/ada"],
    ["cd sub; rm ../../one", "/home/ada/one"],
    ['X=1 rm "$HOME/docs/one"', "/home/ada/docs/one"],
    ["while true; do echo x; done > $HOME/log", "/home/ada/log"],
    ["if true; then mv one /srv/www/; fi", "/srv/www"],
    ["dd if=one of=~/two & wait", "/home/ada/two"],
    ["rm ~bob/one", "~bob/one"],
    ["(cd /var/lib && touch x)", "/var/lib"],
  ] as const)
    assert.equal(changedByScript(script, place), path, script);
});

test("a script that stays in the workspace, or in folders of the sandbox, names nothing", () => {
  for (const script of [
    "for f in *; do mv $f $f.bak; done",
    "cd sub && cd .. && rm one",
    "export PATH=$HOME/.local/bin:$PATH; make 2>&1 | tee /tmp/log >/dev/null",
    "cat > install.sh <<'EOF'\nmkdir -p ~/.config/x\ncp a ~/.config/x\nEOF\nchmod +x install.sh",
    "git commit -m 'One; rm ~/docs/one' && echo \"then; rm ~/docs/two\"",
    "true # then rm ~/docs/one; rm ~/two",
    "cd /tmp && for i in 1 2; do touch $i; done",
    "cat ~/docs/one | while read l; do echo $l; done",
    "rm -rf $BUILD/* $(cat list)",
  ])
    assert.equal(changedByScript(script, place), null, script);
});
