import { stripVTControlCharacters } from 'node:util'
import { rolecall } from '../proof/testing/rolecall.ts'

/** Runs `rolecall WORDS` in a folder, in this process; hands back what it prints, or why it failed, without colours and times. */
export async function runCommand(words: readonly string[], folder: string, showsNext = false): Promise<string> {
  const { code, stdout, stderr } = await rolecall(words, folder, { ROLECALL_CACHE: 'off', COLUMNS: '100' })
  // Progress and notes of a run are for who waits at a terminal; a mistake, and what is said about the config, is for the reader.
  const isMistake = code === 2 || /^failed /m.test(stderr)
  const aboutConfig = stderr.split(/(?<=\n)/).filter((line) => /^(warning|not used) /.test(stripVTControlCharacters(line)))
  const [, next = ''] = showsNext && !isMistake ? (/(\nnext {2}[\s\S]*)$/.exec(stripVTControlCharacters(stderr)) ?? []) : []
  return withoutTimes(stripVTControlCharacters(isMistake ? stdout + stderr : aboutConfig.join('') + stdout) + next)
}

/** How long a run took and when it began differ each time. */
function withoutTimes(printed: string): string {
  return printed.replace(/( rows?(?:, .*)?) in [\d.:]+(?: s)?( · .*?)?\boutputs\/\S+$/gm, '$1 in 1.2 s$2outputs/my-folder/20261115_090000')
}
