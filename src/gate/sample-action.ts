import type {
  CallModel,
  ChangeMemory,
  DeletePath,
  Evaluate,
  ReachHost,
  ReadPath,
  RunProgram,
  TellPerson,
  UseService,
  WritePath,
} from "../signal/effect.ts";
import type { Facts, Licence } from "../signal/facts.ts";
import { bottomLabel } from "../signal/label.ts";

/** Facts about a well-formed proposal of a tool in a turn of the proved owner, with nothing wrong. Canaries and tests change one thing at a time. */
export const sampleFacts: Facts = {
  action: {
    kind: "proposal",
    target: "tool",
    tool: "sample",
    explanation: "To find what the owner asked for",
    problems: [],
  },
  origin: { person: "owner", source: "cli", session: "session-1", startedBy: "person" },
  permission: "allow",
  folders: {
    workspace: "/home/ada/project",
    notes: "/home/ada/memex",
    home: "/home/ada",
    own: ["/home/ada/.local/state/passepartout", "/home/ada/.config/passepartout", "/opt/passepartout"],
    readable: ["/opt/passepartout"],
  },
  sandbox: true,
  findings: [],
  licences: [],
  healthy: true,
};

/** An approval of the asks with these codes, on the first four effects of an action. It never discharges a block. */
export function approvalOf(...codes: readonly string[]): Licence {
  return { kind: "approval", name: "the owner's yes", discharges: codes, effectIndexes: [0, 1, 2, 3] };
}

const common = { label: bottomLabel, reversal: "undoable" } as const;

/** One harmless effect of each kind, in the setting of `sampleFacts`. */
export const sampleEffects: {
  readonly read: ReadPath;
  readonly write: WritePath;
  readonly remove: DeletePath;
  readonly run: RunProgram;
  readonly reach: ReachHost;
  readonly tell: TellPerson;
  readonly call: CallModel;
  readonly remember: ChangeMemory;
  readonly evaluate: Evaluate;
  readonly use: UseService;
} = {
  read: { ...common, kind: "read-path", target: "/home/ada/project/a.txt", access: "contents", tree: false },
  write: { ...common, kind: "write-path", target: "/home/ada/project/a.txt", change: "create" },
  remove: { ...common, kind: "delete-path", target: "/home/ada/project/a.txt" },
  run: {
    ...common,
    kind: "run-program",
    target: "ls",
    argv: ["ls", "-l"],
    binary: "/usr/bin/ls",
    proof: "ls only lists names",
    doubt: "",
    confined: true,
  },
  reach: {
    ...common,
    kind: "reach-host",
    reversal: "final",
    target: "example.com",
    scheme: "https",
    port: 443,
    addresses: ["93.184.215.14"],
  },
  tell: {
    ...common,
    kind: "tell-person",
    reversal: "final",
    target: "owner",
    person: "owner",
    channel: "cli",
    session: "session-1",
    ownSession: true,
  },
  call: {
    ...common,
    kind: "call-model",
    reversal: "final",
    target: "ollama",
    model: "small",
    local: false,
    reservedMicrodollars: 0,
  },
  remember: { ...common, kind: "change-memory", target: "note-1", realm: "own", operation: "add" },
  evaluate: { ...common, kind: "evaluate", target: "eval", language: "javascript", jailed: true },
  use: { ...common, kind: "use-service", target: "calendar", service: "list-events", act: "read" },
};
