import type { Range } from "../text/range.ts";

/** A day of the calendar, with a time where one is written. Months are 1 to 12, and as written: `2024-13-99` is no error here. No time zone: Org has none. */
export type Moment = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number | null;
  readonly minute: number | null;
};

export type Unit = "hour" | "day" | "week" | "month" | "year";

/** A timestamp as it is written, with its range in the text. */
export type Timestamp = Range & {
  readonly kind: "active" | "active-range" | "inactive" | "inactive-range" | "diary";
  /** As written, both ends of a range included. */
  readonly raw: string;
  /** Of a `diary` stamp, whose days are never computed, year, month and day are 0. */
  readonly start: Moment;
  /** The end of a range of days or times; the same as `start` where there is none. */
  readonly last: Moment;
  /** `+` cumulate, `++` catch-up, `.+` restart; `deadline` is what follows a `/` in a habit. */
  readonly repeater: {
    readonly type: "cumulate" | "catch-up" | "restart";
    readonly value: number;
    readonly unit: Unit;
    readonly deadline: { readonly value: number; readonly unit: Unit } | null;
  } | null;
  /** `-3d`: all, `--3d`: first only. */
  readonly warning: {
    readonly type: "all" | "first";
    readonly value: number;
    readonly unit: Unit;
  } | null;
};
