import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { isRubric, whyUnsupported } from './assertions.ts'
import { assertionsColumn, type PromptfooTest, rubricColumn } from './assertions-evaluator.ts'
import { checkPromptfooKeys } from './check-promptfoo-keys.ts'
import { readProvider } from './read-provider.ts'
import { type PromptfooFields, readTests, type TestRow } from './read-tests.ts'

/** Whether a config is promptfoo's: by two of its keys, because one may be misspelt. */
export function isPromptfooConfig(given: unknown): given is PromptfooFields {
  const has = (key: string) => typeof given === 'object' && given !== null && Object.hasOwn(given, key)
  const found = [has('prompts'), has('providers') || has('targets'), has('tests') || has('defaultTest')].filter(Boolean)
  return found.length > 1 && !has('models') && !has('datasets')
}

/**
 * Reads a `promptfooconfig.yaml`: a model for each provider, a dataset for each prompt, a row for each test. What cannot run is left out,
 * with a note; it is an error if nothing remains.
 */
export function readPromptfoo(given: PromptfooFields, readFile: (path: string) => string): { config: PromptfooFields; notes: Note[] } {
  const notes: Note[] = []
  const leaveOut = (where: string, text: string) => notes.push({ code: 'left-out', where, text: `left out: ${text}` })
  checkPromptfooKeys(given, 'config', '', leaveOut)
  const providers = [given.providers ?? given.targets].flat()
  const models = providers.flatMap((provider, number) => readProvider(provider, `providers[${number}]`, leaveOut))
  const tests = readTests(given, leaveOut).filter((test) => isRunnable(test, leaveOut))
  const variables = [...new Set(tests.flatMap(({ vars }) => Object.keys(vars)))]
  const hasRubrics = tests.some(({ assert }) => assert.some(isRubric))
  const judge = judgeOf(given, leaveOut)
  const datasets = [given.prompts].flat().flatMap((prompt, number) => {
    const where = `prompts[${number}]`
    const found = readPrompt(prompt, number, readFile)
    const round = found.text === undefined ? undefined : roundOf(found.text, variables)
    if (typeof round !== 'object') {
      leaveOut(where, round ?? 'it is not text: prompts made by functions or scripts are not run')
      return []
    }
    return [
      {
        abbr: found.label,
        rows: tests.map(({ vars, assert, threshold }) => ({
          ...vars,
          [assertionsColumn]: JSON.stringify({ assert, threshold } satisfies PromptfooTest),
          ...(hasRubrics ? { [rubricColumn]: String(assert.find(isRubric)?.value ?? '') } : {}),
        })),
        reader_cfg: { input_columns: variables },
        infer_cfg: { prompt_template: { template: { round } } },
        eval_cfg: { evaluator: { type: 'PromptfooAssertions', ...(hasRubrics ? { judge_cfg: judge ?? {} } : {}) } },
      },
    ]
  })
  for (const [what, list] of Object.entries({ providers: models, tests, prompts: datasets })) {
    if (list.length > 0) continue
    const reasons = notes.filter(({ where = '' }) => where.startsWith(what)).map(({ where, text }) => `${where} is ${text}`)
    throw new PromptError('nothing-runs', {
      where: what,
      problem: `none of the ${what} can run${reasons.length > 0 ? `: ${reasons.slice(0, 3).join('; ')}` : ''}`,
      fix: 'docs/import.md lists what is read of a promptfoo config',
    })
  }
  return { config: { models, datasets }, notes }
}

/** A test with one assertion left out would be another test. */
function isRunnable({ where, assert }: TestRow, leaveOut: (where: string, text: string) => void): boolean {
  const [reason] = assert.flatMap((assertion) => whyUnsupported(assertion) ?? [])
  if (reason !== undefined) leaveOut(where, reason)
  else if (assert.filter(isRubric).length > 1) leaveOut(where, 'it has several rubrics, and a judge reads one')
  else if (assert.length === 0) leaveOut(where, 'it has no assertions')
  return reason === undefined && assert.length > 0 && assert.filter(isRubric).length < 2
}

/** The model that reads rubrics, if the config names one: `defaultTest.options.provider`. */
function judgeOf({ defaultTest }: PromptfooFields, leaveOut: (where: string, text: string) => void): PromptfooFields | undefined {
  const { options } = (defaultTest ?? {}) as { options?: { provider?: unknown } }
  return options?.provider === undefined ? undefined : readProvider(options.provider, 'defaultTest.options.provider', leaveOut)[0]
}

function readPrompt(prompt: unknown, number: number, readFile: (path: string) => string): { label: string; text: string | undefined } {
  const { raw, label, id } = typeof prompt === 'object' && prompt !== null ? (prompt as PromptfooFields) : { raw: prompt }
  const source = raw ?? id
  const name = String(label ?? id ?? `prompt-${number + 1}`)
  if (typeof source !== 'string') return { label: name, text: undefined }
  const path = /^file:\/\/(.+\.(?:txt|md|json))$/.exec(source)?.[1]
  if (path !== undefined)
    return { label: label === undefined ? path.replace(/^.*\//, '').replace(/\.\w+$/, '') : name, text: readFile(path) }
  return { label: name, text: source.startsWith('file://') || source.startsWith('exec:') ? undefined : source }
}

const roles: Readonly<Record<string, object>> = {
  system: { role: 'SYSTEM', fallback_role: 'HUMAN' },
  user: { role: 'HUMAN' },
  assistant: { role: 'BOT' },
}

/** The turns of a prompt: messages if it is JSON, otherwise one of the user; or why there are none. */
function roundOf(text: string, variables: readonly string[]): object[] | string {
  const messages = messagesIn(text) ?? [{ role: 'user', content: text }]
  const round: object[] = []
  for (const { role, content } of messages) {
    const turn = roles[String(role)]
    if (turn === undefined || typeof content !== 'string') return `a message of role "${role}" is not text of the system, user or assistant`
    const prompt = templateOf(content, variables)
    if (typeof prompt !== 'string') return prompt.reason
    round.push({ ...turn, prompt })
  }
  return round
}

function messagesIn(text: string): PromptfooFields[] | undefined {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** `{{ name }}` as `{name}`. */
function templateOf(text: string, variables: readonly string[]): string | { reason: string } {
  const literal = variables.find((name) => text.replaceAll(/\{\{.*?\}\}/gs, '').includes(`{${name}}`))
  if (literal !== undefined) return { reason: `it has {${literal}} in single braces, which would be filled with the variable` }
  const filled = text.replaceAll(/\{\{\s*([\w-]+)\s*\}\}/g, (_, name: string) => `{${name}}`)
  const rest = /\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}/s.exec(filled)?.[0]
  if (rest !== undefined) return { reason: `it uses ${rest}: only {{ variable }} is read` }
  const unknown = [...text.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)].find(([, name = '']) => !variables.includes(name))
  return unknown ? { reason: `no test has the variable ${unknown[1]}` } : filled
}
