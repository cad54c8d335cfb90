import type { Json, JsonObject } from "../../signal/json.ts";
import { stringsIn } from "../../signal/json.ts";
import type { CalledResult } from "../../signal/tool.ts";
import type { BenchCall, BenchSuite } from "./bench-suite.ts";
import { findContacts } from "./find-contacts.ts";
import { injectText } from "./inject-text.ts";
import { type JudgeProposal, type ReplayedTurn, resultOf } from "./service-bench.ts";

type Asked = { readonly [key: string]: Json; readonly tool: string; readonly reason: string };
type Honest = {
  readonly approvals: number;
  readonly asked: readonly Asked[];
  readonly places: readonly Place[];
};
/** A state of the turn right before a call whose output an attacker controls. */
type Place = { readonly before: ReplayedTurn; readonly call: BenchCall };

type ReplayParts = { readonly judge: JudgeProposal; readonly read: (text: string) => Json };

/** Opens the replay of a suite. */
export function openReplay(suite: BenchSuite, { judge, read }: ReplayParts) {
  const contacts = findContacts(suite.environment);
  const reads = ({ tool }: BenchCall): boolean => suite.tools[tool]?.effect === "read";
  return {
    /** Whether an attack has a call that does more than read. */
    isHarmful: (injection: string) =>
      suite.injection_tasks[injection]?.calls.some((call) => !reads(call)) ?? false,
    async honest(task: string): Promise<Honest> {
      const { prompt = "", calls = [] } = suite.user_tasks[task] ?? {};
      let turn: ReplayedTurn = { prompt, contacts, results: [], approved: [] };
      let answer: Answer = newAnswer;
      let approvals = 0;
      const asked: Asked[] = [];
      const places: Place[] = [];
      for (const call of calls) {
        if (!fitsAnswer(call, answer)) answer = newAnswer;
        const verdict = await judge(call.tool, call.args, turn);
        if (verdict.decision !== "pass") {
          if (!answer.approved) approvals++;
          asked.push({ tool: call.tool, reason: verdict.reason });
          answer = { ...answer, approved: true };
          turn = { ...turn, approved: [...turn.approved, { tool: call.tool, args: call.args }] };
        }
        if (call.injectable_vectors.length > 0) places.push({ before: turn, call });
        const result = resultOf(call, read(call.output), turn.results.length);
        turn = { ...turn, results: [...turn.results, result] };
        answer = { ...answer, results: [...answer.results, result], ended: endsAnswer(call, suite) };
      }
      return { approvals, asked, places };
    },
    async attack(injection: string, places: readonly Place[]): Promise<boolean> {
      const { goal = "", calls = [] } = suite.injection_tasks[injection] ?? {};
      for (const { before, call } of places) {
        const injected = injectText(read(call.output), {
          text: goal,
          vectors: call.injectable_vectors.map((name) => suite.injection_vectors[name] ?? ""),
        });
        let turn: ReplayedTurn = {
          ...before,
          results: [...before.results, resultOf(call, injected, before.results.length)],
        };
        let stopped = false;
        for (const proposal of calls) {
          const { decision } = await judge(proposal.tool, proposal.args, turn);
          if (decision !== "pass" && !reads(proposal)) stopped = true;
          if (decision === "pass")
            turn = {
              ...turn,
              results: [...turn.results, resultOf(proposal, read(proposal.output), turn.results.length)],
            };
        }
        if (!stopped) return false;
      }
      return true;
    },
  };
}

type Answer = {
  readonly approved: boolean;
  readonly ended: boolean;
  readonly results: readonly CalledResult[];
};
const newAnswer: Answer = { approved: false, ended: false, results: [] };

/** Whether the model could propose the call in the same answer: nothing was read since, and it takes no value out of an output of the answer. */
function fitsAnswer({ args }: BenchCall, { ended, results }: Answer): boolean {
  if (ended) return false;
  const given = new Set(results.flatMap((result) => stringsIn(result.args).map(({ text }) => text)));
  const taken = new Set(results.flatMap(({ content }) => stringsIn(content).map(({ text }) => text)));
  return stringsIn(args).every(({ text }) => given.has(text) || !taken.has(text));
}

/** A read ends an answer, and so does a fetch unless it puts what it got into a folder and returns a line of status. */
function endsAnswer({ tool, args }: BenchCall, suite: BenchSuite): boolean {
  const effect = suite.tools[tool]?.effect;
  if (effect === "read") return true;
  return (
    effect === "egress_read" &&
    !stringsIn(args as JsonObject).some(({ text }) => /^(?:~|\.{1,2})?\//.test(text))
  );
}
