import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { isPrivateAddress, sendRequest } from "./send-request.ts";

test("a request goes to the given address, under the host's own name, and asks no resolver", async () => {
  const server = createServer((request, response) => response.end(request.headers.host));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const url = new URL(`http://any.invalid:${address.port}/`);
  const answer = await sendRequest(url, ["127.0.0.1"], new AbortController().signal);
  const text = (await answer.setEncoding("utf8").toArray()).join("");
  server.close();
  assert.equal(text, url.host);
  await assert.rejects(sendRequest(url, [], new AbortController().signal), /no address/);
});

test("addresses of this machine, the local network and the cloud's metadata are private, and so is text that is no address", () => {
  for (const address of [
    "127.9.9.9",
    "10.1.1.1",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "0.0.0.0",
    "::",
    "::1",
    "::10.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fd12::1",
    "fd00:ec2::254",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "2002:808:808::1",
    "2001:0:808:808:0:0:f7f7:f7f7",
    "2001:2::1",
    "2001:db8::1",
    "3fff::1",
    "4000::1",
    "64:ff9b:1::808:808",
    "192.88.99.1",
    "0177.0.0.1",
    "127.1",
    "0x7f000001",
    "any.invalid",
    "",
  ]) {
    assert.equal(isPrivateAddress(address), true, address);
  }
  for (const address of ["93.184.216.34", "8.8.8.8", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"])
    assert.equal(isPrivateAddress(address), false, address);
});
