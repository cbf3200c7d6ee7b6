import { PromptError } from '@rolecall/core/internal/errors'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { printable } from '../terminal.ts'
import type { LoadedSelection } from './collect-views.ts'

/** The flags of `render` that OpenCompass's `tools/prompt_viewer.py` has, too. */
export type ChoiceFlags = { all: boolean; nonInteractive: boolean }

/** Asks a question on the terminal; undefined if the user closes it. */
export type AskUser = (question: string) => Promise<string | undefined>

type Named = { abbr?: string }

/**
 * Narrows a config to the models and datasets to show: with `-n` the first of each; on a terminal those that the user picks, where the flags
 * leave several; otherwise, and with `-a`, all of them.
 */
export async function chooseEntries(
  loaded: LoadedSelection,
  { all, nonInteractive }: ChoiceFlags,
  ask?: AskUser,
): Promise<LoadedSelection> {
  if (all || (!nonInteractive && ask === undefined)) return loaded
  const pick = async <Entry extends Named>(entries: readonly Entry[], names: string | undefined, flag: 'model' | 'dataset') => {
    const selected = selectByName(entries, names, `--${flag}s`)
    if (nonInteractive || selected.length < 2) return selected.slice(0, 1)
    return names === undefined ? pickFrom(selected, flag, ask!) : selected
  }
  const { config, selection } = loaded
  const models = await pick(config.models, selection.models, 'model')
  const datasets = await pick(config.datasets, selection.datasets, 'dataset')
  return { ...loaded, config: { ...config, models, datasets }, selection: {} }
}

/** Names that fit on a screen; the others can be typed. */
const shownNames = 20

async function pickFrom<Entry extends Named>(entries: readonly Entry[], noun: string, ask: AskUser): Promise<Entry[]> {
  const names = entries.map(({ abbr }, index) => abbr ?? `${noun} ${index}`)
  const lines = names.slice(0, shownNames).map((name, index) => `  ${String(index + 1).padStart(2)}  ${printable(name)}\n`)
  const more = names.length > shownNames ? `      and ${names.length - shownNames} more\n` : ''
  const question = `${names.length} ${noun}s:\n${lines.join('')}${more}Which ${noun}? A number, a name or a pattern; Enter shows all: `
  for (let problem = ''; ; ) {
    const answer = (await ask(`${problem}${question}`))?.trim()
    if (answer === undefined)
      throw new PromptError('stopped', {
        where: 'render',
        problem: `no ${noun} was chosen`,
        fix: `-a shows all of them, -n the first, --${noun}s some`,
      })
    if (answer === '') return [...entries]
    const numbered = /^\d+$/.test(answer) && !names.includes(answer) ? entries[Number(answer) - 1] : undefined
    if (numbered !== undefined) return [numbered]
    try {
      return selectByName(entries, answer, `--${noun}s`)
    } catch (error) {
      if (!(error instanceof PromptError)) throw error
      problem = `${printable(`${error.problem}; ${error.fix}`)}\n\n`
    }
  }
}
