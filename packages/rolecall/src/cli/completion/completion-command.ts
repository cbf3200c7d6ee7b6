import { namedTemplates, presets } from '@rolecall/core/internal/format'
import { Argument, Command } from 'commander'
import { datasetPresets } from '../../compat/benchmarks/index.ts'
import { bashCompletion } from './bash.ts'
import { describeCommands, type KnownNames } from './described-commands.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

/** Prints completions of all commands, including itself. */
export function completionCommand(allCommands: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description('print shell completions')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
Examples:
  eval "$(rolecall completion bash)"                                       in ~/.bashrc
  eval "$(rolecall completion zsh)"                                        in ~/.zshrc, after compinit
  rolecall completion fish > ~/.config/fish/completions/rolecall.fish      once`,
    )
    .action(async (shell: keyof typeof shells) => {
      process.stdout.write(shells[shell](describeCommands(await allCommands(), knownNames())))
    })
}

function knownNames(): KnownNames {
  const templates = [...new Set(namedTemplates.map(({ key }) => key))]
  const formats = [...Object.keys(presets), ...templates]
  return {
    '--format': formats,
    '--formats': formats,
    '--conv-template': templates,
    '--preset': datasetPresets.map(({ name }) => name),
    formats,
  }
}
