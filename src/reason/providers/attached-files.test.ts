import assert from "node:assert/strict";
import { test } from "node:test";
import { paid, requestOf, says } from "../../../test/door-world.ts";
import { startLoopbackProvider } from "../../../test/loopback-provider.ts";
import { startOllamaServer } from "../../../test/ollama-server.ts";
import type { AttachmentMessage } from "../../signal/attachment.ts";
import { bottomLabel } from "../../signal/label.ts";
import { knownInputs } from "./known-inputs.ts";
import type { ProviderKind } from "./presets.ts";
import { buildProviders } from "./registry.ts";

const attached = (
  media: AttachmentMessage["file"]["media"],
  digest: string,
  text = "",
): AttachmentMessage => ({
  role: "attachment",
  file: {
    digest,
    name: "shots/a.bin",
    path: "/w/shots/a.bin",
    media,
    bytes: 3,
    width: 4,
    height: 5,
    pages: 2,
  },
  text,
  label: bottomLabel,
});
const picture = attached("image/png", "p");
const letter = attached("application/pdf", "l", "Dear Ada");
const files = new Map([
  ["p", Buffer.from("one")],
  ["l", Buffer.from("two")],
]);

/** What a provider is sent of words with a picture and a PDF. */
async function bodyTo(
  kind: ProviderKind,
  given: ReadonlyMap<string, Uint8Array>,
  model = "m",
): Promise<string> {
  await using server = await startLoopbackProvider([{ text: "ok" }]);
  const setting = { name: "p", kind, baseUrl: `${server.url}/v1`, apiKey: "k", model };
  const provider = buildProviders([setting], () => 0).providers.get("p");
  assert.ok(provider);
  const request = {
    ...requestOf(says("look")),
    model,
    messages: [says("look"), picture, letter],
    files: given,
  };
  await Array.fromAsync(provider.stream(request, paid, new AbortController().signal));
  return server.requests[0]?.body ?? "";
}

for (const [kind, shapes, model] of [
  [
    "openai-compatible",
    [
      /"image_url":\{"url":"data:image\/png;base64,b25l"\}/,
      /"file_data":"data:application\/pdf;base64,dHdv"/,
    ],
  ],
  [
    "openrouter",
    [
      /"image_url":\{"url":"data:image\/png;base64,b25l"\}/,
      /"file_data":"data:application\/pdf;base64,dHdv"/,
    ],
    "anthropic/claude-sonnet-5-5",
  ],
  [
    "openai",
    [
      /"image_url":\{"url":"data:image\/png;base64,b25l"\}/,
      /"file_data":"data:application\/pdf;base64,dHdv"/,
    ],
  ],
  [
    "openai",
    [/"type":"input_image","image_url":"data:image\/png;base64,b25l"/, /"type":"input_file"[^}]*dHdv/],
    "gpt-5.6-terra",
  ],
  [
    "anthropic",
    [
      /"type":"image","source":\{"type":"base64","media_type":"image\/png","data":"b25l"\}/,
      /"type":"document","source":\{"type":"base64","media_type":"application\/pdf","data":"dHdv"\}/,
    ],
  ],
  [
    "google",
    [
      /"inlineData":\{"mimeType":"image\/png","data":"b25l"\}/,
      /"inlineData":\{"mimeType":"application\/pdf","data":"dHdv"\}/,
    ],
  ],
] as const)
  test(`${kind} ${model ?? ""}: files are parts of the message of the person, in its own form, behind their names`, async () => {
    const body = await bodyTo(kind, files, model);
    for (const shape of shapes) assert.match(body, shape);
    assert.match(
      body,
      /look[\s\S]*ATTACHED FILE \\"shots\/a\.bin\\" \(picture, 4 × 5, 3 bytes\):[\s\S]*ATTACHED FILE/,
    );
    assert.doesNotMatch(body, /Dear Ada/, "a PDF that goes whole does not go as text, too");
    const plain = await bodyTo(kind, new Map(), model);
    assert.doesNotMatch(plain, /b25l|dHdv/);
    assert.match(plain, /you are not shown it\. Say so[\s\S]*\(PDF, 2 pages, 3 bytes\):\\nDear Ada/);
  });

test("Ollama's own API gets a picture beside the text, and its server says whether a model takes pictures", async () => {
  await using server = await startOllamaServer({ capabilities: ["completion", "vision"] });
  const setting = {
    name: "p",
    kind: "ollama",
    baseUrl: `${server.url}/v1`,
    apiKey: null,
    model: "m",
  } as const;
  const provider = buildProviders([setting], () => 0).providers.get("p");
  assert.ok(provider);
  const request = { ...requestOf(says("look")), model: "m", messages: [says("look"), picture], files };
  await Array.fromAsync(provider.stream(request, paid, new AbortController().signal));
  const [chat] = server.chats;
  assert.match(JSON.stringify(chat?.body), /"content":"look\\n\\nATTACHED FILE [^:]*:","images":\["b25l"\]/);
  assert.deepEqual((await provider.recordOf("m")).inputs, ["picture"]);
  await using blind = await startOllamaServer({ capabilities: ["completion"] });
  const other = buildProviders(
    [{ ...setting, baseUrl: `${blind.url}/v1`, model: "llava" }],
    () => 0,
  ).providers.get("p");
  assert.deepEqual((await other?.recordOf("m"))?.inputs, []);
});

test("what a model takes is told by its name; an unknown one takes text alone", () => {
  for (const model of [
    "claude-sonnet-5-5",
    "anthropic/claude-3-5-haiku-latest",
    "gpt-5.6-terra",
    "gpt-4o-mini",
    "o3",
    "gemini-3.8-flash",
  ])
    assert.deepEqual(knownInputs(model), ["picture", "pdf"], model);
  for (const model of [
    "claude-3-opus",
    "gpt-4-turbo",
    "llava:13b",
    "qwen2.5-vl:7b",
    "qwen/qwen3-vl-8b",
    "meta-llama/llama-3.2-11b-vision-instruct",
    "llama4",
    "gemma3:4b",
    "google/gemma-3-27b-it",
    "pixtral-12b",
    "minicpm-v",
  ])
    assert.deepEqual(knownInputs(model), ["picture"], model);
  for (const model of [
    "claude-2.1",
    "gpt-3.5-turbo",
    "o3-mini",
    "gpt-oss-120b",
    "openai/gpt-oss-120b",
    "gpt-4",
    "llama3.2",
    "qwen3:8b",
    "deepseek-chat",
    "gemma3:1b",
    "default",
    "evil-vlad",
    "",
  ])
    assert.deepEqual(knownInputs(model), [], model);
});

test("a setting says what models take; PDF files go only to services that are known to take them, or by a setting", async () => {
  const inputsOf = async (rest: object) => {
    const setting = {
      name: "p",
      kind: "openai-compatible",
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "k",
      model: "gpt-4o",
      ...rest,
    } as const;
    return (
      await buildProviders([setting], () => 0)
        .providers.get("p")
        ?.recordOf(setting.model)
    )?.inputs;
  };
  assert.deepEqual(await inputsOf({}), ["picture"]);
  assert.deepEqual(await inputsOf({ kind: "openai" }), ["picture", "pdf"]);
  assert.deepEqual(await inputsOf({ inputs: ["pdf"] }), ["pdf"]);
  assert.deepEqual(await inputsOf({ kind: "openai", inputs: [] }), []);
});
