import assert from "node:assert/strict";
import { test } from "node:test";
import { proveHarmless } from "./prove-harmless.ts";

const harmless = [
  "1",
  "{print $5}",
  "{s+=$1} END {print s}",
  "NR%3==1",
  "NR==2 {split($0,a)} {for (i=1;i<=NF;i++) if ($i==date) print a[i]}",
  '{print $2 " " $1}',
  "$3 > 5 && $4 !~ /x|y/ {n++} END {print n/NR}",
  "/begin/,/end/",
  'BEGIN {FS=":"; OFS="\\t"} {print $1, $NF}',
  "!seen[$0]++",
  '{a[$1]+=$2} END {for (k in a) printf "%s %d\\n", k, a[k]}',
  "length($0) > 80",
  '{gsub(/[^a-z]+/, ""); print toupper(substr($1, 1, 1))}',
  "{print ($1+$2)/2}",
  "NF > 2 ? 1 : 0",
];

for (const program of harmless) {
  test(`an awk program that only prints is harmless: ${program}`, () => {
    const proof = proveHarmless(["awk", program, "file"]);
    assert.ok(proof.harmless, proof.harmless ? "" : proof.doubt);
    assert.deepEqual(proof.harmless && proof.reads, [{ path: "file", access: "contents", tree: false }]);
  });
}

const doubtful = [
  'BEGIN {system("id")}',
  'BEGIN {system ("id")}',
  'BEGIN{"id"|getline x; print x}',
  'BEGIN {while ((getline l < "/etc/passwd") > 0) print l}',
  '{print > "f"}',
  '{print $1 >"f"}',
  '{print(1)>"f"}',
  '{printf "%s", $0 >> "f"}',
  '{print | "sh"}',
  '{print |& "sh"}',
  '{print 1 &&\n 2 > "f"}',
  '{print 1,\n 2 > "f"}',
  '{if (x) print > "f"}',
  'BEGIN {print ENVIRON["KEY"]}',
  'BEGIN {ARGV[1]="/etc/shadow"; ARGC=2} 1',
  '@load "filefuncs"; 1',
  '@include "f"',
  'BEGIN {f="system"; @f("id")}',
  "function f(x) {return x} {print f($1)}",
  'BEGIN {if (1) /"/; print | "sh"; x = /"/ }',
  '{if ($1) /"/ ; print | "sh" ; /"/}',
  '{x = length /"/ ; print | "sh" ; /"/}',
  '{x++ /"/ ; print | "sh" ; /"/}',
  '{print $/"/ ; print | "sh" ; /"/}',
  "{print `id`}",
  "{print $1 # > f\n}",
  'BEGIN {pri\\\nnt > "f"}',
  '{print "a',
  "{print (1}",
];

for (const program of doubtful) {
  test(`an awk program that may do more asks: ${JSON.stringify(program)}`, () => {
    assert.equal(proveHarmless(["awk", program]).harmless, false);
  });
}

test("options and variables that bring other programs or files to awk ask", () => {
  for (const argv of [
    ["awk", "-f", "x"],
    ["gawk", "-i", "inplace", "1", "f"],
    ["gawk", "-l", "x", "1"],
    ["gawk", "-e", "1"],
    ["mawk", "-W", "exec", "x"],
    ["awk", "1", "-f", "x"],
    ["awk", "1", "-F", "1"],
    ["awk", "-v", "ARGV=x", "1"],
    ["awk", "1", "ENVIRON=x"],
    ["awk", "--", "--", '{print > "x"}'],
    ["awk"],
    ["awk", "-F:"],
  ])
    assert.equal(proveHarmless(argv).harmless, false, argv.join(" "));
});

test("what stands behind an awk program is a file, unless it sets a variable", () => {
  const proof = proveHarmless(["awk", "-F:", "-v", "n=1", "{print n}", "a", "n=2", "b"]);
  assert.deepEqual(proof.harmless && proof.reads.map(({ path }) => path), ["a", "b"]);
});
