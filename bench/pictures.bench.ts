import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { isJsonObject } from "../src/text/json.ts";
import { makeWorld, talkTo } from "../test/agent-world.ts";
import { noisyPicture } from "../test/pictures.ts";
import { longestHold } from "./longest-hold.ts";

// Prints how long a picture of so many bytes in the conversation holds the agent's event loop at the longest,
// and how much of the processor each turn takes,
// in milliseconds, by the protocol of the provider. The provider is a process of its own. Asserts nothing.
// usage: node bench/pictures.bench.ts [BYTES]
const bytes = Number(process.argv[2] ?? 3_000_000);

/** A provider in a process of its own, which answers everything. */
async function startProvider(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const script = join(mkdtempSync(join(tmpdir(), "pictures-bench-")), "steps.json");
  writeFileSync(script, JSON.stringify([{ text: "Seen.", repeat: true }]));
  const args = [...process.execArgv, "test/loopback-provider.ts", "--script", script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const started = z.object({ url: z.string() });
  for await (const line of createInterface({ input: child.stdout }))
    return { url: started.parse(JSON.parse(line)).url, stop: () => child.kill() };
  throw new Error("The provider did not start.");
}

const provider = await startProvider();
for (const [name, model] of [
  ["loop", ""],
  ["openai", ""],
  ["anthropic", ""],
  ["google", ""],
] as const) {
  const ends: (() => unknown)[] = [];
  const own = name.toUpperCase();
  const world = await makeWorld({ after: (end: unknown) => void ends.push(end as () => unknown) }, [], {
    PROVIDER_CASCADE: name,
    [`${own}_BASE_URL`]: `${provider.url}/v1`,
    [`${own}_API_KEY`]: "some-key-of-nobody",
    [`${own}_MODEL`]: model,
    [`${own}_INPUTS`]: "picture",
    [`${own}_CONTEXT_WINDOW`]: "100000",
  });
  try {
    writeFileSync(world.path("large.png"), noisyPicture(bytes));
    await using agent = await world.open();
    const { session } = await talkTo(agent);
    let id = "";
    const say = async (text: string, attachments: readonly string[]): Promise<void> => {
      const said = await agent.say({ session, text, source: "cli", attachments });
      if (said.kind === "turn") await agent.whenSettled(said.turn);
    };
    const report = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      const { longest, all } = await longestHold(work);
      process.stdout.write(
        `${name.padEnd(10)} ${what.padEnd(28)} held ${longest.toFixed(0).padStart(6)} ms, ${all.toFixed(0).padStart(6)} ms in all\n`,
      );
    };
    await report("a turn before it", () => say("hello", []));
    await report("a second turn before it", () => say("hello", []));
    await report("the file is attached", async () => {
      const reply = await agent.runCommand({ kind: "attach", path: "large.png" }, session);
      id =
        reply.kind === "said" && isJsonObject(reply.data ?? null)
          ? String(Reflect.get(Object(reply.data), "id"))
          : "";
    });
    await report("the turn with it", () => say("What is it?", [id]));
    await report("the next turn", () => say("And now?", []));
    await report("one more", () => say("And then?", []));
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
provider.stop();
