import { nearestName, PromptError } from '@rolecall/core/internal/errors'

/** Keys that leave a test out, which says so itself. */
const unread = {
  test: ['assertScoringFunction', 'provider', 'providers', 'providerOutput'],
  options: ['rubricPrompt', 'storeOutputAs', 'transformVars', 'postprocess'],
} as const

/** The keys that are read at each place of a promptfoo config, and those that change nothing here. */
const known = {
  config: [
    'prompts',
    'providers',
    'targets',
    'tests',
    'defaultTest',
    'scenarios',
    'description',
    'tags',
    'metadata',
    'outputPath',
    'sharing',
    'assertionTemplates',
  ],
  test: ['vars', 'assert', 'threshold', 'options', 'description', 'metadata', 'prompts', 'path', ...unread.test],
  options: ['transform', 'provider', 'prefix', 'suffix', 'disableVarExpansion', ...unread.options],
  assertion: ['type', 'value', 'weight', 'transform', 'assert', 'threshold', 'metric', 'config', '$ref'],
} as const

/** Refuses a misspelt key, which promptfoo ignores; other keys that are not read are reported. */
export function checkPromptfooKeys(
  given: Readonly<Record<string, unknown>>,
  place: keyof typeof known,
  where: string,
  leaveOut: (where: string, text: string) => void,
): void {
  for (const key of Object.keys(given)) {
    if ((known[place] as readonly string[]).includes(key) || key.startsWith('$')) continue
    const path = where === '' ? key : `${where}.${key}`
    const near = nearestName(key, known[place])
    if (near !== undefined && !Object.hasOwn(given, near))
      throw new PromptError('unknown-key', { where: path, problem: `"${key}" is not known here`, fix: `did you mean "${near}"?` })
    leaveOut(path, 'it is not read')
  }
}
