import { quoteForShell } from "../../text/quote-for-shell.ts";
import { shellFunctions } from "./shell-functions.ts";

/** The script that completes command lines in zsh, each offer with its help. */
export function completionForZsh(settings: readonly string[]): string {
  const functions = shellFunctions({
    list: (offers) => `reply=(${offers.map(({ name, help }) => quoteForShell(`${name}:${help}`)).join(" ")})`,
    word: (text) => `REPLY=${quoteForShell(text)}`,
  });
  return `#compdef passepartout
# Completes the command lines of passepartout in zsh. Made by: passepartout completion zsh
${functions}
_passepartout_offer() {
  local -a names
  case $1 in
    file) _files ;;
    folder) _files -/ ;;
    session | any-session)
      [[ $1 == session ]] && names=(--named)
      names=("\${(@f)$(command passepartout completion sessions $names 2>/dev/null </dev/null)}")
      compadd -- \${names:#} ;;
    setting) names=(${settings.join(" ")}); compadd -- $names ;;
    '='*) names=(\${=1#=}); compadd -- $names ;;
    *) _message 'a value' ;;
  esac
}
${walk}`;
}

/** Goes along the words, and offers what may follow them; at last the script runs where zsh loads it, or registers itself where it is sourced. */
const walk = `_passepartout() {
  local place='' ended='' value='' word REPLY=''
  local -a reply=() names=()
  integer count=0 i
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $value ]]; then value=''; continue; fi
    if [[ -z $ended ]]; then
      case $word in
        --) ended=yes; continue ;;
        -*=*) continue ;;
        -*) REPLY=''; _passepartout_value "$place $word"; value=$REPLY; continue ;;
      esac
    fi
    reply=()
    _passepartout_next "$place"
    names=(\${reply%%:*})
    if (( \${names[(Ie)$word]} )); then
      place="\${place:+$place }$word" count=0
    else
      count+=1
    fi
  done
  word=\${words[CURRENT]}
  reply=() REPLY=''
  if [[ -n $value ]]; then
    _passepartout_offer "$value"
  elif [[ -z $ended && $word == -*=* ]]; then
    _passepartout_value "$place \${word%%=*}"
    compset -P '*='
    _passepartout_offer "$REPLY"
  elif [[ -z $ended && $word == -* ]]; then
    _passepartout_options "$place"
    _describe -o option reply
  else
    _passepartout_next "$place"
    if (( \${#reply} && count == 0 )); then
      _describe command reply
    else
      _passepartout_word "$place $count"
      _passepartout_offer "$REPLY"
    fi
  fi
}
if [[ \${funcstack[1]} == _passepartout ]]; then
  _passepartout "$@"
else
  compdef _passepartout passepartout
fi
`;
