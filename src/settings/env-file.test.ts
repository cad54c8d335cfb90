import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { loadConfig } from "./config.ts";
import { SettingsError } from "./settings-error.ts";

/** An empty home, and the place of its settings file, whose folder exists. */
function emptyHome(t: TestContext): { readonly home: string; readonly file: string } {
  const home = mkdtempSync(join(tmpdir(), "passepartout-env-file-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, ".config", "passepartout", ".env");
  mkdirSync(dirname(file), { recursive: true });
  return { home, file };
}

const strict = "TOOL_PERMISSIONS=shell=deny\nBUDGET_PER_DAY=0\nPRIVACY_FILTER_TAGS=family\n";

const unusable: readonly [what: string, make: (file: string) => void][] = [
  ["is a folder", (file) => mkdirSync(file)],
  ["is a link to itself", (file) => symlinkSync(file, file)],
  ["is UTF-16 with a byte order mark", (file) => writeFileSync(file, `\ufeff${strict}`, "utf16le")],
  ["is UTF-16 without one", (file) => writeFileSync(file, strict, "utf16le")],
  ["is not UTF-8", (file) => writeFileSync(file, Buffer.from(`MEMEX_ASSISTANT=\xff\n${strict}`, "latin1"))],
  ["is megabytes long", (file) => writeFileSync(file, `${strict}#${"x".repeat(2 ** 21)}`)],
];

for (const [what, make] of unusable) {
  test(`nothing starts with a settings file that ${what}: what it allows is unknown`, (t) => {
    const { home, file } = emptyHome(t);
    make(file);
    assert.throws(
      () => loadConfig({ HOME: home }),
      (error) => error instanceof SettingsError && error.message.includes(file),
    );
  });
}

test("nothing starts with a settings file that its owner cannot read", {
  skip: process.getuid?.() === 0 && "root reads every file",
}, (t) => {
  const { home, file } = emptyHome(t);
  writeFileSync(file, strict);
  chmodSync(file, 0);
  assert.throws(() => loadConfig({ HOME: home }), SettingsError);
});

test("nothing starts where the settings' folder is a file", (t) => {
  const { home, file } = emptyHome(t);
  rmSync(dirname(file), { recursive: true });
  writeFileSync(dirname(file), "");
  assert.throws(() => loadConfig({ HOME: home }), SettingsError);
});

for (const linked of ["file", "folder"]) {
  test(`nothing starts where the ${linked} of the settings is a link that leads nowhere`, (t) => {
    const { home, file } = emptyHome(t);
    const link = linked === "file" ? file : dirname(file);
    rmSync(link, { recursive: true, force: true });
    symlinkSync(join(home, "not-mounted"), link);
    assert.throws(() => loadConfig({ HOME: home }), SettingsError);
  });
}

test("a byte order mark before the first setting changes nothing", (t) => {
  const { home, file } = emptyHome(t);
  writeFileSync(file, `\ufeff${strict}`);
  const config = loadConfig({ HOME: home });
  assert.deepEqual([...config.permissions], [["shell", "deny"]]);
  assert.equal(config.budgetPerDay, 0);
  assert.deepEqual(config.privacyTags, ["family"]);
  assert.deepEqual(config.problems, []);
});

for (const line of [
  "TOOL_PERMISSIONS: shell=deny",
  "export BUDGET_PER_DAY 0",
  "  PRIVACY_FILTER_TAGS @work,@family",
  "PROTOCOL_ENFORCE_HMAC",
  "\u200bBUDGET_PER_DAY=0",
  "BUDGET\u200b_PER_DAY=0",
]) {
  test(`nothing starts with the line ${JSON.stringify(line)}: it names a security setting and sets nothing`, (t) => {
    const { home, file } = emptyHome(t);
    writeFileSync(file, `MEMEX_ASSISTANT=Ada\n${line}\n`);
    assert.throws(() => loadConfig({ HOME: home }), /\.env, line 2 names ([A-Z_]+) but is not \1=value/);
  });
}

test("nothing starts with privacy tags that no note can have", (t) => {
  const { home, file } = emptyHome(t);
  writeFileSync(file, "PRIVACY_FILTER_TAGS=my diary,@work\n");
  assert.throws(() => loadConfig({ HOME: home }), /PRIVACY_FILTER_TAGS .*Correct it/);
});

test("a name of .env that no setting has is reported, with the nearest name", (t) => {
  const { home, file } = emptyHome(t);
  writeFileSync(
    file,
    [
      "PROVIDER_CASCADE=mine",
      "MINE_BASE_URL=http://127.0.0.1:9/v1",
      "BUDGET_PER_DAYS=0",
      "privacy_filter_tags=diary",
      "MISTRAL_MODEL=large",
      "OPENIA_API_KEY=key-that-is-masked",
      "HOUSE_PASSWORD=only-masked-123",
    ].join("\n"),
  );
  const { problems } = loadConfig({ HOME: home });
  assert.match(problems.join("\n"), /BUDGET_PER_DAYS, .*Did you mean BUDGET_PER_DAY\?/);
  assert.match(problems.join("\n"), /privacy_filter_tags, .*Did you mean PRIVACY_FILTER_TAGS\?/);
  assert.match(problems.join("\n"), /MISTRAL_MODEL/);
  assert.match(problems.join("\n"), /OPENIA_API_KEY, .*Did you mean OPENAI_API_KEY\?/);
  assert.equal(problems.length, 4, problems.join("\n"));
  assert.doesNotMatch(problems.join("\n"), /masked/);
});

test("without a home in the environment the home of the user account is taken, never a relative path", () => {
  for (const HOME of ["", "relative/home", undefined]) {
    const { places } = loadConfig({ HOME, XDG_CONFIG_HOME: tmpdir() });
    for (const place of Object.values(places).flat()) assert.match(place, /^\//);
  }
});
