/** A heading, by its title, its `:ID:` or its `:CUSTOM_ID:`. */
type Heading = { readonly at: string };

/** Where new entries go, seen from a heading. */
type Where = { readonly where?: "under" | "after" | "before" | undefined };

/** The note for the log record of the change, if it makes one. */
type Note = { readonly note?: string | undefined };

/** One edit of an Org file. Every value is one line; an empty value removes what is there. A `text` is Org; its headings are shifted to the level of their new place. */
export type Operation =
  | (Heading & Note & { readonly op: "todo"; readonly state: string })
  | (Heading & Note & { readonly op: "schedule" | "deadline"; readonly value: string })
  | (Heading & { readonly op: "tags" | "priority" | "title"; readonly value: string })
  | (Heading & { readonly op: "put"; readonly key: string; readonly value: string })
  | (Heading & { readonly op: "delete-property"; readonly key: string })
  | (Heading & {
      readonly op:
        | "id"
        | "clock-in"
        | "clock-out"
        | "archive-tag"
        | "archive-sibling"
        | "archive"
        | "promote"
        | "demote";
    })
  | (Heading & Note & { readonly op: "refile"; readonly to: string })
  | { readonly op: "checkbox"; readonly line: number }
  | ({ readonly at?: string | undefined } & Where & {
        readonly op: "insert";
        readonly title: string;
        readonly text?: string | undefined;
      })
  | ({ readonly at?: string | undefined } & Where & { readonly op: "paste"; readonly text: string })
  | (Heading & { readonly op: "move"; readonly to: "up" | "down" })
  | (Heading & { readonly op: "append" | "body"; readonly text: string })
  | {
      readonly op: "capture";
      readonly title: string;
      readonly text?: string | undefined;
      /** A date; today where it is left out. */
      readonly date?: string | undefined;
      /** The heading that the date tree is below. */
      readonly under?: string | undefined;
    };
