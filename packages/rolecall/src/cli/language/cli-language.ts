import { PromptError } from '@rolecall/core/internal/errors'

/** The languages of help texts and messages. Errors of configs and prompts are in English, as their docs are. */
export const languages = ['en', 'zh'] as const
export type CliLanguage = (typeof languages)[number]

/** Translations by their English text; empty for English. */
let words: Readonly<Record<string, string>> = {}

/** The arguments without `--lang`, and the language: of the flag, else of the locale. */
export function readLanguage(args: readonly string[], environment: NodeJS.ProcessEnv): { rest: string[]; language: CliLanguage } {
  const rest: string[] = []
  let given: string | undefined
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!
    if (word === '--lang') given = args[++index] ?? ''
    else if (word.startsWith('--lang=')) given = word.slice('--lang='.length)
    else rest.push(word)
  }
  if (given !== undefined && !languages.includes(given as CliLanguage))
    throw new PromptError('unknown-language', {
      where: '--lang',
      problem: `there is no language "${given}"`,
      fix: `use one of: ${languages.join(', ')}`,
    })
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  return { rest, language: (given as CliLanguage | undefined) ?? (/^zh([_.@-]|$)/i.test(locale) ? 'zh' : 'en') }
}

/** Loads the translations of a language; English needs none. */
export async function useLanguage(language: CliLanguage): Promise<void> {
  words = language === 'en' ? {} : (await import('./chinese.ts')).chinese
}

/** A text in the chosen language; in English where there is no translation. */
export function translate(text: string): string {
  return Object.hasOwn(words, text) ? words[text]! : text
}

/** Translates what follows the flags in `--help`: paragraphs as a whole, examples by what is said about each. */
export function translateAfterHelp(text: string): string {
  return text
    .split(/(\n{2,})/)
    .map((part) => {
      const [, before, body, after] = /^(\n*)([\s\S]*?)(\n*)$/.exec(part)!
      return `${before}${body!.startsWith('Examples:') ? translateExamples(body!) : translate(body!)}${after}`
    })
    .join('')
}

function translateExamples(text: string): string {
  const [heading, ...lines] = text.split('\n')
  return [
    translate(heading!),
    ...lines.map((line) => line.replace(exampleText, (_, command: string, said: string) => command + translate(said))),
  ].join('\n')
}

/** An example with what is said about it. */
export const exampleText = /^( {2}\S.*? {2,})(\S.*)$/
