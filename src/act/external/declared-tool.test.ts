import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../signal/label.ts";
import type { Caller } from "../../signal/tool.ts";
import type { JsonObject } from "../../text/json.ts";
import { makeExternalTools } from "./declared-tool.ts";

const caller: Caller = {
  turn: "turn",
  session: "session",
  person: "owner",
  source: "cli",
  startedBy: "person",
  workspace: null,
  known: new Map(),
  promptLabel: bottomLabel,
};

async function targetOf(to: readonly string[]): Promise<string> {
  const [tool] = makeExternalTools([
    {
      name: "send_mail",
      description: "",
      parameters: {},
      effect: "egress",
      criticalArguments: ["to"],
      destinationArguments: ["to"],
      call: async () => ({ status: "success", content: "" }),
    },
  ]);
  const prepared = await tool?.prepare({ to }, caller, () => bottomLabel);
  assert.ok(prepared?.ok);
  const [effect] = prepared.effects;
  assert.ok(effect?.kind === "use-service");
  return effect.target;
}

test("a list of recipients that is too long for a line ends with a whole one, and says how many more there are", async () => {
  const to = Array.from({ length: 41 }, (_, at) => `friend-${at + 10}@example.org`);
  const target = await targetOf(to);
  const [listed = "", more] = target.split(" and ");
  const named = listed.split(", ");
  assert.deepEqual(named, to.slice(0, named.length));
  assert.equal(more, `${41 - named.length} more`);
  assert.ok(target.length < 520);
  assert.equal(await targetOf(to.slice(0, 3)), to.slice(0, 3).join(", "));
  assert.equal(await targetOf(["a".repeat(600), "b@example.org"]), `${"a".repeat(500)}… and 1 more`);
});

test("the name of a field that the tool does not describe has a label as a value has", async () => {
  const parameters = { type: "object", properties: { body: { properties: { title: { type: "string" } } } } };
  const [tool] = makeExternalTools([
    {
      name: "keep",
      description: "",
      parameters,
      effect: "write",
      criticalArguments: [],
      destinationArguments: [],
      call: async () => ({ status: "success", content: "" }),
    },
  ]);
  const secrecyOf = async (body: JsonObject) => {
    const prepared = await tool?.prepare({ body }, caller, (text) => ({
      ...bottomLabel,
      secrecy: text === "public" ? "public" : "private",
    }));
    assert.ok(prepared?.ok);
    return [prepared.effects[0]?.label.secrecy, prepared.resultLabel.secrecy];
  };
  assert.deepEqual(await secrecyOf({ title: "public" }), ["public", "public"]);
  assert.deepEqual(await secrecyOf({ "a private note": "public" }), ["private", "private"]);
  assert.deepEqual(await secrecyOf({ title: { "a private note": null } }), ["private", "private"]);
});
