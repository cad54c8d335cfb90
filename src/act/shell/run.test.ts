import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import type { Outcome } from "../../signal/tool.ts";
import { makeScratchFolder, shellIn } from "../tools/shell/shell.fixture.ts";

const content = z.object({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number(),
  cut: z.string().optional(),
  background: z.string().optional(),
  note: z.string().optional(),
});

function success(outcome: Outcome): z.infer<typeof content> {
  assert.equal(outcome.status, "success", JSON.stringify(outcome));
  return content.parse(outcome.status === "success" ? outcome.content : null);
}

function failure(outcome: Outcome): { readonly code: string; readonly message: string } {
  assert.equal(outcome.status, "error", JSON.stringify(outcome));
  return outcome.status === "error" ? outcome : { code: "", message: "" };
}

test("a pipeline hands the output of each program to the next", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "a"), "c\nb\na\nb\n");
  const { stdout, stderr, exitCode } = success(
    await shellIn(folder).run("sort a | uniq -c | tail -1 | tr -d ' '"),
  );
  assert.deepEqual({ stdout, stderr, exitCode }, { stdout: "1c\n", stderr: "", exitCode: 0 });
});

test("the exit code is that of the last program, and errors are kept apart", async (context) => {
  const { stdout, stderr, exitCode } = success(
    await shellIn(await makeScratchFolder(context)).run("echo x; cat missing"),
  );
  assert.equal(stdout, "x\n");
  assert.match(stderr, /missing/);
  assert.equal(exitCode, 1);
});

test("connectors decide what runs, as in bash", async (context) => {
  const shell = shellIn(await makeScratchFolder(context));
  assert.equal(success(await shell.run("false && echo a || echo b")).stdout, "b\n");
  assert.equal(success(await shell.run("true || echo a && echo b")).stdout, "b\n");
  assert.equal(success(await shell.run("! false && echo c; false")).stdout, "c\n");
  assert.equal(success(await shell.run("! true")).exitCode, 1);
});

test("words reach a program as they are, with nothing expanded", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "file"), "");
  assert.equal(
    success(await shellIn(folder).run(`printf '%s\\n' '$HOME' '*' "a;b" '\`id\`' '~'`)).stdout,
    "$HOME\n*\na;b\n`id`\n~\n",
  );
});

test("a reader that ends early ends its writer", async (context) => {
  const { stdout, exitCode } = success(await shellIn(await makeScratchFolder(context)).run("yes | head -2"));
  assert.deepEqual({ stdout, exitCode }, { stdout: "y\ny\n", exitCode: 0 });
});

test("redirections read, replace and append to exactly the judged files", async (context) => {
  const folder = await makeScratchFolder(context);
  const shell = shellIn(folder);
  await writeFile(join(folder, "long"), "much longer than what replaces it");
  success(await shell.run("echo one > long; echo two >> long; cat missing 2>> long; echo gone > /dev/null"));
  const text = await readFile(join(folder, "long"), "utf8");
  assert.match(text, /^one\ntwo\n.*missing.*\n$/);
  assert.equal(success(await shell.run("wc -l < long")).stdout.trim(), "3");
  assert.equal(success(await shell.run("cat <<< 'a b'")).stdout, "a b\n");
  assert.match(success(await shell.run("cat missing 2>&1 | tr a-z A-Z")).stdout, /MISSING/);
  assert.equal(success(await shell.run("cat missing 2>&1 1>/dev/null")).stderr, "");
});

test("a redirection to a name that is there in another Unicode form goes to what is there, and else to the name as written", async (context) => {
  for (const forms of [
    ["NFD", "NFC"],
    ["NFC", "NFD"],
  ]) {
    const folder = await makeScratchFolder(context);
    const shell = shellIn(folder);
    const [there = "", written = ""] = forms.map((form) => `K\u00e4se.txt`.normalize(form));
    await writeFile(join(folder, there), "eins\n");
    success(await shell.run(`echo zwei >> ${written}`));
    success(await shell.run(`echo drei >> ${folder}/${written}`));
    assert.deepEqual(await readdir(folder), [there]);
    assert.equal(success(await shell.run(`cat < ${written}`)).stdout, "eins\nzwei\ndrei\n");
    await writeFile(join(folder, written), "");
    success(await shell.run(`echo vier > ${written}`));
    assert.equal(await readFile(join(folder, written), "utf8"), "vier\n");
    assert.equal(await readFile(join(folder, there), "utf8"), "eins\nzwei\ndrei\n");
  }
});

test("a command that names a file that is there in another Unicode form reads, changes or deletes what is there, and makes no second one", async (context) => {
  for (const forms of [
    ["NFD", "NFC"],
    ["NFC", "NFD"],
  ]) {
    const folder = await makeScratchFolder(context);
    const shell = shellIn(folder);
    const [there = "", written = ""] = forms.map((form) => "K\u00e4se".normalize(form));
    await mkdir(join(folder, there));
    const file = `${written}/${written}.txt`;
    await writeFile(join(folder, there, `${there}.txt`), "eins\n");
    for (const cmd of [
      `touch ${file}`,
      `echo zwei | tee -a ./${file}`,
      `sed -i s/eins/drei/ ${folder}/${file}`,
      `cp ${file} copy`,
      `echo ${written}`,
    ])
      success(await shell.run(cmd));
    assert.deepEqual(await readdir(join(folder, there)), [`${there}.txt`]);
    assert.equal(success(await shell.run(`cat ${file}`)).stdout, "drei\nzwei\n");
    assert.equal(success(await shell.run(`echo ${written}`)).stdout, `${written}\n`);
    assert.equal(success(await shell.run(`rm -r ${written}`)).exitCode, 0);
    assert.deepEqual(await readdir(folder), ["copy"]);
  }
});

test("a redirection whose file turned into a link after judging is refused, and the link's target stays whole", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "precious"), "keep");
  const prepared = await shellIn(folder).prepare("echo x > out");
  assert.ok(prepared.ok);
  await symlink(join(folder, "precious"), join(folder, "out"));
  assert.equal(failure(await prepared.run(new AbortController().signal)).code, "redirection-failed");
  assert.equal(await readFile(join(folder, "precious"), "utf8"), "keep");
});

test("a path that leads elsewhere than when it was judged is not read", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "a"), "plain");
  await writeFile(join(folder, "b"), "other");
  const prepared = await shellIn(folder).prepare("cat a");
  assert.ok(prepared.ok);
  await rm(join(folder, "a"));
  await symlink("b", join(folder, "a"));
  assert.equal(failure(await prepared.run(new AbortController().signal)).code, "path-changed");
});

test("a program that changed after judging is not run", async (context) => {
  const folder = await makeScratchFolder(context);
  const tools = join(folder, "tools");
  await mkdir(tools);
  await copyFile("/bin/echo", join(tools, "mytool"));
  await chmod(join(tools, "mytool"), 0o755);
  const prepared = await shellIn(folder, { searchPath: tools }).prepare("mytool hi");
  assert.ok(prepared.ok);
  await appendFile(join(tools, "mytool"), "x");
  assert.equal(failure(await prepared.run(new AbortController().signal)).code, "binary-changed");
});

test("a program that is not installed is an error that says so", async (context) => {
  const { code, message } = failure(
    await shellIn(await makeScratchFolder(context)).run("no-such-program-here x"),
  );
  assert.equal(code, "not-installed");
  assert.match(message, /no-such-program-here is not installed/);
});

test("a line with a program that is not installed, or that the line itself makes, runs as bash runs it", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "in.txt"), "hello\n");
  await writeFile(join(folder, "tool"), "#!/bin/sh\necho made\n");
  const shell = shellIn(folder);
  for (const [cmd, stdout, exitCode] of [
    ["no-such-tool hello || grep hello in.txt", "hello\n", 0],
    ["cat in.txt; no-such-tool x; echo after", "hello\nafter\n", 0],
    ["no-such-tool x | cat", "", 0],
    ["cat in.txt | no-such-tool x", "", 127],
    ["cp tool made && chmod +x made && ./made", "made\n", 0],
  ] as const) {
    const ran = success(await shell.run(cmd));
    assert.deepEqual([ran.stdout, ran.exitCode], [stdout, exitCode], cmd);
    if (!cmd.includes("made")) assert.match(ran.stderr, /no-such-tool: command not found/, cmd);
  }
});

test("a line with a program that is not there is judged as a script", async (context) => {
  const folder = await makeScratchFolder(context);
  const judged = async (cmd: string) => {
    const prepared = await shellIn(folder).prepare(cmd);
    assert.ok(prepared.ok);
    return prepared.effects.map((effect) => (effect.kind === "run-program" ? effect.proof : effect.kind));
  };
  for (const line of ["cat in.txt; ./made x", "rm -rf src; no-such-tool", "no-such-tool | git push"])
    assert.deepEqual(await judged(line), await judged(`{ ${line}; }`), line);
});

test("the time limit ends a pipeline and what it started, and says how long it ran", async (context) => {
  const folder = await makeScratchFolder(context);
  const { code, message } = failure(
    await shellIn(folder, { timeoutMilliseconds: 2000 }).run("(echo begun; sleep 30) | cat; sleep 30 &"),
  );
  assert.equal(code, "timed-out");
  assert.match(message, /begun\n.*\b2(\.0)? s/s);
});

test("the signal ends a running command at once", async (context) => {
  const shell = shellIn(await makeScratchFolder(context));
  const controller = new AbortController();
  const running = shell.run("sleep 30 | sleep 30", controller.signal);
  setTimeout(() => controller.abort(), 50);
  assert.equal(failure(await running).code, "stopped");
  assert.equal(failure(await shell.run("sleep 30", AbortSignal.abort())).code, "stopped");
});

test("output over the limit is left out in its middle, and ends no command", async (context) => {
  const folder = await makeScratchFolder(context);
  const shell = shellIn(folder, { outputCharacters: 1_000 });
  const { stdout, exitCode, cut } = success(await shell.run("seq 1 100000; touch after; echo the end"));
  assert.ok(stdout.length <= 1_100, `${stdout.length} characters`);
  assert.match(
    stdout,
    /^1\n2\n[\d\n]*\n\[… 58\d,\d{3} characters left out …\]\n\d+\n[\d\n]*\n100000\nthe end\n$/,
  );
  assert.equal(exitCode, 0);
  assert.match(cut ?? "", /ran to its end and printed 588,903 characters/);
  assert.ok(existsSync(join(folder, "after")));
});

test("one line without an end is cut, too, and a command whose reader has enough ends as in a shell", async (context) => {
  const shell = shellIn(await makeScratchFolder(context), { outputCharacters: 1_000 });
  const line = success(await shell.run("head -c 100000 /dev/zero | tr '\\0' x; echo; echo after"));
  assert.match(
    line.stdout,
    /^x+\n\[… 99,\d{3} characters left out …\]\nafter\n$|^x+\n\[… 99,\d{3} characters left out …\]\nx+\nafter\n$/,
  );
  assert.equal(success(await shell.run("yes | head -2")).stdout, "y\ny\n");
});

test("bytes that are no text are counted and not shown, and names that NUL separates are text", async (context) => {
  const folder = await makeScratchFolder(context);
  const photo = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251));
  await writeFile(join(folder, "photo"), photo);
  const shell = shellIn(folder);
  assert.equal(
    success(await shell.run("cat photo; echo")).stdout,
    "[5,001 bytes that are no text; they are not shown]",
  );
  assert.equal(success(await shell.run("printf 'a b\\0c\\0'")).stdout, "a b\0c\0");
});

test("bytes that are not UTF-8 are shown as replacement characters, and a character over two chunks stays whole", async (context) => {
  const folder = await makeScratchFolder(context);
  await writeFile(join(folder, "bytes"), Buffer.from([0x61, 0xff, 0x62]));
  await writeFile(join(folder, "wide"), "€".repeat(50_000));
  const shell = shellIn(folder);
  assert.equal(success(await shell.run("cat bytes")).stdout, "a\ufffdb");
  assert.equal(success(await shell.run("cat wide")).stdout, "€".repeat(50_000));
});

test("nothing is left in the background when an unconfined command ends", async (context) => {
  const folder = await makeScratchFolder(context);
  const { stdout, background } = success(await shellIn(folder).run("(sleep 0.3; touch late) & echo done"));
  assert.equal(stdout, "done\n");
  assert.match(background ?? "", /left running in the background was ended with it/);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(existsSync(join(folder, "late")), false);
});

test("an unconfined run says so", async (context) => {
  assert.match(
    success(await shellIn(await makeScratchFolder(context)).run("pwd")).note ?? "",
    /without confinement/,
  );
});
