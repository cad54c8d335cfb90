import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { cage, probe } from "../tools/shell/sandbox.fixture.ts";
import { makeScratchFolder, outputOf } from "../tools/shell/shell.fixture.ts";
import { findShownSettings } from "./shown-settings.ts";

async function shownOf(
  context: TestContext,
  files: Readonly<Record<string, number>>,
  text = "canary",
): Promise<readonly string[]> {
  const etc = await makeScratchFolder(context);
  chmodSync(etc, 0o755);
  for (const [name, mode] of Object.entries(files)) {
    const path = join(etc, name);
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o755 });
    writeFileSync(path, text);
    chmodSync(path, mode);
  }
  mkdirSync(join(etc, "elsewhere"), { mode: 0o755 });
  symlinkSync(join(etc, "elsewhere"), join(etc, "emacs"));
  const shown = await findShownSettings(etc, process.geteuid?.());
  return shown.map((path) => relative(etc, path)).sort();
}

test("settings of programs are shown that each user may read, whole folders of them, and no secret among them", async (context) => {
  const open = { "java-17-openjdk/security/java.security": 0o644, services: 0o644, "ssl/openssl.cnf": 0o644 };
  assert.deepEqual(await shownOf(context, open), ["java-17-openjdk", "services", "ssl/openssl.cnf"]);
  const closed = {
    ...open,
    "java-17-openjdk/net.properties": 0o644,
    "java-17-openjdk/management/jmxremote.password": 0o600,
    "maven/m2.conf": 0o644,
    "maven/settings.xml": 0o644,
    "php/8.2/cli/conf.d/20-ftp.ini": 0o644,
    "php/8.2/cli/php.ini": 0o644,
    "php/8.2/fpm/pool.d/www.conf": 0o644,
    "ssl/private/host.key": 0o644,
    protocols: 0o640,
    shadow: 0o644,
    "wpa_supplicant/wpa.conf": 0o644,
    "phpmyadmin/config.inc.php": 0o644,
    hosts: 0o644,
  };
  assert.deepEqual(await shownOf(context, closed), [
    "java-17-openjdk/net.properties",
    "java-17-openjdk/security",
    "maven/m2.conf",
    "php/8.2/cli/conf.d",
    "services",
    "ssl/openssl.cnf",
  ]);
});

test("copies and other names of secrets, and modules of PHP that are given one, are not shown", async (context) => {
  const secret =
    "maven/settings.xml~ maven/settings.xml.bak maven/settings.xml.dpkg-old maven/conf/settings.xml.ucf-old maven/Settings.XML.2 " +
    "php/php.ini.bak php/php.ini.ucf-dist php/fpm.old php/8.2/mods-available/newrelic.ini php/8.2/newrelic.ini.bak R/Renviron.site " +
    "R/Renviron.site~ R/Rprofile.site java/server.key.bak java/a.kdbx.old java/.npmrc java/id_rsa.2 maven/authinfo maven/.netrc " +
    "lua/.env lua/prod.env vim/id_rsa vim/_netrc vim/htpasswd~ xml/terraform.tfstate.bak perl/fish_history";
  const files = ["maven/m2.conf", "php/8.2/mods-available/newrelic.conf", ...secret.split(" ")];
  const text = '; newrelic\nnewrelic.license = "canary"\n';
  const shown = await shownOf(context, Object.fromEntries(files.map((name) => [name, 0o644])), text);
  assert.deepEqual(shown, ["maven/m2.conf", "php/8.2/mods-available/newrelic.conf"]);
});

test("settings of another user than root are not shown", async (context) => {
  const etc = await makeScratchFolder(context);
  writeFileSync(join(etc, "services"), "");
  assert.deepEqual(await findShownSettings(etc, 123_456), []);
});

test("a server listens on localhost in the sandbox, and its programs find their settings but no names of the machine", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const listens = probe(
    `net.createServer().listen(0, "localhost", function () { console.log(this.address().address); this.close(); });`,
  );
  assert.match(outputOf(await made.inside.run(listens)), /127\.0\.0\.1|::1/);
  const shown = (await findShownSettings()).filter((path) => existsSync(path));
  const reads = probe(
    `for (const path of ${JSON.stringify(shown)}) fs.accessSync(path, fs.constants.R_OK); console.log("ALL");`,
  );
  assert.match(outputOf(await made.inside.run(reads)), /ALL/);
  const hosts = outputOf(await made.inside.run(probe(`console.log(fs.readFileSync("/etc/hosts", "utf8"));`)));
  assert.match(hosts, /127\.0\.0\.1 localhost/);
  assert.ok(!hosts.includes(hostname()));
});
