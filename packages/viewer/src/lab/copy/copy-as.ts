import type { ColumnQuestion, DrawnPrompt } from '../engine/contract.ts'
import type { LabState } from '../lab-state.ts'
import { labModels } from '../models/catalog.ts'

export const copyKinds = ['text', 'ids', 'curl', 'python', 'typescript', 'config'] as const
type CopyKind = (typeof copyKinds)[number]

/** What the reader can take along: the same prompt in other programs. Undefined where a kind does not apply. */
export function copyAs(kind: CopyKind, state: LabState, question: ColumnQuestion, prompt: DrawnPrompt): string | undefined {
  switch (kind) {
    case 'text':
      return prompt.text
    case 'ids':
      return prompt.ids && JSON.stringify(prompt.ids)
    case 'curl':
      return curl(state, question, prompt)
    case 'python':
      return state.source === 'row' ? undefined : python(state, question)
    case 'typescript':
      return state.source === 'row' ? undefined : typescript(state, question)
    case 'config':
      return config(state, question)
    default:
      return kind satisfies never
  }
}

/** A completions endpoint takes the prompt as it is; one for chats would apply its own template. */
function curl({ messages, tools }: LabState, question: ColumnQuestion, { kind, text, stops }: DrawnPrompt): string {
  const model = repositoryOf(question)
  const body =
    kind === 'completion'
      ? { model, prompt: text, max_tokens: 256, ...(stops.length > 0 ? { stop: stops.slice(0, 4) } : {}) }
      : { model, messages, ...(tools.length > 0 ? { tools } : {}) }
  const path = kind === 'completion' ? 'completions' : 'chat/completions'
  const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return `curl http://127.0.0.1:8000/v1/${path} -H 'content-type: application/json' -d '${json}'\n`
}

function python({ messages, tools, want }: LabState, question: ColumnQuestion): string {
  const all = Object.entries(question.variables)
  const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name)
  const others = Object.fromEntries(all.filter(([name]) => !isName(name)))
  // Names may come from somebody's link: what is no name of Python's never becomes code.
  const variables = [
    ...all.filter(([name]) => isName(name)).map(([name, value]) => `    ${name}=${pythonValue(value)},\n`),
    ...(Object.keys(others).length > 0 ? [`    **${pythonValue(others)},\n`] : []),
  ]
  return `from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(${JSON.stringify(repositoryOf(question))})
messages = ${pythonValue(messages, 0)}
${tools.length > 0 ? `tools = ${pythonValue(tools, 0)}\n` : ''}prompt = tokenizer.apply_chat_template(
    messages,
${tools.length > 0 ? '    tools=tools,\n' : ''}${want === 'continue' ? '    continue_final_message=True,\n' : `    add_generation_prompt=${want === 'generate' ? 'True' : 'False'},\n`}${variables.join('')}    tokenize=False,
)
print(prompt)
`
}

/** JSON as Python writes it. */
function pythonValue(value: unknown, indent = 1): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value)
  const pad = '    '.repeat(indent + 1)
  const end = '    '.repeat(indent)
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[\n${value.map((item) => `${pad}${pythonValue(item, indent + 1)},\n`).join('')}${end}]`
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  if (entries.length === 0) return '{}'
  return `{\n${entries.map(([key, item]) => `${pad}${JSON.stringify(key)}: ${pythonValue(item, indent + 1)},\n`).join('')}${end}}`
}

const definitionKeys: Readonly<Record<string, string>> = {
  chat_template: 'chatTemplate',
  special_tokens: 'specialTokens',
  format: 'format',
  meta_template: 'metaTemplate',
  conv_template: 'convTemplate',
  conv_config: 'convConfig',
  mlc_config: 'mlcConfig',
  ollama_template: 'ollamaTemplate',
  roles: 'roles',
  parts: 'parts',
}

function typescript({ messages, tools, want, date }: LabState, { settings, variables }: ColumnQuestion): string {
  const { chat_template: template, ...others } = settings
  const given = Object.entries(others).flatMap(([key, value]) => {
    const option = Object.hasOwn(definitionKeys, key) ? definitionKeys[key] : undefined
    return option === undefined ? [] : [`  ${option}: ${JSON.stringify(value)},\n`]
  })
  const isCore = template !== undefined && settings.roles === undefined && settings.parts === undefined
  const options = [
    ...(tools.length > 0 ? ['tools'] : []),
    ...(Object.keys(variables).length > 0 ? [`variables: ${JSON.stringify(variables)}`] : []),
    ...(date === undefined ? [] : [`clock: new Date(${JSON.stringify(date)})`]),
    ...(want === 'generate' ? [] : [`want: '${want}'`]),
  ]
  return `import { defineModel, renderPrompt } from '@rolecall/core'
${isCore ? '' : "import '@rolecall/core/all-formats'\n"}
const model = defineModel({
${template === undefined ? '' : `  chatTemplate: ${JSON.stringify(template)},\n`}${given.join('')}})
const messages = ${JSON.stringify(messages, null, 2)}
${tools.length > 0 ? `const tools = ${JSON.stringify(tools, null, 2)}\n` : ''}const prompt = renderPrompt(model, messages${options.length > 0 ? `, { ${options.join(', ')} }` : ''})
console.log(prompt.text)
`
}

/** JSON is YAML: the file works as rolecall.config.yaml. */
function config({ source, row, messages, tools }: LabState, { settings, name }: ColumnQuestion): string {
  const model =
    typeof settings.config === 'string'
      ? `models:\n${asItem(settings.config)}`
      : `models:\n  - ${JSON.stringify({ abbr: name, ...settings })}\n`
  if (source === 'messages') {
    const dataset = { abbr: 'lab', rows: [{ messages, ...(tools.length > 0 ? { tools } : {}) }], messages: 'messages' }
    return `${model}datasets:\n  - ${JSON.stringify(dataset)}\n`
  }
  return `${model}datasets:\n${asItem(`${row.dataset.trimEnd()}\nrows:\n${asItem(row.row)}`)}`
}

/** A text of YAML as an item of a list. */
function asItem(text: string): string {
  const lines = text.trimEnd().split('\n')
  return `${lines.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`).join('\n')}\n`
}

function repositoryOf({ name }: ColumnQuestion): string {
  return labModels.find((model) => model.name === name)?.repository || name
}
