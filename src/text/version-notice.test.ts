import assert from "node:assert/strict";
import { test } from "node:test";
import { protocolNotice, versionNotice } from "./version-notice.ts";

test("a daemon of another version is told, with what to do: restart the older of both", () => {
  assert.equal(versionNotice("1.2.3", "1.2.3"), null);
  assert.equal(versionNotice("1.2.3+rebuilt", "1.2.3"), null, "the same release, built again");
  for (const newer of ["1.2.4", "1.10.0", "2.0.0", "1.3.0-rc.1", "1.2.4+built"])
    assert.match(
      versionNotice(newer, "1.2.3") ?? "",
      /newer than this program \(1\.2\.3\)\. Leave, and start/,
    );
  for (const other of ["1.2.2", "1.1.9", "0.9.9", "1.2.3-rc.1", "unreleased", ""])
    assert.match(
      versionNotice(other, "1.2.3") ?? "",
      /may not know all commands\. .*stop it .*start this again/,
    );
});

test("a release is newer than what came before it, and parts of a suffix count as numbers where they are", () => {
  const newerFirst = ["2.0.0", "1.2.3", "1.2.3-rc.10", "1.2.3-rc.9", "1.2.3-rc", "1.2.3-beta", "1.2.3-7"];
  for (const [at, daemon] of newerFirst.entries())
    for (const program of newerFirst.slice(at + 1))
      assert.match(versionNotice(daemon, program) ?? "", /newer than this program/, `${daemon} ${program}`);
});

test("a daemon of another protocol is told, with which of both is to be started again", () => {
  assert.match(protocolNotice({ version: "2.0.0", protocol: 2 }, 1), /This program is the older one/);
  assert.match(protocolNotice({ version: "0.1.0", protocol: 0 }, 1), /stop it .*start this again/);
});
