/**
 * The face of the package: every name that other code may import. A text of Org is read, queried, edited and printed as Emacs does it.
 * No function here touches the clock, the file system or the network, and none evaluates what a file says.
 */

export {
  formatDay,
  localDay,
  localMinutes,
  mondayOf,
  parseDay,
  parseRelativeDay,
} from "./agenda/agenda-day.ts";
export { type AgendaLine, type AgendaSpan, agendaFor } from "./agenda/agenda-lines.ts";
export type { AgendaTimestamp, LocatedTimestamp } from "./agenda/agenda-timestamp.ts";
export { type AgendaTimestampOptions, agendaTimestamps } from "./agenda/agenda-timestamps.ts";
export { inPrintedOrder, type PageTime, printAgenda } from "./agenda/print-agenda.ts";
export { checkOrg, type LocatedProblem } from "./check/check.ts";
export { checkLines } from "./check/check-lines.ts";
export type { CheckEnvironment, CheckedFile } from "./check/check-problem.ts";
export {
  type EditFiles,
  type EditOptions,
  type EditResult,
  editOrg,
  type RefusedOperation,
} from "./edits/edit-org.ts";
export type { SessionOptions } from "./edits/open-session.ts";
export type { Operation } from "./edits/operation.ts";
export { readDate } from "./edits/read-date.ts";
export { applySplices, type Splice, type SpliceResult } from "./edits/splice.ts";
export { type NodeIdentity, nodeIdentityOf } from "./links/identity.ts";
export { linksByEntry, type OrgLink } from "./links/links.ts";
export { type OutlineEntry, readEntries } from "./outline/entries.ts";
export type { ReadSetupFile, SetupFile } from "./outline/file-keywords.ts";
export { inheritedProperty, nearestTags, propertyOf } from "./outline/inherit.ts";
export type { OrgVariables } from "./outline/org-variables.ts";
export type {
  ClockLine,
  FileSettings,
  Headline,
  Outline,
  Planning,
  Property,
  PropertyDrawer,
  TodoState,
} from "./outline/outline.ts";
export { type ScanOptions, scanOutline } from "./outline/scan-outline.ts";
export { findTimestamps, parseTimestamp } from "./outline/scan-timestamp.ts";
export { type GroupsOfTag, groupsOfTags, readTagGroups, tagGroupFinder } from "./outline/tag-groups.ts";
export { compileQuery, type QueryTime } from "./query/compile-query.ts";
export { parseQuery } from "./query/parse-query.ts";
export { type QueryableHeadline, type QueryFile, queryEntries } from "./query/query-entries.ts";
export { sparseTree } from "./query/sparse-tree.ts";
export { type FileJsonOptions, fileToJson } from "./syntax/file-json.ts";
export { type ListedNode, listNodes, nodeDescriber } from "./syntax/list-nodes.ts";
export type { NodeOf, NodeProperties, NodeType, OrgNode } from "./syntax/node.ts";
export { printOrg } from "./syntax/print.ts";
export { type JsonOptions, treeToJson } from "./syntax/to-json.ts";
export { type ParseOptions, parseOrg } from "./syntax/tree.ts";
export { type Tangled, type TangledFile, type TangleProblem, tangleOrg } from "./tangle/tangle.ts";
export { decodeOrgText, encodeOrgText, hasRawBytes, type OrgText } from "./text/org-text.ts";
export type { Range } from "./text/range.ts";
export { printTimestamp } from "./time/calendar.ts";
export type { Moment, Timestamp } from "./time/timestamp.ts";
