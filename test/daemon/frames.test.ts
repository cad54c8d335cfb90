import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { readSecret } from "../../src/wire/codec/proof-secret.ts";
import { connectPeer, payloadOf, proofFor } from "../../src/wire/server/wire.fixture.ts";
import { makeWorld, sent } from "../agent-world.ts";
import { type ServedDaemon, serveDaemon } from "./serve-daemon.ts";
import { textOf } from "./wire-client.ts";

/** A frame by the words of the documents: six digits that count characters, then the form. */
const framed = (form: string): string => `${[...form].length.toString(16).padStart(6, "0")}${form}`;

/** The forms of a stream of frames with nothing between them; a rest that is no whole frame is left out. */
function formsIn(stream: string): readonly string[] {
  const forms: string[] = [];
  let rest = [...stream];
  for (;;) {
    const digits = rest.slice(0, 6).join("");
    if (digits.length < 6) return forms;
    assert.match(digits, /^[0-9A-F]{6}$/);
    const length = Number.parseInt(digits, 16);
    if (rest.length < 6 + length) return forms;
    forms.push(rest.slice(6, 6 + length).join(""));
    rest = rest.slice(6 + length);
  }
}

/** A client that knows nothing of this program but its socket, with all that it heard. */
function connectStranger(t: TestContext, { socketPath }: ServedDaemon) {
  const socket: Socket = connect({ path: socketPath, allowHalfOpen: true });
  t.after(() => socket.destroy());
  let heard = "";
  const ended = new Promise<void>((resolve) => socket.once("end", resolve));
  const waiting = new Set<() => void>();
  socket.setEncoding("utf8").on("data", (text) => {
    heard += String(text);
    for (const look of waiting) look();
  });
  return {
    socket,
    forms: () => formsIn(heard),
    ended,
    /** Resolves once a form is as wanted. */
    hears: (wanted: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = formsIn(heard).find((form) => wanted.test(form));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

test("a client that counts characters and writes as it likes is read: digits and keys in either case, blanks between frames", async (t) => {
  const world = await makeWorld(t, [{ text: 'Said: "😀" \\ é' }, { text: "Again." }]);
  const daemon = await serveDaemon(world, { settings: { PROTOCOL_ENFORCE_HMAC: "false" } });
  const stranger = connectStranger(t, daemon);
  assert.match(
    await stranger.hears(/:HANDSHAKE/),
    /^\(:TYPE :EVENT :PAYLOAD \(:ACTION :HANDSHAKE [^\n]*\)\)$/,
  );
  const words = (text: string, pad = ""): string =>
    `(:Type :event :meta (:SOURCE :TUI) :PAYLOAD (:sensor :User-Input :TEXT "${text}"${pad}))`;
  const first = framed(words("😀 hello"));
  stranger.socket.write(`\n\t ${first.slice(0, 6).toUpperCase()}${first.slice(6)}`);
  const answer = await stranger.hears(/:RESPONSE|:REQUEST/);
  assert.match(answer, /^\([^\n]*:TEXT "Said: \\"😀\\" \\\\ é"[^\n]*\)$/);
  assert.match(sent(world, 0), /😀 hello/);
  // Blanks within the frame bring its length to one that has a letter among its digits.
  let again = words("again");
  while (!/[a-f]/.test(framed(again).slice(0, 6))) again = words("again", " ".repeat(again.length));
  stranger.socket.write(`\r\n${framed(again)}`);
  await stranger.hears(/:TEXT "Again\."/);
});

test("a stream that ends inside a header is closed without a word, and one that ends inside a form is told so", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const errors: number[] = [];
  for (const cut of ["0000", '00002C(:TYPE :EVENT :PAYLOAD (:TEXT "hel']) {
    const stranger = connectStranger(t, daemon);
    await stranger.hears(/:HANDSHAKE/);
    stranger.socket.end(cut);
    await stranger.ended;
    errors.push(stranger.forms().filter((form) => form.includes(":PROTOCOL-ERROR")).length);
  }
  assert.deepEqual(errors, [0, 1]);
});

test("a client that speaks another protocol is told which the daemon speaks, and the connection ends", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const peer = connectPeer(t, { path: daemon.socketPath });
  peer.send(proofFor(await peer.next(), readSecret(world.state), { protocol: 2 }));
  const [refused, ...more] = await peer.rest();
  assert.equal(payloadOf(refused ?? {})["code"], "other-protocol");
  assert.match(textOf(refused ?? {}), /speaks protocol 1 and the client 2/);
  assert.deepEqual(more, []);
});
