import { looksRandom } from "./looks-random.ts";
import type { SecretMatch } from "./secret-match.ts";

/** A JSON Web Token that begins at a place, plain or in base64 once more: its header must be JSON. */
export function webTokenAt(text: string, at: number): SecretMatch | null {
  const pattern = text.startsWith("ey", at) ? plain : text.startsWith("ZXlK", at) ? encoded : null;
  if (pattern === null) return null;
  pattern.lastIndex = at;
  const token = pattern.exec(text)?.[0];
  if (token === undefined) return null;
  const header = pattern === plain ? token : decode(token.slice(0, token.length & ~3));
  const isToken = isHeader(decode(header.split(".", 1)[0] ?? "")) && looksRandom(token);
  return isToken ? { rule: "json-web-token", start: at, end: at + token.length, matchStart: at } : null;
}

/** A Discord bot token around the dot at a place. */
export function discordTokenAt(text: string, dot: number): SecretMatch | null {
  if (text.charCodeAt(dot + 7) !== fullStop) return null;
  discord.lastIndex = dot;
  const head = /(?<![A-Za-z0-9_-]{3})[A-Za-z0-9_-]{0,2}?([MNO][A-Za-z0-9_-]{23,25})$/.exec(
    text.slice(Math.max(0, dot - 30), dot),
  )?.[1];
  const tail = head === undefined ? null : discord.exec(text);
  if (head === undefined || tail === null || !looksRandom(tail[0])) return null;
  const start = dot - head.length;
  return { rule: "discord-token", start, end: dot + tail[0].length, matchStart: start };
}

/** The first two characters of a JSON Web Token, plain or in base64 once more. */
export const beginningsOfWebTokens: readonly string[] = ["ey", "ZX"];

/** What may follow a dot of a Discord bot token. */
export const wordCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

const fullStop = 46;
const plain =
  /ey[A-Za-z0-9_-]{12,1300}={0,2}\.ey[A-Za-z0-9_/+-]{6,1300}={0,2}(?:\.[A-Za-z0-9_/+-]{0,1300})?/y;
const encoded = /ZXlK[A-Za-z0-9+/_-]{40,4000}={0,2}/y;
const discord = /\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}/y;

function isHeader(text: string): boolean {
  return /^\{\s*"(?:alg|typ|kid|enc|cty|x5[tuc]|jku|jwk|zip|b64|crit|epk|p2[cs]|apu|apv|iv|tag|aud|iss|sub|use|kty|ver|version|url|nonce|ppt|svt|key_ops)\b/.test(
    text,
  );
}

/** Decodes base64 of either alphabet; what is not valid gives an empty text. */
function decode(base64: string): string {
  const text = base64.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text) ? "" : atob(text);
}
