import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorld, talkTo } from "../agent-world.ts";
import { refusingUrl } from "../loopback-provider.ts";

test("a provider that rests is shown by /status and doctor, and rests in the next process too, until its settings change", async (t) => {
  const world = await makeWorld(t, [{ status: 401 }, { text: "From the first.", repeat: true }], {
    PROVIDER_CASCADE: "loop,second",
  });
  const second = await makeWorld(t, [{ text: "From the second.", repeat: true }]);
  const settings = { SECOND_BASE_URL: `${second.provider.url}/v1` };
  {
    await using daemon = await world.open(settings);
    const talk = await talkTo(daemon);
    for (const words of ["hi", "and again"]) assert.equal((await talk.say(words)).text, "From the second.");
    assert.equal(world.provider.requests.length, 1);
    assert.match(
      (await talk.say("/status")).text,
      /^Provider loop rests for \d+ (s|min) more, since it failed: answered 401/m,
    );
    // A resting provider is asked all the same where no other one answers.
    const overview = await daemon.runCommand({ kind: "overview" }, talk.session);
    assert.match(JSON.stringify(overview), /"problem":"loop failed"/);
  }
  assert.equal((await world.command(["ask", "hi"], { settings })).out.includes("From the second."), true);
  assert.equal(world.provider.requests.length, 1);
  const doctor = await world.command(["doctor"], { settings });
  assert.match(
    doctor.out,
    /note +providers: loop rests for .*answered 401.*Another model, key or address ends the rest\./,
  );
  const changed = { ...settings, LOOP_API_KEY: "another-key-0815-4711" };
  assert.doesNotMatch((await world.command(["doctor"], { settings: changed })).out, /loop rests/);
  assert.equal(
    (await world.command(["ask", "hi"], { settings: changed })).out.includes("From the first."),
    true,
  );
});

test("a turn of several steps asks a provider that refuses once", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang", repeat: true }], {
    PROVIDER_CASCADE: "gone,loop,third",
    FIRST_TOKEN_TIMEOUT: "1.5",
  });
  const call = {
    calls: [
      { name: "list-files", arguments: { path: ".", explanation: "The owner asked for exactly this" } },
    ],
  };
  const third = await makeWorld(t, [call, call, call, { text: "Listed." }]);
  await using daemon = await world.open({
    GONE_BASE_URL: await refusingUrl(),
    THIRD_BASE_URL: `${third.provider.url}/v1`,
  });
  assert.equal((await (await talkTo(daemon)).say("list")).text, "Listed.");
  assert.equal(world.provider.requests.length, 1);
  assert.equal(third.provider.requests.length, 4);
});
