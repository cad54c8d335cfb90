import { isJsonArray, isJsonObject, type Json } from "../../text/json.ts";
import { pushAll } from "../../text/lists.ts";

/** A field of a record: its name and its values, as texts. A list has several. */
export type RecordField = { readonly key: string; readonly values: readonly string[] };
/** An object of a structured result: a mail, an event, a file. */
export type ResultRecord = { readonly fields: readonly RecordField[] };

/** The records beyond which a result is not read: they name nothing. */
const mostRecords = 2000;

/** The records of a result, at any depth. A text is no record, whatever it looks like. */
export function recordsIn(content: Json): readonly ResultRecord[] {
  const found: ResultRecord[] = [];
  const open: Json[] = [content];
  for (let value = open.pop(); value !== undefined && found.length < mostRecords; value = open.pop()) {
    if (isJsonArray(value)) pushAll(open, value);
    else if (isJsonObject(value)) {
      const fields = Object.entries(value).flatMap(([key, held]): readonly RecordField[] => {
        const values = (isJsonArray(held) ? held : [held]).flatMap(scalarText);
        return values.length === 0 ? [] : [{ key: key.toLowerCase().replace(/_+$/, ""), values }];
      });
      if (fields.length > 0) found.push({ fields });
      pushAll(
        open,
        Object.values(value).filter((held) => typeof held === "object" && held !== null),
      );
    }
  }
  return found.reverse();
}

function scalarText(value: Json): readonly string[] {
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}

/** Whether a field holds an identifier of its record rather than words about it. */
export function isIdField({ key }: RecordField): boolean {
  return /(?:^|_)(?:id|uuid|uid|key|number)$/.test(key);
}
