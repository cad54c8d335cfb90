/**
 * Whether a text may be sent as rich Markdown. The service's Markdown can hold any of its HTML: a picture
 * there makes the service fetch an address, and a button looks like one of this program. Code is no
 * exception: where code begins and ends is for the service to say, and its rules are not known whole.
 */
export function isSafeMarkdown(text: string): boolean {
  return !/<[a-z/!?]|!\[|&#|&lt/i.test(text);
}
