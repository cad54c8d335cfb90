import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addressKind } from "../text/address-kind.ts";
import { hosts } from "./hosts.ts";
import { sampleEffects, sampleFacts } from "./sample-action.ts";

const answer = (target: string, addresses: readonly string[] = [], changed: object = {}): string => {
  const given = hosts.answer({ ...sampleEffects.reach, ...changed, target, addresses }, sampleFacts, 0);
  return "code" in given ? `${given.result} ${given.code}` : given.result;
};

test("every host asks", () => {
  assert.equal(answer("example.com", ["93.184.215.14"]), "ask reach-host");
  assert.equal(answer("example.com"), "ask reach-host");
  assert.equal(answer("EXAMPLE.com."), "ask reach-host");
  assert.equal(answer("xn--bcher-kva.example"), "ask reach-host");
});

test("this machine and private networks ask with their own code, and the reason names them", () => {
  for (const [target, addresses] of [
    ["localhost", []],
    ["127.0.0.1", []],
    ["[::1]", []],
    ["inside.example", ["192.168.1.5"]],
    ["example.com", ["93.184.215.14", "10.0.0.1"]],
    ["0.0.0.0", []],
    ["::ffff:127.0.0.1", []],
  ] as const) {
    assert.equal(answer(target, addresses), "ask reach-private-host", target);
  }
  const given = hosts.answer(
    { ...sampleEffects.reach, target: "db", addresses: ["10.1.2.3"] },
    sampleFacts,
    0,
  );
  assert.match("reason" in given ? given.reason : "", /private address/);
});

test("link-local and metadata addresses block in every notation and behind every name", () => {
  const targets = [
    "169.254.169.254",
    "169.254.1.1",
    "[::ffff:169.254.169.254]",
    "::ffff:a9fe:a9fe",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "fd00:ec2::254",
    "fe80::1%eth0",
    "100.100.100.200",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "instance-data",
  ];
  for (const target of targets) assert.equal(answer(target), "block metadata-host", target);
  assert.equal(answer("rebound.example", ["93.184.215.14", "169.254.169.254"]), "block metadata-host");
});

test("malformed hosts block: unusual numbers, users, blanks, other scripts, bad ports and addresses", () => {
  const targets = [
    "2852039166",
    "0xA9FEA9FE",
    "0251.0376.0251.0376",
    "1.2.3",
    "a b",
    "a@b",
    "a/b",
    "a..b",
    "-a.example",
  ];
  for (const target of [...targets, "exämple.com", "example.com:80", "[::1", "a".repeat(64), "a\n", "."]) {
    assert.equal(answer(target), "block malformed-host", target);
  }
  assert.equal(answer("example.com", ["not-an-address"]), "block malformed-host");
  assert.equal(answer("example.com", [], { port: 0 }), "block malformed-host");
  assert.equal(answer("example.com", [], { port: 80.5 }), "block malformed-host");
  assert.equal(answer("example.com", [], { scheme: "" }), "block malformed-host");
});

test("an IPv4 address that is not public shows through each form of IPv6 that carries it", () => {
  const inverted = (address: string) =>
    address
      .split(".")
      .map((part, at) => `${at === 2 ? ":" : ""}${(255 - Number(part)).toString(16).padStart(2, "0")}`);
  for (const [address, kind] of [
    ["169.254.169.254", "metadata"],
    ["127.0.0.1", "loopback"],
    ["10.0.0.1", "private"],
  ] as const) {
    const hex = address
      .split(".")
      .map((part, at) => `${at === 2 ? ":" : ""}${Number(part).toString(16).padStart(2, "0")}`)
      .join("");
    for (const carrier of [
      `::${address}`,
      `::ffff:${hex}`,
      `::ffff:0:${address}`,
      `64:ff9b::${address}`,
      `64:ff9b:1::${address}`,
      `2002:${hex}::1`,
      `2001:0:${hex}::1`,
      `2001:0:808:808:0:0:${inverted(address).join("")}`,
    ])
      assert.equal(addressKind(carrier), kind, carrier);
  }
});

test("an IPv4 address has the same kind inside an IPv6 address", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      assert.equal(addressKind(`::ffff:${address}`), addressKind(address));
    }),
  );
});

test("every well-formed address has a kind, and other text has none", () => {
  fc.assert(fc.property(fc.ipV6(), (address) => assert.notEqual(addressKind(address), null)));
  for (const text of [
    "",
    "1.2.3.4.5",
    ":::",
    "1::2::3",
    "12345::",
    "g::",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::1.2.3.400",
  ]) {
    assert.equal(addressKind(text), null, text);
  }
  assert.equal(addressKind("2606:2800:220:1::1"), "public");
  assert.equal(addressKind("fd12::1"), "private");
});
