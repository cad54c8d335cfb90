import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { providerPresets } from "../src/reason/providers/presets.ts";
import { loadConfig } from "../src/settings/config.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const example = readFileSync(join(root, ".env.example"), "utf8");
const uncommented = example.replaceAll(/^#([A-Z_]+=)/gm, "$1");

test("every setting is in .env.example", () => {
  const names = ["setting-table.ts", "org-settings.ts"].flatMap((file) => {
    const source = readFileSync(join(root, "src", "settings", file), "utf8");
    return [...source.matchAll(/^ {2}([A-Z][A-Z_]+): [{zl]/gm)].map(([, name = ""]) => name);
  });
  assert.ok(names.length > 10, "the settings of src/settings/setting-table.ts were found");
  for (const name of [...names, "MEMEX_DIR"]) {
    assert.match(example, new RegExp(`^#${name}=`, "m"), `${name} is not in .env.example`);
  }
});

test("the defaults in .env.example are the defaults of the program", () => {
  const folder = mkdtempSync(join(tmpdir(), "env-example-"));
  try {
    mkdirSync(join(folder, "passepartout"));
    writeFileSync(join(folder, "passepartout", ".env"), uncommented);
    const home = join(folder, "home");
    const said = loadConfig({ HOME: home, XDG_CONFIG_HOME: folder });
    const silent = loadConfig({ HOME: home, XDG_CONFIG_HOME: join(folder, "none") });
    assert.deepEqual(said.problems, []);
    assert.equal(said.places.configuration, join(folder, "passepartout"));
    const {
      places: saidPlaces,
      providers: saidProviders,
      vault: saidVault,
      fillMcpText: _fill,
      hasMcpEntry: _has,
      mcpLogins: saidLogins,
      ...saidRest
    } = said;
    const {
      places: silentPlaces,
      providers: _,
      vault: silentVault,
      fillMcpText: _silentFill,
      hasMcpEntry: _silentHas,
      mcpLogins: silentLogins,
      ...silentRest
    } = silent;
    assert.equal(saidPlaces.notes, silentPlaces.notes);
    assert.deepEqual(saidVault.status(), silentVault.status());
    assert.deepEqual(saidLogins.of("one"), silentLogins.of("one"));
    assert.deepEqual(saidRest, silentRest);
    for (const { name, baseUrl, model, contextWindow } of saidProviders) {
      const kind = providerPresets.get(name);
      const window = contextWindow ?? kind?.contextWindow;
      assert.deepEqual([baseUrl, model, window], [kind?.baseUrl, kind?.model, kind?.contextWindow]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every setting of .env.example is explained in docs/settings.md", () => {
  const reference = readFileSync(join(root, "docs", "settings.md"), "utf8");
  const names = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  const general = names.map((name) => {
    const kind = [...providerPresets.keys()].find((known) => name.startsWith(`${known.toUpperCase()}_`));
    return kind === undefined || name.endsWith("_HOST") ? name : `NAME${name.slice(kind.length)}`;
  });
  assert.deepEqual(
    general.filter((name) => !reference.includes(`\`${name}\``)),
    [],
  );
});
