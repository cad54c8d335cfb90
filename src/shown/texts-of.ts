import { isJsonObject, type Json } from "../text/json.ts";

/** The texts of a result, whole: of a command its outputs, of any other tool its text or all of it. */
export function textsOf(content: Json): readonly string[] {
  if (typeof content === "string") return [content];
  if (!isJsonObject(content)) return [JSON.stringify(content, null, 2)];
  const texts = ["stdout", "stderr", "text"].flatMap((key) => {
    const text = content[key];
    return typeof text === "string" && text !== "" ? [text] : [];
  });
  return texts.length > 0 ? texts : [JSON.stringify(content, null, 2)];
}
