import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { zoneNotice } from "./machine-zone.ts";

/** The zone of a process with this `TZ`. */
function zoneWith(TZ: string): string {
  const program = `import { machineZone } from ${JSON.stringify(new URL("./machine-zone.ts", import.meta.url).href)}; console.log(machineZone());`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    env: { TZ },
    encoding: "utf8",
  });
  return ran.stdout.trim();
}

test("a TZ that names no zone is UTC, and that is said", () => {
  for (const zone of ["UTC0", "", ":/etc/nothing", "CET-1CEST"]) {
    assert.equal(zoneWith(zone), "UTC", zone);
    assert.match(zoneNotice(zone) ?? "", /no time zone that is known here, so all times are UTC/);
  }
  assert.equal(zoneWith("Europe/Berlin"), "Europe/Berlin");
  for (const zone of ["Europe/Berlin", "UTC", undefined]) assert.equal(zoneNotice(zone), null);
});
