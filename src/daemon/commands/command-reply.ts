import type { Json } from "../../text/json.ts";

/** The reply of a command of the owner: what came of it as a kebab-case word, as a text for a person, and as data for a client where there is more to show. */
export type CommandReply = { readonly code: string; readonly text: string; readonly data?: Json };
