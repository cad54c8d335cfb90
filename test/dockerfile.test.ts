import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import platforms from "../scripts/node-platforms.json" with { type: "json" };

const page = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("the container runs the daemon as an ordinary user, with volumes for all that lasts and a check of its health", () => {
  const text = page("Dockerfile").replaceAll("\\\n", " ");
  const lines = text.split("\n").filter((line) => /^[A-Z]/.test(line));
  const run = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const wordsOf = (name: string): string => run.find((line) => line.startsWith(`${name} `)) ?? "";
  assert.equal(wordsOf("USER"), "USER node");
  assert.ok(run.indexOf(wordsOf("USER")) > run.findLastIndex((line) => line.startsWith("RUN ")));
  for (const [, folder = ""] of wordsOf("ENV").matchAll(/=(\/\w+)/g))
    assert.ok(wordsOf("VOLUME").includes(`"${folder}"`), folder);
  assert.match(wordsOf("HEALTHCHECK"), /CMD \["passepartout", "doctor", "--quick"\]$/);
  assert.deepEqual(
    [wordsOf("ENTRYPOINT"), wordsOf("CMD")],
    ['ENTRYPOINT ["passepartout"]', 'CMD ["daemon"]'],
  );
  for (const [, version] of text.matchAll(/^FROM node:(\S+?)-/gm))
    assert.equal(version, platforms["linux-x64"].version);
  assert.match(run.join("\n"), /apt-get install .*\bca-certificates\b/);
  assert.doesNotMatch(text, /\b(?:ADD|EXPOSE|curl|wget)\b|https?:|--privileged|SETUID/);
  assert.match(page(".dockerignore"), /^\.git\n(?:.*\n)*node_modules\n/);
});
