import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openSampleState, sampleSignal } from "../../../memory/state/samples.fixture.ts";
import type { JobRun, KeptJob } from "../../../signal/jobs/job.ts";
import type { JudgedAhead } from "../../../signal/jobs/job-shadow.ts";
import { bottomLabel } from "../../../signal/label.ts";
import type { Message } from "../../../signal/message.ts";
import { openJobShadows } from "./job-shadows.ts";
import type { JobShadowParts } from "./offer-reflex.ts";

const root = mkdtempSync(join(tmpdir(), "job-shadows-"));
after(() => rmSync(root, { recursive: true, force: true }));

const job = {
  name: "make",
  work: {
    kind: "words",
    tier: "reasoning",
    text: "Make it.",
    session: "s",
    digest: "d",
    workspace: null,
    steps: [],
  },
} as unknown as KeptJob;
const messages: readonly Message[] = [
  { role: "user", text: "Make it.", label: bottomLabel },
  {
    role: "assistant",
    text: "",
    calls: [{ id: "c", action: { target: "shell", payload: { cmd: "make" }, explanation: "It is wanted." } }],
    native: true,
    provider: "loop",
    raw: null,
    label: bottomLabel,
  },
  {
    role: "result",
    callId: "c",
    native: true,
    result: { id: "r", tool: "shell", outcome: { status: "success", content: null }, label: bottomLabel },
  },
];
const turn = { id: "t", signal: sampleSignal(), state: "answered", code: "", text: "Made.", messages };
const runAt = (scheduled: number) => ({ job: "make", scheduled, turn: "t" }) as unknown as JobRun;
const never = new AbortController().signal;

type Judge = () => Promise<JudgedAhead>;

/** A job that did the same once, so that the rule is tried beside each further run; what `judges` says of it, one a run. */
async function watchedJob(name: string, judges: readonly Judge[]) {
  const { jobShadows } = await openSampleState(join(root, name));
  let at = 0;
  const state = {
    jobShadows,
    jobs: {
      runs: {
        list: async ({ job: of }: { job: string }) =>
          [0, 1, 2, 3, 4].map((one) => ({ ...runAt(one), job: of })),
      },
    },
    turns: { get: async () => turn },
  };
  const parts = {
    state,
    policy: { config: { reflex: { after: 1, trials: 3 } } },
    report: assert.fail,
    judgeAhead: () => (judges[at++] ?? assert.fail)(),
  } as unknown as JobShadowParts;
  const shadows = openJobShadows(parts, 50);
  const run = async (scheduled: number, cancel = never): Promise<string | null> => {
    await shadows.before(job, runAt(scheduled), cancel);
    return shadows.after(job, runAt(scheduled), { state: "done", reason: "Made." });
  };
  assert.equal(await run(0), null);
  return { run, agreed: async () => (await jobShadows.get("make"))?.shadow?.agreed };
}

test("a run beside which the judge did not answer in time, threw, or was given up counts neither for nor against the rule, and says why", async () => {
  const { run, agreed } = await watchedJob("unknown", [
    () => Promise.withResolvers<JudgedAhead>().promise,
    async () => ({ decision: "pass" }),
    () => Promise.reject(new Error("The jail has ended.")),
    () => Promise.withResolvers<JudgedAhead>().promise,
  ]);
  assert.match((await run(1)) ?? "", /counts neither for nor against .*the judge did not answer in time/);
  assert.equal(await agreed(), 0);
  assert.equal(await run(2), null);
  assert.equal(await agreed(), 1);
  assert.match((await run(3)) ?? "", /counts neither for nor against .*The jail has ended/);
  assert.match((await run(4, AbortSignal.abort())) ?? "", /counts neither/);
  assert.equal(await agreed(), 1);
});

test("a run beside which the judge would have refused the rule begins the count anew", async () => {
  const { run, agreed } = await watchedJob("refused", [
    async () => ({ decision: "pass" }),
    async () => ({ decision: "refuse", reason: "it asks" }),
  ]);
  await run(1);
  assert.equal(await agreed(), 1);
  assert.equal(await run(2), null);
  assert.equal(await agreed(), 0);
});
