import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../signal/label.ts";
import { printJob, readWrittenJobs } from "./own-jobs.ts";

const minute = 60_000;

test("an entry with a schedule is a job, with what it leaves open as usual", () => {
  const text =
    "* notes\nNo job.\n* report\n:PROPERTIES:\n:CRON: 0 9 * * 1-5\n:END:\n- ALLOW: run make\nSay what changed.\n\nAnd why.\n";
  const [read, ...others] = readWrittenJobs(text);
  assert.deepEqual(others, []);
  assert.ok(read?.ok);
  const { entry, ...job } = read.job;
  assert.match(entry, /^\* report[\s\S]*And why\.$/);
  assert.deepEqual(job, {
    name: "report",
    cron: "0 9 * * 1-5",
    zone: null,
    hooks: [],
    tier: "reasoning",
    text: "Say what changed.\n\nAnd why.",
    label: bottomLabel,
    catchUp: "once",
    grace: 7 * 24 * 60 * minute,
    limit: 10 * minute,
    overlap: "skip",
    attempts: 3,
    folder: null,
    dollars: null,
    calls: { models: null, tools: null },
    tags: [],
    answer: "kept",
    allows: ["run make"],
  });
});

test("an entry says all that a job can say, and what is printed reads the same", () => {
  const properties = [
    ["CRON", "*/5 * * * *"],
    ["ZONE", "Asia/Tokyo"],
    ["TIER", "cognition"],
    ["CATCH_UP", "all"],
    ["GRACE", "90m"],
    ["LIMIT", "30s"],
    ["OVERLAP", "wait"],
    ["ATTEMPTS", "1"],
    ["FOLDER", "/home/ada/garden"],
    ["DOLLARS", "0.25"],
    ["MODEL_CALLS", "3"],
    ["TOOL_CALLS", "0"],
  ] as const;
  const [read] = readWrittenJobs(
    printJob({ name: "water", properties, text: "Water it.", allows: ["run make", "write a.txt"] }),
  );
  assert.ok(read?.ok);
  const { zone, tier, catchUp, grace, limit, overlap, attempts, folder, dollars, calls, allows, text } =
    read.job;
  assert.deepEqual(
    [zone, tier, catchUp, grace, limit, overlap, attempts, folder, dollars, calls, allows, text],
    [
      "Asia/Tokyo",
      "cognition",
      "all",
      90 * minute,
      30_000,
      "wait",
      1,
      "/home/ada/garden",
      0.25,
      { models: 3, tools: 0 },
      ["run make", "write a.txt"],
      "Water it.",
    ],
  );
});

test("an entry that does not read says what is wrong with it", () => {
  for (const [line, words, problem] of [
    [":TIER: huge", "x", /TIER/],
    [":CATCH_UP: twice", "x", /CATCH_UP/],
    [":OVERLAP: both", "x", /OVERLAP/],
    [":ANSWER: loud", "x", /ANSWER/],
    [":GRACE: soon", "x", /GRACE/],
    [":LIMIT: 2d", "x", /LIMIT/],
    [":ATTEMPTS: 0", "x", /ATTEMPTS/],
    [":DOLLARS: -1", "x", /DOLLARS/],
    [":MODEL_CALLS: 0", "x", /MODEL_CALLS are no number from 1/],
    [":TOOL_CALLS: 1.5", "x", /TOOL_CALLS are no number from 0/],
    [":TOOL_CALLS: 10001", "x", /TOOL_CALLS/],
    [":ZONE: UTC", "", /nothing to do/],
  ] as const) {
    const [read] = readWrittenJobs(`* job\n:PROPERTIES:\n:CRON: 0 9 * * *\n${line}\n:END:\n${words}\n`);
    assert.ok(read !== undefined && !read.ok, line);
    assert.match(read.problem, problem);
  }
  const [named] = readWrittenJobs("* My Job\n:PROPERTIES:\n:CRON: 0 9 * * *\n:END:\nx\n");
  assert.ok(named !== undefined && !named.ok);
});
