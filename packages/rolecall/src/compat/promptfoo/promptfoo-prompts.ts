import type { JavaScript } from './call-javascript.ts'
import { yamlOf } from './find-tests.ts'
import { fieldsOf, fileIn, functionIn, isScript, type LeaveOut, type PromptfooFields, type PromptfooHost } from './promptfoo-host.ts'
import { scriptOf } from './read-assertions.ts'

/** A prompt as written: text with templates, or a function that writes it for each test. */
export type PromptfooPrompt = {
  label: string
  where: string
  /** The other name by which tests may mean it. */
  id?: string | undefined
  /** JSON outputs are objects for assertions, as with promptfoo's structured outputs. */
  isStructured?: boolean
} & ({ text: string } | { javascript: JavaScript })

/** The prompts of a config and of the files that it names, each with a name that no other has. */
export function readPrompts({ prompts }: PromptfooFields, host: PromptfooHost, leaveOut: LeaveOut): PromptfooPrompt[] {
  const found = entriesOf(prompts).flatMap(({ prompt, label, where, id, config }) => {
    for (const key of Object.keys(config))
      leaveOut(`${where}.config.${key}`, 'settings are not read from prompts: write them at the provider')
    const isStructured = fieldsOf(config.response_format).type === 'json_schema'
    return readPrompt(prompt, label, where, host, leaveOut).map((read) => ({ ...read, id, ...(isStructured ? { isStructured } : {}) }))
  })
  const counts = new Map<string, number>()
  return found.map((prompt) => {
    const count = (counts.get(prompt.label) ?? 0) + 1
    counts.set(prompt.label, count)
    return count === 1 ? prompt : { ...prompt, label: `${prompt.label}-${count}` }
  })
}

type Entry = { prompt: unknown; label: string | undefined; where: string; id?: string | undefined; config: PromptfooFields }

/** A list, one prompt, or the older form with labels: `{ file: label }`. */
function entriesOf(prompts: unknown): Entry[] {
  const isMap = typeof prompts === 'object' && prompts !== null && !Array.isArray(prompts) && !('raw' in prompts) && !('id' in prompts)
  if (isMap)
    return Object.entries(prompts).map(([prompt, label]) => ({ prompt, label: String(label), where: `prompts.${prompt}`, config: {} }))
  return [prompts].flat().map((prompt, number) => {
    const { raw, id, label, config } = fieldsOf(prompt)
    const source = typeof prompt === 'string' ? prompt : (raw ?? id)
    const named = typeof label === 'string' ? label : undefined
    return {
      prompt: source,
      label: named,
      where: `prompts[${number}]`,
      id: typeof id === 'string' ? id : undefined,
      config: fieldsOf(config),
    }
  })
}

/** A name with an ending of a file is one, as in promptfoo; text with spaces or lines is not. */
const barePath = /^[^\s{}]+\.(?:txt|md|json|jsonl|ya?ml|j2|csv|[cm]?[jt]s|py|sh|rb|exe|bat)(?::\w+)?$/

function readPrompt(prompt: unknown, label: string | undefined, where: string, host: PromptfooHost, leaveOut: LeaveOut): PromptfooPrompt[] {
  if (typeof prompt !== 'string') {
    leaveOut(where, 'it is not text')
    return []
  }
  const number = Number(/\[(\d+)\]$/.exec(where)?.[1] ?? 0) + 1
  const service = /^(?:exec|langfuse|portkey|helicone|package):/.exec(prompt)?.[0]
  const given = service === undefined ? (fileIn(prompt) ?? (barePath.test(prompt) ? prompt : undefined)) : undefined
  if (given === undefined) {
    if (service === undefined) return [{ label: label ?? `prompt-${number}`, where, text: prompt }]
    leaveOut(
      where,
      service === 'exec:' ? 'a program writes it, which is not run' : `it is kept by ${service.slice(0, -1)}, which is not asked`,
    )
    return []
  }
  const { path: pattern, name } = functionIn(given)
  const paths = host.matching(pattern)
  if (paths.length === 0) leaveOut(where, `no file matches ${pattern}`)
  return paths.flatMap((path) => promptsOfFile(path, name, label, where, host, leaveOut))
}

function promptsOfFile(
  path: string,
  name: string | undefined,
  label: string | undefined,
  where: string,
  host: PromptfooHost,
  leaveOut: LeaveOut,
): PromptfooPrompt[] {
  const called = label ?? path.replace(/^.*\//, '').replace(/\.\w+$/, '')
  if (isScript(path)) {
    const script = scriptOf(name === undefined ? path : `${path}:${name}`, host)
    if (!('reason' in script)) return [{ label: label ?? name ?? called, where, javascript: script }]
    leaveOut(where, `it ${script.reason}`)
    return []
  }
  const texts = textsOf(path, host)
  if (texts === undefined) leaveOut(where, `${path} is a program, which is not run`)
  return (texts ?? []).map((text) => ({ label: called, where, text }))
}

function textsOf(path: string, host: PromptfooHost): string[] | undefined {
  const text = () => host.readText(path)
  switch (/\.(\w+)$/.exec(path)?.[1]) {
    case 'txt':
      return text()
        .split(/^[^\S\n]*---[^\S\n]*\r?$/m)
        .map((part) => part.replaceAll('\r\n', '\n').trim())
        .filter((part) => part !== '')
    case 'jsonl':
      return text()
        .split(/\r?\n/)
        .filter((line) => line !== '')
    case 'yaml':
    case 'yml':
      return [JSON.stringify(yamlOf(text(), path))]
    case 'json':
      return [compact(text())]
    case 'py':
    case 'sh':
    case 'rb':
    case 'exe':
    case 'bat':
    case 'csv':
      return undefined
    default:
      return [text()]
  }
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

/** Whether a prompt is among those that a test or a provider names. */
export function isNamed({ label, id }: Pick<PromptfooPrompt, 'label' | 'id'>, names: readonly string[] | undefined): boolean {
  if (names === undefined) return true
  return names.some(
    (name) => name === label || name === id || label.startsWith(`${name}:`) || (name.endsWith('*') && label.startsWith(name.slice(0, -1))),
  )
}
