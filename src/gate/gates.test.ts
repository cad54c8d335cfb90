import assert from "node:assert/strict";
import { test } from "node:test";
import type { Effect } from "../signal/effect.ts";
import type { Facts, Finding } from "../signal/facts.ts";
import type { Label } from "../signal/label.ts";
import type { Person } from "../signal/signal.ts";
import { budget } from "./budget.ts";
import { evaluation } from "./evaluation.ts";
import { explanation } from "./explanation.ts";
import { health } from "./health.ts";
import type { Gate } from "./judge.ts";
import { liftsPrivacy } from "./lifts-privacy.ts";
import { memoryChanges } from "./memory-changes.ts";
import { messageValidity } from "./message-validity.ts";
import { modelCalls } from "./model-calls.ts";
import { persons } from "./persons.ts";
import { privateText } from "./private-text.ts";
import { programs } from "./programs.ts";
import { repetition } from "./repetition.ts";
import { allSampleEffects } from "./sample-action.fixture.ts";
import { sampleEffects, sampleFacts } from "./sample-action.ts";
import { secretFilter } from "./secret-filter.ts";
import { syntax } from "./syntax.ts";
import { toolPermissions } from "./tool-permissions.ts";
import { unprovedPerson } from "./unproved-person.ts";
import { unreadWords } from "./unread-words.ts";

const { read, write, run, reach, tell, call, remember, evaluate } = sampleEffects;
const answer = (gate: Gate, effect: Effect, changed: Partial<Facts> = {}): string => {
  const given = gate.answer(effect, { ...sampleFacts, ...changed }, 0);
  return "code" in given ? `${given.result} ${given.code}` : given.result;
};
const action = (changed: Partial<Facts["action"]>): Partial<Facts> => ({
  action: { ...sampleFacts.action, ...changed },
});
const from = (person: Person): Partial<Facts> => ({ origin: { ...sampleFacts.origin, person } });
const labelled = (changed: Partial<Label>): { readonly label: Label } => ({
  label: { integrity: "user", secrecy: "public", sources: [], ...changed },
});
const finding: Finding = { rule: "aws-access-key", effectIndex: 0, where: "/content" };

test("message-validity: a malformed action and one without a target block", () => {
  assert.equal(answer(messageValidity, read), "passed");
  assert.equal(answer(messageValidity, read, action({ problems: ["duplicate keys"] })), "block malformed");
  assert.equal(answer(messageValidity, read, action({ target: " " })), "block no-target");
});

test("explanation: a proposal needs more than 10 characters of words", () => {
  const bad = [
    "",
    "          .",
    "1234567890",
    "aaaaaaaaaaaaaaaa",
    "!!!!!!!!!!!!!!!!",
    "..........,,,,,",
    "please please please",
  ];
  for (const text of [
    ...bad,
    "\u200b".repeat(20),
    "go \u3164\u3164\u3164\u3164\u3164\u3164\u3164\u3164\u3164\u3164",
  ]) {
    assert.equal(answer(explanation, read, action({ explanation: text })), "block unexplained", text);
  }
  for (const text of ["reads a file", "初始化工作区的配置文件内容", "asked on the command line"]) {
    assert.equal(answer(explanation, read, action({ explanation: text })), "passed", text);
  }
});

test("explanation: replies to the person of the turn, model calls and the owner's commands need none", () => {
  const silent = (kind: Facts["action"]["kind"]): Partial<Facts> =>
    action({ kind, tool: null, explanation: "" });
  assert.equal(answer(explanation, tell, silent("reply")), "not-concerned");
  assert.equal(
    answer(explanation, { ...tell, person: "unproved" }, { ...silent("reply"), ...from("unproved") }),
    "not-concerned",
  );
  assert.equal(answer(explanation, call, silent("model-call")), "not-concerned");
  assert.equal(answer(explanation, write, silent("command")), "not-concerned");
});

test("explanation: a reply to another person, or with a further effect, needs one", () => {
  const silent = action({ kind: "reply", tool: null, explanation: "" });
  assert.equal(answer(explanation, { ...tell, person: "other" }, silent), "block unexplained");
  assert.equal(answer(explanation, write, silent), "block unexplained");
  assert.equal(
    answer(explanation, write, action({ kind: "model-call", explanation: "" })),
    "block unexplained",
  );
  assert.equal(
    answer(explanation, write, { ...action({ kind: "command", explanation: "" }), ...from("other") }),
    "block unexplained",
  );
});

test("tool-permissions: deny blocks, ask asks, allow leaves the decision to the effects", () => {
  assert.equal(answer(toolPermissions, read), "passed");
  assert.equal(answer(toolPermissions, read, { permission: "ask" }), "ask tool-asks");
  assert.equal(answer(toolPermissions, read, { permission: "deny" }), "block tool-denied");
  assert.equal(
    answer(toolPermissions, read, { ...action({ tool: null, target: "shell" }), permission: "deny" }),
    "block tool-denied",
  );
  assert.equal(
    answer(toolPermissions, tell, { ...action({ kind: "reply" }), permission: "deny" }),
    "not-concerned",
  );
});

test("health: while unhealthy the agent answers its owner and does not act", () => {
  for (const effect of allSampleEffects) {
    const answers = effect.kind === "tell-person" || effect.kind === "call-model";
    assert.equal(answer(health, effect, { healthy: false }), answers ? "passed" : "block unhealthy");
    assert.equal(answer(health, effect), "not-concerned");
  }
  assert.equal(answer(health, { ...tell, person: "other" }, { healthy: false }), "block unhealthy");
});

test("unproved-person: an unproved client converses and nothing more", () => {
  for (const effect of allSampleEffects) {
    const converses = effect.kind === "tell-person" || effect.kind === "call-model";
    assert.equal(answer(unprovedPerson, effect, from("unproved")), converses ? "passed" : "block unproved");
    assert.equal(
      answer(unprovedPerson, effect, from("other")),
      converses ? "passed" : "ask asked-by-another",
    );
    assert.equal(answer(unprovedPerson, effect, from("nobody")), "not-concerned");
    assert.equal(answer(unprovedPerson, effect), "not-concerned");
  }
});

test("secret-filter: a found secret never leaves, and asks before it goes elsewhere", () => {
  const found = { findings: [finding] };
  for (const effect of [tell, call, reach])
    assert.equal(answer(secretFilter, effect, found), "block secret-leaves");
  for (const effect of [write, run, remember, evaluate]) {
    assert.equal(answer(secretFilter, effect, found), "ask secret-kept");
  }
  assert.equal(answer(secretFilter, write, { findings: [{ ...finding, effectIndex: 1 }] }), "not-concerned");
  assert.equal(answer(secretFilter, { ...write, ...labelled({ secrecy: "secret" }) }), "ask secret-kept");
});

test("programs: a proved command passes, others ask, and an unconfined one asks with another reason", () => {
  assert.equal(answer(programs, run), "passed");
  assert.equal(answer(programs, { ...run, binary: null, confined: false }), "passed");
  const unproved = { ...run, proof: null, doubt: "it removes files" };
  assert.equal(answer(programs, unproved), "ask unproved-program");
  assert.equal(answer(programs, { ...run, proof: "  " }), "ask unproved-program");
  assert.equal(answer(programs, { ...unproved, confined: false }), "ask unconfined-program");
  assert.equal(answer(programs, { ...run, argv: [] }), "block empty-program");
  assert.equal(answer(programs, { ...run, argv: ["ls", "a\0b"] }), "block malformed-program");
});

test("programs: a proof does not count for a binary in a folder that the agent may write", () => {
  assert.equal(answer(programs, { ...run, binary: "/home/ada/project/ls" }), "ask planted-program");
  assert.equal(answer(programs, { ...run, binary: "/home/ada/memex/bin/ls" }), "ask planted-program");
  const folders = { ...sampleFacts.folders, workspace: "/opt" };
  assert.equal(answer(programs, { ...run, binary: "/opt/passepartout/node" }, { folders }), "passed");
  assert.equal(answer(programs, { ...run, binary: "/opt/other/node" }, { folders }), "ask planted-program");
});

test("persons: a message to the proved owner passes, to anybody else it asks", () => {
  assert.equal(answer(persons, tell), "passed");
  assert.equal(answer(persons, { ...tell, ...labelled({ secrecy: "private" }) }), "passed");
  assert.equal(answer(persons, tell, from("nobody")), "passed");
  assert.equal(answer(persons, { ...tell, person: "other" }), "ask tell-person");
  assert.equal(answer(persons, { ...tell, person: "nobody" }), "ask tell-person");
});

test("persons: an unproved client gets public text of its own session and no more", () => {
  const unproved = { ...tell, person: "unproved" } as const;
  assert.equal(answer(persons, unproved, from("unproved")), "passed");
  const secrecies = ["private", "secret"] as const;
  for (const secrecy of secrecies) {
    assert.equal(
      answer(persons, { ...unproved, ...labelled({ secrecy }) }, from("unproved")),
      "block not-public",
    );
  }
  assert.equal(
    answer(persons, { ...unproved, ownSession: false }, from("unproved")),
    "block foreign-session",
  );
  assert.equal(
    answer(persons, { ...unproved, session: "session-2" }, from("unproved")),
    "block foreign-session",
  );
  assert.equal(answer(persons, unproved), "block unproved");
  assert.equal(answer(persons, tell, from("unproved")), "block unproved");
  assert.equal(answer(persons, { ...tell, person: "other" }, from("unproved")), "block unproved");
});

test("evaluation: in the jail it passes, elsewhere it blocks", () => {
  assert.equal(answer(evaluation, evaluate), "passed");
  assert.equal(answer(evaluation, { ...evaluate, jailed: false }), "block unjailed");
});

test("model-calls: a call without a reservation, with private text for a provider that is not local, or with a found secret blocks", () => {
  assert.equal(answer(modelCalls, call), "passed");
  assert.equal(answer(budget, { ...call, reservedMicrodollars: null }), "block over-budget");
  assert.equal(answer(budget, { ...call, reservedMicrodollars: -1 }), "block over-budget");
  const privately = { ...call, ...labelled({ secrecy: "private" }) };
  assert.equal(answer(modelCalls, privately), "block private-to-provider");
  assert.equal(answer(modelCalls, { ...privately, local: true }), "passed");
  const told = modelCalls.answer({ ...call, ...labelled({ secrecy: "private" }) }, sampleFacts, 0);
  assert.match(
    told.result === "block" ? told.reason : "",
    /holds private text, .* \/model, .* new session, .* \/public/,
  );
  assert.equal(
    answer(modelCalls, { ...call, ...labelled({ secrecy: "secret" }) }),
    "block secret-to-provider",
  );
  assert.equal(answer(modelCalls, { ...call, local: true }, { findings: [finding] }), "block secret-leaves");
});

test("memory-changes: own memory accepts content that is not secret, the memory of files only the owner's command", () => {
  assert.equal(answer(memoryChanges, remember), "passed");
  assert.equal(
    answer(memoryChanges, { ...remember, ...labelled({ secrecy: "secret" }) }),
    "block secret-remembered",
  );
  assert.equal(answer(memoryChanges, remember, from("unproved")), "block unproved");
  assert.equal(answer(memoryChanges, { ...remember, realm: "files" }), "ask change-files-memory");
  assert.equal(answer(memoryChanges, { ...remember, realm: "files" }, action({ kind: "command" })), "passed");
});

test("memory-changes: what undo needs is dropped by nobody without the owner's yes", () => {
  assert.equal(answer(memoryChanges, { ...remember, reversal: "final" }), "ask drop-undo");
  assert.equal(
    answer(memoryChanges, { ...remember, reversal: "final" }, action({ kind: "command" })),
    "ask drop-undo",
  );
});

test("memory-changes: a setting asks, and says where its value was made from private text", () => {
  const reasonOf = (after: string | null, secrecy: Label["secrecy"]): string => {
    const setting = { name: "MEMEX_ASSISTANT", before: "Ada", after };
    const given = memoryChanges.answer({ ...remember, setting, ...labelled({ secrecy }) }, sampleFacts, 0);
    return given.result === "ask" ? given.reason : given.result;
  };
  assert.match(reasonOf("wombats", "private"), /made from private text, and each provider may get it/);
  for (const plain of [reasonOf("wombats", "public"), reasonOf(null, "private")])
    assert.match(plain, /a yes writes it into the settings file$/);
});

test("memory-changes: untrusted content is stored as untrusted, and the trace says so", () => {
  const given = memoryChanges.answer(
    { ...remember, ...labelled({ integrity: "untrusted" }) },
    sampleFacts,
    0,
  );
  assert.deepEqual(given, { result: "passed", reason: "kept as untrusted content" });
});

test("lifts-privacy: a change that takes a mark from a text asks, and names the heading; encrypted text stays closed", () => {
  const lifts = ["a", "b", "c", "d", "e", "f"].map((heading) => ({ heading, mark: "privacy" as const }));
  const answer = liftsPrivacy.answer({ ...sampleEffects.write, lifts }, sampleFacts, 0);
  assert.equal(answer.result, "ask");
  assert.match(JSON.stringify(answer), /'a' would no longer be marked as private; .*; and 1 more/);
  assert.equal(liftsPrivacy.answer(sampleEffects.write, sampleFacts, 0).result, "not-concerned");
  const opened = { ...sampleEffects.write, lifts: [{ heading: "a", mark: "encryption" as const }] };
  assert.equal(liftsPrivacy.answer(opened, sampleFacts, 0).result, "block");
});

test("private-text: a passage of a private text asks on its way to a host or to somebody else, and goes to no provider elsewhere", () => {
  const findings = [{ rule: "private-text", effectIndex: 0, where: "/text" }];
  const answerTo = (effect: Effect) => privateText.answer(effect, { ...sampleFacts, findings }, 0).result;
  assert.equal(answerTo(sampleEffects.call), "block");
  assert.equal(answerTo({ ...sampleEffects.call, local: true }), "not-concerned");
  assert.equal(answerTo(sampleEffects.reach), "ask");
  assert.equal(answerTo({ ...sampleEffects.tell, person: "other" }), "ask");
  assert.equal(answerTo({ ...sampleEffects.tell, person: "owner" }), "not-concerned");
  assert.equal(answerTo(sampleEffects.write), "not-concerned");
  assert.equal(privateText.answer(sampleEffects.call, sampleFacts, 0).result, "not-concerned");
});

test("syntax: a valid file is not replaced by one that its parser cannot read, but the owner's own commands write what they like", () => {
  const broken: Effect = { ...write, breaks: "it is no JSON at line 2, column 5" };
  assert.equal(answer(syntax, write), "not-concerned");
  assert.equal(answer(syntax, broken), "block breaks-syntax");
  assert.equal(answer(syntax, broken, action({ kind: "command" })), "not-concerned");
});

test("unread-words: what rests on the owner's words waits until their newest ones are read", () => {
  assert.equal(answer(unreadWords, run), "not-concerned");
  assert.equal(answer(unreadWords, run, { unreadWords: false }), "not-concerned");
  assert.equal(answer(unreadWords, run, { unreadWords: true }), "block unread-words");
});

test("repetition: the fifth act of a kind that gave the same four times is not done", () => {
  assert.equal(answer(repetition, run), "not-concerned");
  assert.equal(answer(repetition, run, { repeats: 3 }), "not-concerned");
  assert.equal(answer(repetition, run, { repeats: 4 }), "block repetition");
});
