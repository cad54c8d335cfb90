import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";
import { onSmallDisk } from "../small-disk.ts";
import { entry } from "./job-world.ts";

test("a daemon that runs follows the zone of its machine, and a job with a zone of its own keeps it", async (t) => {
  const world = await makeWorld(t, [], { HEARTBEAT_INTERVAL: "1", TZ: undefined });
  mkdirSync(world.configuration, { recursive: true });
  const jobs = [entry("abroad", "Say hi."), entry("fixed", "Say hi.", [":ZONE: America/Lima"])];
  writeFileSync(join(world.configuration, "jobs.org"), jobs.join("\n"));
  const use = (zone: string) => `ln -sfn /usr/share/zoneinfo/${zone} /etc/localtime`;
  const said = await onSmallDisk(
    t,
    { world, place: "etc", options: "size=8m" },
    `cp -L /etc/passwd /etc/group /etc/nsswitch.conf /etc/ld.so.cache "$DISK"; mount --bind "$DISK" /etc
    ${use("Europe/Berlin")}
    daemon
    agent jobs add abroad; agent jobs add fixed
    ${use("Asia/Tokyo")}
    for try in $(seq 100); do agent jobs list > "$HOME/listed"; grep -q 'in Asia/Tokyo' "$HOME/listed" && break; done
    cat "$HOME/listed"`,
  );
  if (said === null) return;
  assert.match(said, /The job abroad is approved[^\n]* in Europe\/Berlin, next/);
  assert.match(said, /0 9 1 1 \* in Asia\/Tokyo, next/);
  assert.match(said, /0 9 1 1 \* in America\/Lima, next/);
});
