import assert from "node:assert/strict";
import { test } from "node:test";
import type { SkillMd } from "../../signal/skill.ts";
import { readSkillMd } from "./read-skill-md.ts";

const md = (head: string, body = "# Steps\n\nDo it."): string => `---\n${head}\n---\n\n${body}\n`;

function read(text: string, name = "pdf-forms"): SkillMd {
  const given = readSkillMd(name, text);
  assert.ok(given.ok, JSON.stringify(given));
  return given.skill;
}

test("the six keys of the standard are read, others kept by name, and the body stays as it is", () => {
  const skill = read(
    md(
      "name: pdf-forms\ndescription: >\n  Fill PDF forms.\n  Use for forms.\nlicense: MIT\ncompatibility: Requires python\nmetadata:\n  author: ada\n  version: 1.0\nallowed-tools: Bash(git add:*) Bash(jq:*) Read\nmodel: large\nhooks:\n  - run: x",
      "# Steps\n\n---\n\nDo it.",
    ),
  );
  assert.deepEqual(skill, {
    description: "Fill PDF forms. Use for forms.",
    license: "MIT",
    compatibility: "Requires python",
    metadata: { author: "ada", version: "1.0" },
    allowedTools: ["Bash(git add:*)", "Bash(jq:*)", "Read"],
    otherKeys: ["model", "hooks"],
    remarks: [],
    body: "# Steps\n\n---\n\nDo it.",
  });
});

test("what many write is read too: a colon in a plain value, line ends of two characters, a list of tools, quotes, no other key", () => {
  assert.equal(
    read(md("name: pdf-forms\ndescription: Use this when: the user asks: now")).description,
    "Use this when: the user asks: now",
  );
  assert.equal(read("---\r\nname: pdf-forms\r\ndescription: 'it''s'\r\n---\r\nDo.").description, "it's");
  assert.deepEqual(read(md("description: x\nallowed-tools: [Read, Grep]")).allowedTools, ["Read", "Grep"]);
  assert.deepEqual(read(md("description: x\nallowed-tools: Read, Grep")).allowedTools, ["Read", "Grep"]);
  assert.equal(read(md("description: x\nallowed-tools:")).allowedTools, null);
  assert.deepEqual(read(md("description: x\nallowed-tools: []")).allowedTools, []);
  assert.equal(read(`\n \n${md("description: x")}`).description, "x");
  assert.equal(read(md("description: x")).allowedTools, null);
});

test("a text that YAML takes for something else, or cuts, is read as its lines say it, with no limit less", () => {
  const texts = [
    "[WIP] reviews code",
    "*bold* words: and more",
    "@ada writes here",
    "{{title}} of a page",
    "Writes C# and F # code",
    "%percent, `code` and | bars",
    "Use when: 'quoted' things: occur",
  ];
  for (const text of texts) {
    const skill = read(
      md(`name: pdf-forms\ndescription: ${text}\nallowed-tools: Read Bash(git:*)\nmodel: x`),
    );
    assert.equal(skill.description, text);
    assert.deepEqual([skill.allowedTools, skill.otherKeys], [["Read", "Bash(git:*)"], ["model"]], text);
  }
  const twice = read(md("name: pdf-forms\ndescription: one\ndescription: two"));
  assert.equal(twice.description, "one");
  const long = read(
    md("description: [a] x\n  goes on\nallowed-tools:\n  - Read\n  - Bash(git:*)\nlicense: MIT"),
  );
  assert.deepEqual([long.description, long.allowedTools], ["[a] x goes on", ["Read", "Bash(git:*)"]]);
});

test("an odd text loosens no limit: allowed-tools is what YAML makes of it, whatever stands beside it", () => {
  const limits = [
    '"allowed-tools": Read Grep',
    "'allowed-tools': Read Grep",
    "allowed-tools : Read Grep",
    "? allowed-tools\n: Read Grep",
    '"allowed\\u002dtools": Read Grep',
    "Allowed_Tools: Read Grep",
    "alowed-tools: Read Grep",
    "allowed-tools: Read Grep # Bash Write",
    "allowed-tools: # Bash\n  - Read\n  - Grep",
    "allowed-tools:\n- Read\n# - Bash\n- Grep",
    "allowed-tools: [Read, # Bash,\n  'Grep']",
    "allowed-tools: !!str Read Grep",
    "allowed-tools: &a Read Grep",
    'allowed-tools: "Read Grep" # "Bash"',
    "allowed-tools: >\n  Read\n  Grep",
    "allowed-tools: Read Grep\nAllowed-Tools: Read Grep",
    "metadata:\n  author: ada\n  allowed-tools: Read, Grep",
    "allowed_tools: Read Grep",
    "allowedTools: [Read, Grep]",
    "tools: Read, Grep",
    "Tools:\n- Read # - Bash\n- Grep",
    "allowed-tools: Read Bash(git:*) Grep\ndisallowed-tools: Bash",
    "disallowedTools: [Bash]\ntools: [Read, bash, Grep]",
  ];
  const odd = [
    "plain",
    "[a] x",
    "C # x",
    "*a* x",
    "a: b: c",
    "&x",
    "'it's'",
    '"a" b',
    "one\ndescription: two",
  ];
  for (const limit of limits)
    for (const text of odd)
      for (const head of [`description: ${text}\n${limit}`, `${limit}\ndescription: ${text}`]) {
        const skill = read(md(`name: pdf-forms\n${head}\nmodel: [x`));
        assert.deepEqual([skill.allowedTools, skill.otherKeys], [["Read", "Grep"], ["model"]], head);
      }
  for (const excluded of [
    "disallowed-tools: Bash",
    "denied_tools: [Bash]",
    "metadata:\n  disallowedTools: Bash",
  ]) {
    const skill = read(md(`name: pdf-forms\ndescription: x\n${excluded}`));
    assert.deepEqual([skill.allowedTools, skill.otherKeys], [[], []], excluded);
    assert.match(skill.remarks.join(), /make each tool ask/);
  }
  assert.equal(read(md("description: x\ntoolbox: Bash\ndisallowed-tools:")).allowedTools, null);
  assert.deepEqual(read(md("description: [a] x\nallowed-tools: []")).allowedTools, []);
  assert.deepEqual(read(md("description: [a] x\nmetadata:\n  a: b")).metadata, { a: "b" });
});

test("tools is a list of what a skill needs where another key limits it, and below metadata", () => {
  for (const head of [
    "allowed-tools: Read\ntools: git, jq",
    "tools: git\nmetadata:\n  allowed-tools: Read",
  ]) {
    const { allowedTools, remarks } = read(md(`name: pdf-forms\ndescription: x\n${head}`));
    assert.deepEqual(
      [allowedTools, remarks],
      [["Read"], ['its key "tools" counts for nothing beside allowed-tools']],
    );
  }
  for (const [limit, allowed] of [
    ["", null],
    ["allowed-tools: Read\n", ["Read"]],
  ] as const) {
    const skill = read(md(`description: x\n${limit}metadata:\n  tools: git, jq`));
    assert.deepEqual([skill.allowedTools, skill.metadata], [allowed, { tools: "git, jq" }]);
  }
});

test("a limit that cannot be read, stands twice, is indented by mistake or behind the end of the head refuses the skill", () => {
  for (const [head, words] of [
    ["description: x\nallowed-tools: Read\nallowed-tools: Bash", /has allowed-tools twice: keep one/],
    ["description: x\nallowed-tools: Read\n'Allowed-Tools': Bash", /has allowed-tools twice: keep one/],
    ["description: x\ntools: Read\nTools: Bash", /has allowed-tools twice: keep one/],
    [
      "description: x\nallowed-tools: Read\nmetadata:\n  allowed-tools: Bash",
      /has allowed-tools twice: keep one/,
    ],
    ["description: [a] x\n allowed-tools: Read", /cannot be read as YAML: line/],
    ["description: a: b\n  'allowed-tools': Read", /cannot be read as YAML: line/],
    ["description: [a] x\nallowed-tools: [Read", /cannot be read as YAML: line/],
    ["description: [a] x\n{allowed-tools: Read}", /cannot be read as YAML: line/],
    ["description: &a [x, x]\nallowed-tools: *a", /has an alias/],
    ["description: x\n...\nallowed-tools: Read", /ends at a line of three dots/],
  ] as const) {
    const given = readSkillMd("pdf-forms", md(head));
    assert.ok(!given.ok && words.test(given.problem), `${head}: ${JSON.stringify(given)}`);
  }
});

test("a missing or long description, and a name that is not its folder's, are said", () => {
  assert.match(read(md("name: pdf-forms")).remarks.join(), /no description/);
  const long = read(md(`name: other\ndescription: ${"x".repeat(3000)}`));
  assert.equal(long.description.length, 1024);
  assert.match(long.remarks.join("; "), /too long.*"other"/);
  assert.match(read(md("description: x")).remarks.join(), /no name/);
});

test("a key that was meant as another of the standard is said, since it counts for nothing", () => {
  for (const key of ["Description", "descripton", "license_"])
    assert.match(
      read(md(`name: pdf-forms\n${key}: x`)).remarks.join(),
      /counts for nothing: (?:description|license) would/,
    );
  assert.deepEqual(read(md("name: pdf-forms\ndescription: x\nversion: 1\nmodel: y\nhooks: z")).remarks, []);
});

test("a head that is none, cannot be read, is giant or grows by aliases is refused in words, and no tag makes anything of it", () => {
  for (const [text, words] of [
    ["Just words", /does not begin/],
    ["---\nname: a\nno end", /does not begin/],
    [md("- a\n- b"), /not a YAML mapping/],
    [md("{ a: [ }"), /cannot be read as YAML: line 2: /],
    [md("name: b\nallowed-tools: &a [x, x]\nmetadata: *a"), /has an alias/],
    [md("name: b\n\tdescription: x"), /cannot be read as YAML: line 3: /],
    [md("? [a, b]\n: c"), /not a YAML mapping/],
    [md(`allowed-tools: ${"[".repeat(15_000)}`), /cannot be read as YAML/],
    [md(`description: ${"x".repeat(20_000)}`), /more than 16384/],
    [md("description: x", "x".repeat(140_000)), /more than 131072/],
  ] as const) {
    const given = readSkillMd("pdf-forms", text);
    assert.ok(!given.ok && words.test(given.problem), `${text.slice(0, 60)}: ${JSON.stringify(given)}`);
  }
  assert.equal(read(md("description: !!js/function 'x'")).description, "x");
  assert.deepEqual(read(md("description: x\nmetadata:\n  __proto__: y")).otherKeys, []);
  for (const name of ["PDF", "a_b", "Tool_v2.0-x", "größe"])
    assert.ok(readSkillMd(name, md("description: x")).ok, name);
  for (const name of ["a--b", "-a", "", "a".repeat(65), "..", "a/b", "a b", "ﬁx"])
    assert.equal(readSkillMd(name, md("description: x")).ok, false, name);
  assert.match(JSON.stringify(readSkillMd("a--b (2)", md("description: x"))), /: call it a-b-2"/);
});
