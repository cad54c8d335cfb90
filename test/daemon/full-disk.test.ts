import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type AgentWorld, calls, makeWorld } from "../agent-world.ts";
import { onSmallDisk } from "../small-disk.ts";

/** A world whose model writes a file, asks for something, and answers everything else. */
function answeringWorld(t: TestContext): Promise<AgentWorld> {
  return makeWorld(
    t,
    [
      { when: "write it", ...calls(["write-file", { path: "a.txt", content: "new" }]) },
      { when: "write it", text: "Written." },
      { when: "remove it", ...calls(["shell", { command: "rm -rf sub" }]) },
      { when: "remove it", text: "Removed." },
      { text: "Answered.", repeat: true },
    ],
    { HEARTBEAT_INTERVAL: "1" },
  );
}

/** A home on the small disk, with a session in which a file was written and a question waits. */
const used = `
  mkdir -p "$HOME/work/sub"; cd "$HOME/work"; echo old > a.txt
  START
  agent ask --session a "write it"
  agent ask --session a "remove it" > asked
  TOKEN=$(sed -n 's,^Yes: passepartout approve ,,p' asked)
`;
const begin = used.replace("START", "daemon");
const lack =
  /No room is left on the disk of \S+, so nothing new is begun\..* Free \d+ kB or more, then try again\.\ncode 1\n/;

async function onFullDisk(t: TestContext, script: string): Promise<string | null> {
  const world = await answeringWorld(t);
  return onSmallDisk(t, { world, place: "", options: "size=48m" }, script);
}

for (const [who, start] of [
  ["with a daemon", begin],
  ["without a daemon", used.replace("START", "")],
] as const) {
  test(`on a full disk ${who} words are refused at once, and status, undo, questions, yes and no still work`, async (t) => {
    const output = await onFullDisk(
      t,
      `${start}
       fill
       echo "--- ask"; agent ask --session a two
       echo "--- new"; agent ask --session b two
       echo "--- note"; agent ask "/note hello"
       echo "--- status"; agent ask --session a /status
       echo "--- undo"; agent ask --session a /undo; cat a.txt
       echo "--- questions"; agent approve
       echo "--- yes"; agent approve $TOKEN; ls
       echo "--- doctor"; agent doctor
       free; sleep 2
       echo "--- after"; agent ask --session a four; agent journal verify; agent memory verify`,
    );
    if (output === null) return;
    const said = new Map(output.split(/^--- /m).map((part) => [part.slice(0, part.indexOf("\n")), part]));
    for (const name of ["ask", "new", "note"]) assert.match(said.get(name) ?? "", lack);
    assert.match(said.get("status") ?? "", /No room is left[\s\S]*approval pending[\s\S]*code 0\n$/);
    assert.match(said.get("undo") ?? "", /a\.txt is as it was before\.\ncode 0\nold\n$/);
    assert.match(said.get("questions") ?? "", /rm -rf sub[\s\S]*code 4\n$/);
    assert.match(said.get("yes") ?? "", /Removed\.\ncode 0\n/);
    assert.doesNotMatch(said.get("yes") ?? "", /^sub$/m);
    assert.match(said.get("doctor") ?? "", /BAD .*(No room|full disk)[\s\S]*code 1\n$/);
    const after =
      /^after\n│ Answered\.\ncode 0\nThe journal is intact: .*\ncode 0\n.*no notes folder .* yet\..*\nMemory is intact\.\ncode 0\n$/;
    assert.match(said.get("after") ?? "", after);
    assert.doesNotMatch(output, /suppressed|\n\s+at |went away|is gone/);
  });
}

test("while something goes on filling the disk, what a command needs is freed in small parts", async (t) => {
  const output = await onFullDisk(
    t,
    `${begin}
     (for try in $(seq 2000); do cat /dev/zero >> filler 2>/dev/null; sleep 0.005; done) & FILLER=$!
     sleep 0.3
     for try in 1 2 3 4 5 6 7 8; do agent ask --session a /status | tail -1; done
     agent deny $TOKEN | tail -1
     kill $FILLER; wait $FILLER`,
  );
  if (output !== null) assert.match(output, /\n(code 0\n){9}$/);
});

test("a full disk without a reserve, as an older version leaves it, is told at once to every command", async (t) => {
  const output = await onFullDisk(
    t,
    `${begin}
     kill $DAEMON; wait $DAEMON
     rm "$HOME/.local/state/passepartout/reserve"
     fill
     echo ---
     for words in one /status /undo "/note x"; do agent ask --session b "$words"; done
     free
     agent ask --session a again`,
  );
  if (output === null) return;
  const [, said = ""] = output.split("---\n");
  assert.match(said, /^(.*No room is left on the disk of .*\ncode 1\n){4}│ Answered\.\ncode 0\n$/);
});

test("a package whose build does not fit beside the state runs from its own folder, and leaves nothing of a copy", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const output = await onSmallDisk(
    t,
    { world, place: ".local/state", options: "size=12m" },
    `mkdir -p "$HOME/installed/node_modules"
     cp -r "${root}dist" "${root}package.json" "$HOME/installed/"
     cp -r "${root}node_modules/web-tree-sitter" "$HOME/installed/node_modules/"
     "${process.execPath}" "$HOME/installed/dist/main.js" ask hello < /dev/null 2>&1; echo "code $?"
     find "$HOME/.local/state/passepartout-builds" -type f`,
  );
  if (output !== null) assert.match(output, /Hello\.\ncode 0\n$/);
});
