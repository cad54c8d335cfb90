import type { TurnState } from "../../src/signal/turn.ts";
import type { Step } from "../loopback-provider.ts";

/** One move toward the moment of the kill: a line said, or a state of the newest turn, a number of model requests, or a run of the approved program waited for. */
export type Move =
  | { readonly say: string }
  | { readonly until: readonly TurnState[] }
  | { readonly requests: number }
  | { readonly runs: number };

/** A way to bring the program into a state of a turn. The kill comes right after the last move. */
export type Scenario = {
  readonly name: string;
  /** The state aimed at; null where the kill comes at a random moment, whatever the moves have come to. */
  readonly aim: TurnState | null;
  /** `ask` ends by itself when its turn has; a conversation stays open. */
  readonly how: "conversation" | "ask";
  /** What the model answers, request by request. */
  readonly steps: readonly Step[];
  readonly moves: readonly Move[];
};

/** What the workspace holds at the start of each run. */
export const files: Readonly<Record<string, string>> = { "a.txt": "alpha beta\n", "old.txt": "before\n" };

/** Where the approved program leaves one line each time that it runs. */
export const runsFile = "runs.txt";

const explanation = "This is needed for what the owner asked";
const hang: Step = { fault: "hang", repeat: true };
const slow = calls("slow", "shell", [{ cmd: "sleep 2" }]);
const risky = calls("risky", "shell", [{ cmd: `sh -c 'echo ran >> ${runsFile}; sleep 0.2'` }]);
const shadow = (count: number): Step => calls(`shadow${count}`, "read-file", [{ path: "/etc/shadow" }]);
const large = "0123456789abcde\n".repeat(20_000);
const writes = calls(
  "write",
  "write-file",
  many(12, (n) => ({ path: `made-${n}.txt`, content: `made ${n}\n` })),
);

/** Every way into every state, and kills at no particular moment. */
export const scenarios: readonly Scenario[] = [
  conversation("queued", "a line behind one that waits for the model", {
    steps: [hang],
    moves: [{ say: "first" }, { requests: 1 }, { say: "second" }, { until: ["queued"] }],
  }),
  conversation("queued", "a line behind one that runs a program", {
    steps: [slow, { text: "Slept." }],
    moves: [{ say: "first" }, { until: ["acting"] }, { say: "second" }, { until: ["queued"] }],
  }),
  asking("thinking", "the model is silent", { steps: [hang], moves: [{ until: ["thinking"] }] }),
  asking("thinking", "the model stops in the middle of its words", {
    steps: [{ text: ["Half an ", "answer"], fault: "hang-after-text" }],
    moves: [{ requests: 1 }],
  }),
  asking("thinking", "the model is silent after a change was made", {
    steps: [calls("note", "write-file", [{ path: "old.txt", content: "after\n" }]), hang],
    moves: [{ requests: 2 }],
  }),
  asking("judging", "a long answer of which the last call is blocked", {
    steps: [
      calls("look", "shell", [
        ...many(63, (n) => ({ cmd: `head -n ${n} a.txt` })),
        { cmd: "cat /etc/shadow" },
      ]),
      hang,
    ],
    moves: [{ until: ["judging"] }],
  }),
  conversation("judging", "a long answer of programs that run", {
    steps: [
      calls(
        "count",
        "shell",
        many(30, (n) => ({ cmd: `head -c ${n} a.txt` })),
      ),
      { text: "Counted." },
    ],
    moves: [{ say: "count" }, { until: ["judging"] }],
  }),
  asking("acting", "a program that runs", { steps: [slow, hang], moves: [{ until: ["acting"] }] }),
  conversation("acting", "an approved program", {
    steps: [risky, { text: "Ran it." }],
    moves: [{ say: "run" }, { until: ["suspended"] }, { say: "/approve" }, { until: ["judging", "acting"] }],
  }),
  conversation("acting", "an approved program that has begun", {
    steps: [risky, { text: "Ran it." }],
    moves: [{ say: "run" }, { until: ["suspended"] }, { say: "/approve" }, { runs: 1 }],
  }),
  asking("acting", "a large file that is written", {
    steps: [calls("large", "write-file", [{ path: "large.txt", content: large }]), hang],
    moves: [{ until: ["acting"] }],
  }),
  asking("acting", "many files that are written", { steps: [writes, hang], moves: [{ until: ["acting"] }] }),
  asking("acting", "notes that are kept in memory", {
    steps: [
      calls(
        "keep",
        "remember",
        many(8, (n) => ({ text: `Remember the number ${n}.` })),
      ),
      hang,
    ],
    moves: [{ until: ["acting"] }],
  }),
  conversation("suspended", "a question is open", {
    steps: [risky, { text: "Ran it." }],
    moves: [{ say: "run" }, { until: ["suspended"] }],
  }),
  asking("suspended", "a question was just printed", {
    steps: [risky, { text: "Ran it." }],
    moves: [{ until: ["suspended"] }],
  }),
  conversation("answered", "a reply", {
    steps: [{ text: "A plain reply." }],
    moves: [{ say: "hello" }, { until: ["answered"] }],
  }),
  asking("answered", "files were made, and the program is closing", {
    steps: [writes, { text: "Made them all." }],
    moves: [{ until: ["answered"] }],
  }),
  conversation("answered", "an approved program ran", {
    steps: [risky, { text: "Ran it." }],
    moves: [{ say: "run" }, { until: ["suspended"] }, { say: "/approve" }, { until: ["answered"] }],
  }),
  conversation("blocked", "three proposals were refused", {
    steps: [shadow(1), shadow(2), shadow(3)],
    moves: [{ say: "passwords" }, { until: ["blocked"] }],
  }),
  conversation("answered", "the owner said no", {
    steps: [risky, { text: "I leave it." }],
    moves: [{ say: "run" }, { until: ["suspended"] }, { say: "/deny" }, { until: ["answered"] }],
  }),
  conversation("failed", "the provider refused the request", {
    steps: [{ status: 400, repeat: true }],
    moves: [{ say: "hello" }, { until: ["failed"] }],
  }),
  conversation("stopped", "stopped while the model was silent", {
    steps: [hang],
    moves: [{ say: "hello" }, { requests: 1 }, { say: "/stop" }, { until: ["stopped"] }],
  }),
  conversation("stopped", "stopped while a program ran", {
    steps: [slow],
    moves: [{ say: "sleep" }, { until: ["acting"] }, { say: "/stop" }, { until: ["stopped"] }],
  }),
  conversation("stopped", "stopped while a question was open", {
    steps: [risky],
    moves: [{ say: "run" }, { until: ["suspended"] }, { say: "/stop" }, { until: ["stopped"] }],
  }),
  conversation(null, "a whole conversation", {
    steps: [
      { text: "Good morning." },
      writes,
      { text: "Made them." },
      risky,
      { text: "Ran it." },
      calls("last", "write-file", [{ path: "old.txt", content: "after\n" }]),
      { text: "Changed it." },
    ],
    moves: [
      { say: "hello" },
      { say: "make" },
      { until: ["answered"] },
      { say: "run" },
      { until: ["suspended"] },
      { say: "/approve" },
      { say: "change" },
      { until: ["answered"] },
    ],
  }),
];

function conversation(
  aim: TurnState | null,
  name: string,
  rest: Pick<Scenario, "steps" | "moves">,
): Scenario {
  return { aim, name, how: "conversation", ...rest };
}

function asking(aim: TurnState, name: string, rest: Pick<Scenario, "steps" | "moves">): Scenario {
  return { aim, name, how: "ask", ...rest };
}

function calls(id: string, name: string, args: readonly Readonly<Record<string, string>>[]): Step {
  return {
    calls: args.map((each, index) => ({
      id: `${id}-${index + 1}`,
      name,
      arguments: { ...each, explanation },
    })),
  };
}

function many<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
