import type { Command } from 'commander'
import { plain } from '../action.ts'
import { CliError, exitCodes } from '../errors.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      '\nExamples:\n  hookline completion bash > ~/.local/share/bash-completion/completions/hookline\n  hookline completion zsh > "${fpath[1]}/_hookline"\n  hookline completion fish > ~/.config/fish/completions/hookline.fish',
    )
    .action(
      plain(async (_, shell = '') => {
        if (!shells.some((known) => known === shell))
          throw new CliError(`Unknown shell "${shell}".`, {
            exitCode: exitCodes.usage,
            hint: `Choose from ${shells.join(', ')}.`,
          })
        console.log(scripts[shell as (typeof shells)[number]](wordsOf(program)))
      }),
    )
}

/** The words after each command: its subcommands and options. */
function wordsOf(command: Command, path: string[] = []): Map<string, string[]> {
  const words = [
    ...command.commands.map((sub) => sub.name()),
    ...command.options.flatMap(({ long }) => (long ? [long] : [])),
    '--help',
  ]
  return new Map([
    [path.join(' '), words],
    ...command.commands.flatMap((sub) => [...wordsOf(sub, [...path, sub.name()])]),
  ])
}

type Words = ReadonlyMap<string, readonly string[]>

/** Finds the longest command among the words before the cursor. */
function caseLines(words: Words, line: (words: string) => string): string {
  return [...words]
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([path, list]) => `    "${path}"*) ${line(list.join(' '))} ;;`)
    .join('\n')
}

const scripts: Record<(typeof shells)[number], (words: Words) => string> = {
  bash: (words) => `_hookline() {
  local path="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$path" in
${caseLines(words, (list) => `COMPREPLY=($(compgen -W "${list}" -- "\${COMP_WORDS[COMP_CWORD]}"))`)}
  esac
}
complete -o default -F _hookline hookline`,
  zsh: (words) => `#compdef hookline
_hookline() {
  local before="\${words[*]:1:CURRENT-2}"
  case "$before" in
${caseLines(words, (list) => `compadd -- ${list}`)}
  esac
}
compdef _hookline hookline`,
  fish: (words) =>
    [...words]
      .flatMap(([path, list]) => {
        const condition =
          path === ''
            ? '__fish_use_subcommand'
            : path
                .split(' ')
                .map((word) => `__fish_seen_subcommand_from ${word}`)
                .join('; and ')
        return list.map((word) =>
          word.startsWith('--')
            ? `complete -c hookline -n '${condition}' -l ${word.slice(2)}`
            : `complete -c hookline -n '${condition}' -f -a ${word}`,
        )
      })
      .join('\n'),
}
