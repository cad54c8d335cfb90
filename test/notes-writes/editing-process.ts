import { createInterface } from "node:readline";
import { openAgent } from "../../src/daemon/open-agent.ts";

/** Edits as standard input tells, one line an edit, in a session each; says of each that it began, and what came of it. It is there to be killed. */
export async function editAsTold(): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);

  await using daemon = await openAgent({
    environment: process.env,
    cwd: process.env["WORK"] ?? "/",
    version: "0.0.0-kill",
    warn: (message) => say(`warned ${message}`),
  });
  say("opened");
  await daemon.whenIdle();
  say("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    const session = await daemon.openSession({ name: null, latest: false, source: "cli" });
    const outcomes: string[] = [];
    const stop = daemon.subscribe((event) => {
      if (event.session === session && event.type === "outcome")
        outcomes.push(`${event.status} ${event.code}`);
    });
    say(`began ${line}`);
    const said = await daemon.say({ session, text: line, source: "cli" });
    if (said.kind === "turn") await daemon.whenSettled(said.turn);
    stop();
    say(
      `${outcomes[0]?.startsWith("success") === true ? "made" : `left (${outcomes[0] ?? "nothing"})`} ${line}`,
    );
  }
}
