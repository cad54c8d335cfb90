import { quoteForShell } from "../../text/quote-for-shell.ts";
import { shellFunctions } from "./shell-functions.ts";

/** The script that completes command lines in bash, of macOS too (3.2). Where nothing of ours fits, readline completes file names. */
export function completionForBash(settings: readonly string[]): string {
  const say = (text: string): string => `echo ${quoteForShell(text)}`;
  return `# Completes the command lines of passepartout in bash. Made by: passepartout completion bash
${shellFunctions({ list: (offers) => say(offers.map(({ name }) => name).join(" ")), word: say })}
_passepartout_offer() {
  local one names
  case $1 in
    file) return ;;
    folder) compopt +o default -o dirnames 2>/dev/null; return ;;
  esac
  compopt +o default 2>/dev/null
  case $1 in
    session | any-session)
      names=$([ "$1" = session ] && echo --named)
      while IFS= read -r one; do
        printf -v one '%q' "$one"
        case $one in "$cur"*) COMPREPLY+=("$one") ;; esac
      done < <(command passepartout completion sessions $names 2>/dev/null </dev/null)
      return ;;
    setting) names=${quoteForShell(settings.join(" "))} ;;
    =*) names=\${1#=} ;;
    *) return ;;
  esac
  for one in $names; do
    case $one in "$cur"*) COMPREPLY+=("$one") ;; esac
  done
}
${walk}`;
}

/** Goes along the words, and offers what may follow them. */
const walk = `_passepartout() {
  local cur=\${COMP_WORDS[COMP_CWORD]} place='' count=0 ended='' value='' word next i
  COMPREPLY=()
  # The = of --option=value is a word of its own in bash.
  [ "$cur" = '=' ] && cur=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [ -n "$value" ]; then
      [ "$word" = '=' ] || value=''
      continue
    fi
    if [ -z "$ended" ]; then
      case $word in
        --) ended=yes; continue ;;
        -*) value=$(_passepartout_value "$place $word"); continue ;;
      esac
    fi
    next=" $(_passepartout_next "$place") "
    case $next in
      *" $word "*) place="\${place:+$place }$word" count=0 ;;
      *) count=$((count + 1)) ;;
    esac
  done
  if [ -n "$value" ]; then
    _passepartout_offer "$value"
  elif [ -z "$ended" ] && [ "\${cur:0:1}" = - ]; then
    _passepartout_offer "=$(_passepartout_options "$place")"
  else
    next=$(_passepartout_next "$place")
    if [ -n "$next" ] && [ "$count" = 0 ]; then
      _passepartout_offer "=$next"
    else
      _passepartout_offer "$(_passepartout_word "$place $count")"
    fi
  fi
}
complete -o default -F _passepartout passepartout
`;
