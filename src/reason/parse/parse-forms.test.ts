import assert from "node:assert/strict";
import { test } from "node:test";
import { actionIn, parse, reasonFor, registered, sampleExplanation } from "./parse.fixture.ts";
import { parseAnswer } from "./parse-answer.ts";

test("a form for a tool is an action, with keywords or bare symbols in any case at any depth", () => {
  const forms = [
    `(:TYPE :REQUEST :TARGET :TOOL :PAYLOAD (:TOOL "read-file" :ARGS (:PATH "A.org") :EXPLANATION "${sampleExplanation}"))`,
    `(type request target tool payload (tool read-file args (path "A.org") explanation "${sampleExplanation}"))`,
    `(:Payload (:Tool :Read-File :Args (:Path "A.org")) :Target "TOOL" :Explanation "${sampleExplanation}")`,
    `(target :tool payload (tool "READ-FILE" args (path "A.org" explanation "${sampleExplanation}")))`,
  ];
  for (const form of forms) {
    assert.deepEqual(actionIn(form), {
      target: "tool",
      payload: { tool: "read-file", args: { path: "A.org" } },
      explanation: sampleExplanation,
    });
  }
});

test("a JSON object means the same as the form", () => {
  assert.deepEqual(
    actionIn(
      JSON.stringify({
        target: "tool",
        payload: { tool: "read-file", args: { path: "A.org" }, explanation: sampleExplanation },
      }),
    ),
    {
      target: "tool",
      payload: { tool: "read-file", args: { path: "A.org" } },
      explanation: sampleExplanation,
    },
  );
  assert.deepEqual(
    actionIn(JSON.stringify({ TARGET: "Shell", Payload: { CMD: "ls" }, explanation: sampleExplanation })),
    {
      target: "shell",
      payload: { cmd: "ls" },
      explanation: sampleExplanation,
    },
  );
});

test("blanks and a code fence around the whole answer are removed", () => {
  const form = `(target :shell payload (cmd "ls") explanation "${sampleExplanation}")`;
  for (const text of [
    `\n  ${form}\n`,
    `\`\`\`lisp\n${form}\n\`\`\``,
    `\n\`\`\`\r\n${form}\r\n\`\`\` \n`,
    `\`\`\`${form}\`\`\``,
  ]) {
    assert.deepEqual(actionIn(text), {
      target: "shell",
      payload: { cmd: "ls" },
      explanation: sampleExplanation,
    });
  }
});

test("arguments of a form are read by the tool's schema", () => {
  const args = (list: string): unknown => {
    const payload = actionIn(`(target tool payload (tool search args ${list}))`).payload;
    return payload["args"];
  };
  assert.deepEqual(args('(:QUERY "x" :MAX-RESULTS 5 :DEEP T)'), { query: "x", maxResults: 5, deep: true });
  assert.deepEqual(args("(:DEEP NIL :TAGS NIL :FILTER NIL :QUERY NIL)"), {
    deep: false,
    tags: [],
    filter: {},
  });
  assert.deepEqual(args('(:|maxResults| 5 :TAGS ("a" :b) :FILTER (:SINCE "x"))'), {
    maxResults: 5,
    tags: ["a", "b"],
    filter: { since: "x" },
  });
  assert.deepEqual(args("(:DEEP :FALSE :OTHER-KEY :NULL :LIST (1 1.5))"), {
    deep: false,
    otherKey: null,
    list: [1, 1.5],
  });
  assert.deepEqual(args("NIL"), {});
});

test("arguments that JSON cannot express, or whose names fold together, make the form invalid", () => {
  const hostile = [
    "(:QUERY 1/2)",
    "(:QUERY foo)",
    "(:QUERY 'a)",
    "(:TAGS (1 . 2))",
    "(:QUERY 99999999999999999999)",
  ];
  for (const args of [
    ...hostile,
    "(:MAX-RESULTS 1 :|maxResults| 2)",
    '(:QUERY "a" :QUERY "b")',
    "(:QUERY)",
    "(:|__proto__| 1)",
  ]) {
    assert.match(reasonFor(`(target tool payload (tool search args ${args}))`), /arguments for "search"/);
  }
});

test("the explanation may be given several times if it is the same each time", () => {
  const twice = `(target shell payload (cmd "ls" explanation "${sampleExplanation}") explanation "${sampleExplanation}")`;
  assert.equal(actionIn(twice).explanation, sampleExplanation);
  assert.match(reasonFor('(target shell payload (cmd "ls" explanation "a") explanation "b")'), /differ/);
  assert.match(
    reasonFor('(target tool payload (tool search args (explanation "a")) explanation "b")'),
    /differ/,
  );
  assert.match(reasonFor('(target shell payload (cmd "ls") explanation 5)'), /text in double quotes/);
  assert.equal(actionIn('(target shell payload (cmd "ls"))').explanation, "");
});

test("a form without a target goes to the person of the turn and to nobody else", () => {
  assert.deepEqual(parse('(TYPE :REQUEST PAYLOAD (ACTION :MESSAGE TEXT "Hello"))'), {
    kind: "reply",
    text: "Hello",
  });
  assert.match(reasonFor('(payload (tool "read-file" args (path "a")))'), /name a target/);
  assert.match(reasonFor('(payload (cmd "ls"))'), /name a target/);
  assert.match(reasonFor('(:type :REQUEST :payload (:action :shell :text "rm -rf /"))'), /name a target/);
});

test("a request that names no target is for the one that its action and its keys fit alone", () => {
  const shell = { target: "shell", payload: { cmd: "ls" }, explanation: sampleExplanation };
  for (const text of [
    `(:TYPE :REQUEST :PAYLOAD (:ACTION :SHELL :CMD "ls" :EXPLANATION "${sampleExplanation}"))`,
    `(type request explanation "${sampleExplanation}" payload (action shell cmd "ls"))`,
    `(:TYPE :REQUEST :TARGET :SHELL :PAYLOAD (:ACTION :SHELL :CMD "ls" :EXPLANATION "${sampleExplanation}"))`,
    JSON.stringify({
      type: "request",
      payload: { action: "shell", cmd: "ls" },
      explanation: sampleExplanation,
    }),
  ])
    assert.deepEqual(actionIn(text), shell, text);
  assert.deepEqual(actionIn('(:TYPE :REQUEST :PAYLOAD (:TOOL "read-file" :ARGS (:PATH "A.org")))').payload, {
    tool: "read-file",
    args: { path: "A.org" },
  });
  assert.deepEqual(actionIn('(:TYPE :REQUEST :PAYLOAD (:ACTION :EVAL :CODE "1+2"))'), {
    target: "system",
    payload: { action: "eval", code: "1+2" },
    explanation: "",
  });
  for (const text of [
    '(:PAYLOAD (:ACTION :SHELL :CMD "ls"))',
    '(:TYPE :REQUEST :PAYLOAD (:CMD "ls"))',
    '(:TYPE :REQUEST :PAYLOAD (:ACTION :SHELL :CMD "ls" :TEXT "hello"))',
    '(:TYPE :REQUEST :PAYLOAD (:ACTION :SHELL :TOOL "shell" :ARGS (:CMD "ls")))',
    '(:TYPE :REQUEST :PAYLOAD (:ACTION :MESSAGE :CMD "ls"))',
    '(:TYPE :REQUEST :PAYLOAD (:ACTION :RUN :CMD "ls"))',
    '(:TYPE :REQUEST :PAYLOAD (:ACTION :SHELL :CODE "1"))',
    '(:TYPE :REQUEST :PAYLOAD (:TOOL "read-file" :TEXT "hello"))',
  ])
    assert.match(reasonFor(text), /name a target/, text);
  assert.match(
    reasonFor('(:TYPE :REQUEST :TARGET :SHELL :PAYLOAD (:ACTION :MESSAGE :CMD "ls"))'),
    /only the action shell/,
  );
  assert.match(
    reasonFor('(:TYPE :REQUEST :PAYLOAD (:ACTION :SHELL :APPROVED T :CMD "ls"))'),
    /cannot set "approved"/,
  );
});

test("a request that names no target goes to nobody where another actuator takes its keys, too", () => {
  const text = '(:TYPE :REQUEST :PAYLOAD (:ACTION :SHELL :CMD "ls"))';
  const remote = {
    name: "remote",
    capabilities: ["perform"],
    schema: { type: "object", properties: { action: { type: "string" }, cmd: { type: "string" } } },
  } as const;
  const given = { ...registered, targets: [...registered.targets, remote], text, calls: [] };
  assert.match(JSON.stringify(parseAnswer(given)), /name a target/);
});

test("a message to the turn's own actuator is a reply; a message to another actuator is an action", () => {
  assert.deepEqual(parse('(target :CLI payload (action :message text "Hello\\n"))'), {
    kind: "reply",
    text: "Hellon",
  });
  assert.deepEqual(parse('{"target":"cli","payload":{"action":"message","text":" Hello\\n"}}'), {
    kind: "reply",
    text: " Hello\n",
  });
  assert.deepEqual(actionIn('(target :telegram payload (text "Hello"))').payload, {
    action: "message",
    text: "Hello",
  });
});

test("the system target knows message and eval", () => {
  assert.deepEqual(actionIn('(target system payload (action eval code "1+2"))').payload, {
    action: "eval",
    code: "1+2",
  });
  assert.deepEqual(actionIn('(target system payload (action message text "x"))').payload, {
    action: "message",
    text: "x",
  });
  assert.match(reasonFor('(target system payload (action reboot text "x"))'), /message and eval/);
});

test("an unregistered target is invalid, and the registered targets are named", () => {
  assert.match(
    reasonFor('(target :root payload (cmd "ls"))'),
    /no target "root".*cli, telegram, tool, shell, system/,
  );
  assert.match(reasonFor('{"target":"constructor","payload":{}}'), /no target "constructor"/);
  assert.match(reasonFor("(target (a b) payload (cmd 5))"), /no target/);
});
