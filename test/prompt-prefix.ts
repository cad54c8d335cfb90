const mark = /,?"cache_control":\{"type":"ephemeral"\}/g;
const fields = ["tools", "instructions", "system", "systemInstruction", "messages", "input", "contents"];
const beginOfLive = "[Live state from the program";

/**
 * The prompt of a request in the order in which each provider's cache reads it: tools, system text, messages. Marks that ask to cache it are left out, since they
 * are no part of what is cached, and a text that OpenRouter's marks stand at is one that stands by itself.
 */
export function promptOf(body: string): string {
  const sent: unknown = JSON.parse(body);
  const field = (name: string): string => JSON.stringify(Reflect.get(Object(sent), name)) ?? "";
  const whole = fields.map(field).join("").replaceAll(mark, "");
  return whole.replaceAll(/"content":\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]/g, '"content":$1');
}

/** How many characters two texts begin with in common. */
export function commonLength(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

/**
 * Characters of a prompt that the next turn sends again in any window: all before the live state of its
 * turn.
 */
export function stableLength(prompt: string): number {
  return prompt.lastIndexOf(",{", prompt.lastIndexOf(beginOfLive));
}

/** Where a prompt ends that the next step of its turn sends again: without the brackets that close it. */
export function stepLength(prompt: string): number {
  return prompt.replace(/[\s\]}]*$/, "").length;
}
