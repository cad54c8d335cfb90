import { startLoopbackProvider } from "../test/loopback-provider.ts";
import { cascadeOf, launcher, makeWorld, median } from "./world.ts";

// Whole processes, as a user starts them, in turn: so that the machine's drift is the same for each.
const rounds = 11;
await using provider = await startLoopbackProvider([{ text: ["Hello", " there"], repeat: true }]);
using world = makeWorld();
const environment = cascadeOf(provider.url);
const commands = [
  { name: "node alone", command: [process.execPath, "-e", "0"], target: "-" },
  { name: "passepartout --version", command: [launcher, "--version"], target: "70 ms" },
  { name: "passepartout ask hi", command: [launcher, "ask", "hi"], target: "350 ms" },
].map((entry) => ({ ...entry, times: [] as number[] }));
for (let round = -1; round < rounds; round++) {
  for (const { command, times } of commands) {
    const { code, ms, err } = await world.run(command, environment);
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${err}`);
    if (round >= 0) times.push(ms);
  }
}
for (const { name, times, target } of commands) {
  const spread = `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`;
  process.stdout.write(`${name}: median ${median(times).toFixed(0)} ms, ${spread} (target ${target})\n`);
}
process.stdout.write(
  `request for a bare hi, with all tools: ${provider.requests[0]?.bytes ?? 0} bytes (target 8000)\n`,
);
