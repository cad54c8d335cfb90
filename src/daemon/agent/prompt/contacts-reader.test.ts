import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorld, open, put } from "../../../memory/notes/open-notes.fixture.ts";
import type { Effect } from "../../../signal/effect.ts";
import { bottomLabel } from "../../../signal/label.ts";
import { makeContactsReader } from "./contacts-reader.ts";

const person = (title: string, properties: string, tags = ""): string =>
  `* ${title}${tags}\n:PROPERTIES:\n${properties}\n:END:\n`;

const sending = (act: "send" | "read", target: string): Effect => ({
  kind: "use-service",
  service: "mail",
  act,
  target,
  label: bottomLabel,
  reversal: "final",
});
const answered = (state: "approved" | "denied", ...effects: readonly Effect[]) => ({
  session: "s",
  state,
  codes: [],
  asks: [],
  command: null,
  effects,
});
const answers = [
  answered("approved", sending("send", "Paul.Weber@work.example, see www.evil.example")),
  answered("approved", sending("read", "reader@work.example")),
  answered("denied", sending("send", "eve@evil.example")),
];
const approvals = { answered: async () => answers };

test("contacts come from headings of the owner's notes with addresses, and from addresses that the owner said yes to", async () => {
  const world = makeWorld({
    "people.org": [
      person(
        "Anna Lind",
        ":EMAIL: Anna@Lind.example anna@work.example\n:NICKNAME: Annie\n:PHONE: +49 (30) 12-34 56",
      ),
      person(
        "[[https://bob.example][Bob Stone]]",
        ":EMAIL: [[mailto:bob@stone.example]]\n:IBAN: GB29 NWBK 6016 1331 9268 19",
      ),
      person("Old Friend", ":EMAIL: old@friend.example", " :ARCHIVE:"),
      person("COMMENT Draft", ":EMAIL: draft@friend.example"),
      person("No address", ":EMAIL: ask him"),
      person("A mail of Anna", ":EMAIL: anna@evil.example\n:ORIGIN: untrusted https://evil.example"),
    ].join(""),
  });
  await using notes = open(world);
  const read = makeContactsReader({ notes, state: { approvals } });
  assert.deepEqual(
    (await read()).map(({ names, value, past = false }) => [names.join("|"), value, past]),
    [
      ["Anna Lind|Annie", "anna@lind.example", false],
      ["Anna Lind|Annie", "anna@work.example", false],
      ["Anna Lind|Annie", "+4930123456", false],
      ["Bob Stone", "bob@stone.example", false],
      ["Bob Stone", "GB29NWBK60161331926819", false],
      ["paul weber", "paul.weber@work.example", true],
    ],
  );
  const entries = (await read()).map(({ entry }) => entry);
  assert.equal(new Set(entries.slice(0, 3)).size, 1, "the values of one heading are of one entry");
  assert.notEqual(entries[3], entries[0]);
  assert.equal(entries[5], undefined);
  put(world, "more.org", person("Carol", ":EMAIL: carol@new.example"));
  assert.ok(
    (await read()).some(({ value }) => value === "carol@new.example"),
    "they are read anew",
  );
});
