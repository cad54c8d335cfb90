import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { zoneNotice } from "../../signal/jobs/zones.ts";

/**
 * The zone of a process with this `TZ`, the distance of its clock to UTC in summer, and what is said of it.
 */
function zoneWith(TZ: string): readonly unknown[] {
  const own = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { zoneNotice } from ${own("../../signal/jobs/zones.ts")};
    import { machineZone } from ${own("./machine-zone.ts")};
    import { settleZone } from ${own("../../cli/settle-zone.ts")};
    settleZone(process.env);
    const minutes = -new Date("2026-07-01T12:00Z").getTimezoneOffset();
    console.log(JSON.stringify([machineZone(), minutes, zoneNotice(process.env.TZ, machineZone())?.match(/so all times are (.*?)\\. /)?.[1] ?? null]));
  `;
  const ran = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    env: { TZ },
    encoding: "utf8",
  });
  return JSON.parse(ran.stdout);
}

test("a TZ that names no zone shows one clock everywhere, and which one is said", () => {
  for (const zone of ["UTC0", "", ":/etc/nothing", "CET-1CEST"])
    assert.deepEqual(zoneWith(zone), ["UTC", 0, "UTC"], zone);
  assert.deepEqual(zoneWith("UTC-2"), ["+02:00", 120, "+02:00"]);
  assert.deepEqual(zoneWith("GMT+5").slice(0, 2), ["-05:00", -300]);
  for (const zone of ["Europe/Berlin", "UTC", undefined]) assert.equal(zoneNotice(zone, "UTC"), null);
});

test("a zone that TZ names in another form is that zone, and nothing is said of it", () => {
  const forms = [
    "",
    ":",
    "posix/",
    ":right/",
    "/usr/share/zoneinfo/",
    ":/usr/share/zoneinfo/",
    "/nowhere/zoneinfo/posix/",
  ];
  for (const form of forms)
    assert.deepEqual(zoneWith(`${form}Europe/Berlin`), ["Europe/Berlin", 120, null], form);
});
