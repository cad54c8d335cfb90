import { foldName } from "../text/fold-name.ts";

/** What other agents call a tool, folded as by `foldName`. A name that could mean two tools is not here: it is refused, and the refusal lists the tools. */
export const familiarTools: ReadonlyMap<string, string> = namesOf({
  "read-file": "read view cat open_file read_text_file view_file",
  "write-file": "write create_file write_to_file save_file create_new_file",
  "edit-file": "edit replace str_replace multi_edit search_replace replace_string_in_file edit_block",
  "list-files": "ls list_dir list_directory list_folder glob glob_files find_files",
  "search-files": "grep rg ripgrep grep_search grep_files search_file_content search_text search_in_files",
  shell:
    "bash sh run_shell_command local_shell exec_command shell_command run_command execute_command run_terminal_cmd run_in_terminal",
  "fetch-url": "web_fetch fetch fetch_web_page http_get",
  remember: "save_memory add_memory store_memory",
  recall: "search_memory memory_search",
  eval: "javascript run_javascript eval_js",
});

const place = "file_path filename file absolute_path target_file relative_path";
const folder = "directory dir dir_path folder directory_path target_directory absolute_path";

/**
 * What other agents call the arguments of each tool. Those of `drop` say nothing that the tool could do; what is no argument of the tool (`end`, `recursive`, …) is said in
 * its own arguments by `reshapeArguments`.
 */
const familiarArguments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "read-file": {
    path: place,
    offset: "from start_line line_start first_line",
    limit: "lines num_lines line_count max_lines",
    end: "end_line to_line last_line",
    range: "view_range line_range",
    drop: "encoding",
  },
  "write-file": { path: place, content: "contents text file_text data body file_content", drop: "encoding" },
  "edit-file": {
    path: place,
    old: "old_string old_str old_text search find",
    new: "new_string new_str new_text replace replacement",
    all: "replace_all",
    count: "expected_replacements",
    drop: "instruction",
  },
  "edit-notes": { file: "path file_path filename", operations: "ops edits" },
  "list-files": {
    path: folder,
    glob: "pattern include file_pattern glob_pattern",
    depth: "max_depth",
    recursive: "is_recursive",
    ignored: "no_ignore include_ignored",
    drop: "show_hidden hidden all case_sensitive",
  },
  "search-files": {
    path: `${folder} file_path file search_path`,
    pattern: "regex regexp query search_term search_pattern text",
    glob: "include include_pattern file_pattern glob_pattern",
    context: "C context_lines lines_around",
    after: "A after_context",
    before: "B before_context",
    limit: "head_limit max_results max_count max_matches",
    literal: "fixed_strings F is_literal",
    anyCase: "i ignore_case case_insensitive",
    caseCounts: "case_sensitive",
    isRegex: "is_regex use_regex",
    ignored: "no_ignore include_ignored",
    drop: "n line_numbers output_mode show_hidden hidden",
  },
  shell: {
    cmd: "command command_line cmdline script bash_command",
    folder: "workdir working_directory cwd directory dir_path",
    background: "is_background run_in_background",
    drop: "description timeout timeout_ms",
  },
  "fetch-url": { url: "uri link address", drop: "prompt format" },
  remember: { text: "fact note content memory" },
  recall: { query: "q question text search keywords" },
  backlinks: { id: "node_id note_id" },
  agenda: { from: "start start_date date" },
  eval: { code: "javascript js source script expression" },
};

/** A tool's own name for an argument, by its folded name elsewhere; `drop` for one that says nothing. */
export function familiarArgument(tool: string, folded: string): string | undefined {
  return argumentsByTool.get(tool)?.get(folded);
}

const argumentsByTool: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(familiarArguments).map(([tool, names]) => [tool, namesOf(names)]),
);

/** Each name of the lists, folded, with the name that its list belongs to. */
function namesOf(lists: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(lists).flatMap(([own, names]) =>
      names.split(" ").map((name) => [foldName(name), own] as const),
    ),
  );
}
