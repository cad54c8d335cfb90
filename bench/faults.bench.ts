import { refusingUrl, type Step, startLoopbackProvider } from "../test/loopback-provider.ts";
import { cascadeOf, launcher, makeWorld } from "./world.ts";

// How a fault of the first provider is lived with: requests to it, the time of the whole `ask hi`, and how it ends.
const answer: Step = { text: "from the second", repeat: true };
const cases: readonly {
  readonly name: string;
  readonly step: Step | null;
  readonly target: string;
  readonly more?: object;
}[] = [
  { name: "refused connection", step: null, target: "moves on within 1 s" },
  { name: "429", step: { status: 429, repeat: true }, target: "at most 4 tries" },
  {
    name: "429, Retry-After 30",
    step: { status: 429, headers: { "retry-after": "30" }, repeat: true },
    target: "1 try",
  },
  { name: "500", step: { status: 500, repeat: true }, target: "at most 4 tries" },
  { name: "HTML", step: { fault: "html", repeat: true }, target: "at most 2 tries" },
  { name: "malformed", step: { fault: "malformed", repeat: true }, target: "at most 2 tries" },
  { name: "nothing", step: { fault: "nothing", repeat: true }, target: "at most 2 tries" },
  { name: "cut off", step: { text: "Half of", fault: "cut-off", repeat: true }, target: "at most 2 tries" },
  {
    name: "broken off",
    step: { text: "Half of", fault: "break-off", repeat: true },
    target: "at most 2 tries",
  },
  {
    name: "silence, cut after 2 s by setting",
    step: { fault: "hang", repeat: true },
    target: "cut at 2 s",
    more: { FIRST_TOKEN_TIMEOUT: "2" },
  },
];
for (const { name, step, target, more } of cases) {
  await using first = await startLoopbackProvider(step === null ? [] : [step]);
  await using second = await startLoopbackProvider([answer]);
  using world = makeWorld();
  const environment = { ...cascadeOf(step === null ? await refusingUrl() : first.url, second.url), ...more };
  const { code, ms, out } = await world.run([launcher, "ask", "hi"], environment);
  const end = `${(ms / 1000).toFixed(2)} s, exit ${code}, ${JSON.stringify(out.trim())}`;
  process.stdout.write(`${name}: ${first.requests.length} requests, ${end} (target ${target})\n`);
}
await using hanging = await startLoopbackProvider([{ status: 500, repeat: true }]);
using world = makeWorld();
const { code, ms, err } = await world.run([launcher, "ask", "hi"], cascadeOf(hanging.url));
process.stdout.write(
  `no provider left: ${(ms / 1000).toFixed(2)} s, exit ${code} (target 6): ${err.trim()}\n`,
);
