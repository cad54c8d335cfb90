import { type Choice, choiceBy, fieldsOf, type Shape } from "./schema.ts";

const text: Shape = { kind: "text" };
const integer: Shape = { kind: "integer" };
const truth: Shape = { kind: "truth" };
const word: Shape = { kind: "word" };
const words: Shape = { kind: "words" };
const value: Shape = { kind: "value" };
const object: Shape = { kind: "object" };
const stripped = { stripped: ["DEPTH", "REPLY-STREAM"] };

/** Keys that concern judgement: only the daemon may set them. */
export const judgementNames: ReadonlySet<string> = new Set(
  (
    "VERDICT VERDICTS APPROVED APPROVAL APPROVALS APPROVED-P APPROVED-ACTION GATE-TRACE TRACE LABEL LABELS INTEGRITY SECRECY " +
    "STATUS LEVEL REJECTION-TRACE LICENCE LICENCES FLIGHT-PLAN"
  ).split(" "),
);

const clientMeta: Shape = {
  kind: "plist",
  fields: fieldsOf(
    { "source?": word, "session-id?": text, "capabilities?": words, "protocol?": integer },
    { ...stripped, aliases: { SESSION: "session-id" } },
  ),
};
const perceptions = choiceBy("sensor", {
  "user-input": {
    text,
    "pasted?": truth,
    "pastes?": value,
    "steer?": truth,
    "attachments?": value,
    "piped?": text,
  },
  "buffer-update": { text, "path?": text, "line?": integer },
  "chat-message": { text, "chat?": text, "sender?": text },
});
const commands = choiceBy("action", {
  authenticate: {
    nonce: text,
    mac: text,
    "capabilities?": words,
    "workspace?": text,
    "protocol?": integer,
    "process?": integer,
    "host?": text,
  },
  approve: { token: text, "value?": truth, "offer?": text },
  deny: { token: text, "reason?": text },
  always: { token: text, "keep?": truth },
  session: { "name?": text, "latest?": truth, "own?": truth },
  follow: { turn: text },
  snapshot: { "note?": text },
  stop: { "keep-questions?": truth },
  "take-back": { turn: text },
  compact: {},
  attach: { path: text },
  titles: { query: text },
  "org-ast": { "file?": text, "node?": text, "text?": text, "cursor?": text, "limit?": integer },
  notes: { view: text, "what?": text, "cursor?": text, "limit?": integer },
  clear: {},
  status: {},
  questions: {},
  help: {},
  exit: {},
  undo: {},
  redo: {},
  diff: {},
  moments: { "turn?": text },
  rewind: { turn: text, "what?": text, "preview?": truth },
  why: {},
  model: { "name?": text },
  budget: {},
  rules: {},
  output: {},
  overview: {},
  jobs: { "verb?": text, "name?": text },
  review: { "verb?": text, "id?": text },
  sessions: {},
  history: { "id?": text, "limit?": integer },
  "rename-session": { "id?": text, name: text },
  "fork-session": { "id?": text },
  "delete-session": { id: text },
  rollback: { "id?": text },
  plan: {},
  focus: { "id?": text, "file?": text, "outline?": value, "line?": integer, "off?": truth },
  trust: { id: text },
  "trust-folder": { "on?": truth, "shown?": truth },
  forget: { id: text },
  derived: { source: text },
  "forget-derived": { source: text, "undoable?": truth, "seen?": text },
  public: { what: text },
  "draft-skill": { name: text, sentence: text },
  "inspect-skill": { verb: text, name: text },
  send: {},
  search: { query: text },
  nearest: { query: text, "limit?": integer },
  note: { text },
  "policy-changed": {},
  "terminal-size": { rows: integer, columns: integer },
  "answer-hidden": { prompt: text, "answer?": text },
  "answer-buffer": {
    request: text,
    "text?": text,
    "eol?": text,
    "bom?": truth,
    "done?": truth,
    "refused?": word,
  },
  "vault-unlock": { passphrase: text },
  "vault-lock": {},
  "vault-status": {},
});
const record = { "id?": text, "meta?": clientMeta, "payload?": object };

/** Every message that a client may send (`WIRE.md`, "Messages" and "What a client may set"). */
export const clientMessages: Choice = choiceBy(
  "type",
  {
    "health-check": { "meta?": clientMeta },
    event: { "id?": text, "meta?": clientMeta, payload: perceptions },
    request: { "id?": text, "meta?": clientMeta, payload: commands },
    log: record,
    response: record,
    status: record,
  },
  stripped,
);

const daemonMeta: Shape = {
  kind: "plist",
  fields: fieldsOf({ "source?": word, "session-id?": text, "turn-id?": text }),
};
const trace: Shape = {
  kind: "plists",
  fields: fieldsOf({ gate: text, result: word, "reason?": text, "effects?": value }),
};
const effects: Shape = {
  kind: "objects",
  renamed: new Map([
    ["ownSession", "own-session"],
    ["reservedMicrodollars", "reserved-microdollars"],
  ]),
};
/** What an action changes in files, as JSON objects. */
const changes: Shape = { kind: "objects", renamed: new Map() };
const events = choiceBy(["sensor", "action"], {
  "handshake of action": { version: text, protocol: integer, capabilities: words, nonce: text },
  "approval-required": {
    token: text,
    "question-id?": text,
    action: object,
    effects,
    text,
    "expires-at-ms?": integer,
    "workspace?": text,
    "endorsable?": value,
    "rule?": text,
    "offers?": { kind: "objects", renamed: new Map() },
    "habit?": text,
    "changes?": changes,
  },
  "tool-output": {
    "call-id?": text,
    tool: text,
    result: value,
    "duration-ms?": integer,
    "changes?": changes,
  },
  "tool-error": { "call-id?": text, tool: text, message: text, "code?": word, "duration-ms?": integer },
  "loop-error": { message: text, "code?": word },
});
const answers = choiceBy("action", {
  authenticated: { mac: text },
  message: {
    text,
    "outcome?": word,
    "code?": word,
    "plain?": truth,
    "rule-count?": integer,
    "pending-count?": integer,
    "foveal-id?": text,
    "snapshot?": text,
    "near?": value,
    "data?": value,
    "part?": integer,
    "of?": integer,
  },
});
const states = choiceBy("action", {
  accepted: { id: text, "words?": text },
  thinking: { "depth?": integer, "text?": text },
  proposed: { "call-id?": text, proposal: object },
  output: { "call-id?": text, text },
  thought: { text },
  "hidden-prompt": { id: text, program: text, "text?": text, "over?": truth },
  "buffer-text": { id: text, path: text },
  "buffer-edit": { id: text, path: text, digest: text, replacements: value, "expires-at-ms": integer },
  session: {
    "id?": text,
    "workspace?": text,
    "trusted?": truth,
    "orders?": text,
    "no-model?": truth,
    "recovered?": { kind: "plists", fields: fieldsOf({ text }) },
    "last-turn-id?": text,
    "last-state?": word,
    "last-of-job?": truth,
    "last-words?": text,
    "last-words-left?": integer,
    "last-answer?": text,
    "last-answer-left?": integer,
  },
  judged: {
    "call-id?": text,
    verdict: word,
    "reason?": text,
    "effects?": effects,
    "gates?": integer,
    "duration-us?": integer,
  },
});
const piece: Shape = { kind: "plist", fields: fieldsOf({ "text?": text }) };
const problem: Shape = { kind: "plist", fields: fieldsOf({ code: word, text, "offset?": integer }) };

/** Every message that the daemon sends. */
export const daemonMessages: Choice = choiceBy("type", {
  event: { "level?": word, "meta?": daemonMeta, payload: events, "gate-trace?": trace },
  response: { "id?": text, "meta?": daemonMeta, payload: answers, "gate-trace?": trace },
  status: { "meta?": daemonMeta, payload: states, "gate-trace?": trace },
  "health-response": { status: word, "checked-p": truth },
  "stream-chunk": { "meta?": daemonMeta, payload: piece },
  "stream-reset": { "meta?": daemonMeta, payload: piece },
  log: { "meta?": daemonMeta, payload: piece },
  "protocol-error": { payload: problem },
});
