import { limits, PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import {
  type ContentFate,
  chatTemplateFormat,
  contentRoles,
  isFormatName,
  mediaShapes,
  mlcTemplate,
  mlcTemplates,
  presets,
  rolesPolicy,
  rolesTable,
  type TemplateContents,
  type TemplateSummary,
} from '@rolecall/core/internal/format'
import { checkResponseTemplate, findSyntax, type ReplySyntax, readResponseTemplate, responseSyntax } from '@rolecall/core/internal/reply'
import { Command, Option } from 'commander'
import stringWidth from 'string-width'
import { formatWords, type ReadFormat, readFormat } from '../node/formats/read-format.ts'
import type { LoadedChatTemplate } from '../node/models/load-chat-template.ts'
import { isolatedTemplate, limitTemplateTime } from '../node/templates/isolated-template.ts'
import { countText } from './screen/amounts.ts'
import type { ScreenBlock } from './screen/blocks.ts'
import { ownCommand } from './screen/own-command.ts'
import { printNext, printReport, printScreen } from './screen/print-screen.ts'
import { printable, printWarnings } from './terminal.ts'

export const formatsCommand = new Command('formats')
  .description('list the built-in formats and MLC conversation templates, or show one')
  .argument('[name]', `a format: ${formatWords}`)
  .option('--json', 'print as JSON', false)
  .option('--roles', 'what the chat templates of a file do with each role at each place, and what roles: auto does about it', false)
  .addOption(
    new Option('--kind <kind>', 'list only meta templates, or only old- or new-style MLC conversation templates').choices([
      'meta',
      'old',
      'new',
    ]),
  )
  .addHelpText(
    'after',
    `
Examples:
  rolecall list formats
  rolecall list formats chatml --json
  rolecall list formats vicuna_v1.1            a conversation template, to start your own conv_config from
  rolecall list formats new/llama-2            if both generations have the name
  rolecall list formats ./tokenizer_config.json  what a chat template can do
  rolecall list formats ./qwen3.jinja --roles    which roles, places and fields it writes`,
  )
  .action((name: string | undefined, { json, kind, roles }: { json: boolean; kind?: Kind; roles: boolean }) => {
    limitTemplateTime(limits.commandTemplateSeconds)
    if (name !== undefined && !isFormatName(name)) return showFile(readFormat(name, { where: name }), name, { json, roles })
    if (roles) throw noTemplate(name)
    if (name === undefined && !json) {
      printScreen(listBlocks(kind))
      if (kind !== undefined) return
      return printNext([{ command: `${ownCommand()} list formats NAME`, shows: 'one of them, or what a chat template can do' }])
    }
    process.stdout.write(`${stringify(name === undefined ? everything(kind) : one(name, json))}\n`)
  })

type Kind = 'meta' | 'old' | 'new'

function one(name: string, json: boolean): object {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (preset) return json ? preset : (preset.meta_template ?? preset.internlm2 ?? {})
  const template = mlcTemplate(name)
  return json ? asJson(template) : template.template
}

function everything(kind: Kind | undefined): object {
  const templates = Object.fromEntries(templatesOf(kind).map((template) => [template.name, asJson(template)]))
  return { ...(kind === undefined || kind === 'meta' ? presets : {}), ...templates }
}

function templatesOf(kind: Kind | undefined): TemplateSummary[] {
  return mlcTemplates().filter(({ generation }) => kind === undefined || kind === generation)
}

/** Uses the key of mlc-chat-config.json. */
function asJson({ template, generation, ...summary }: TemplateSummary): object {
  return { ...summary, generation, ...(generation === 'old' ? { conv_config: template } : { conv_template: template }) }
}

/** Names and texts in as many columns as there are. */
function listBlocks(kind: Kind | undefined): ScreenBlock[] {
  const formats: ScreenBlock = {
    kind: 'grid',
    columns: [{}, { mayCut: true }],
    rows: Object.entries(presets).map(([name, { description }]) => ({ cells: [{ text: name, tone: 'strong' }, { text: description }] })),
  }
  const found = templatesOf(kind)
  const templates: ScreenBlock = {
    kind: 'grid',
    columns: [{ title: 'name' }, { title: 'generation' }, { title: 'roles', mayCut: true }, { title: 'system text', mayCut: true }],
    rows: found.map(({ name, generation, roles, system }) => ({
      cells: [name, generation, roles.map((role) => JSON.stringify(role)).join(' '), short(system)].map((text) => ({ text })),
    })),
  }
  if (kind === 'meta') return [formats]
  if (kind !== undefined) return [templates]
  return [
    { kind: 'prose', text: countText(Object.keys(presets).length, 'format') },
    formats,
    {
      kind: 'prose',
      text: `${countText(found.length, 'conversation template')} of MLC, for format, conv_template and --format: rolecall list formats --kind old, and --kind new`,
      tone: 'quiet',
    },
  ]
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}

function stringify(value: object): string {
  return JSON.stringify(value, null, 2)
}

/** A format of a file: what its chat templates can do, or its settings. */
function showFile(read: ReadFormat, path: string, { json, roles }: { json: boolean; roles: boolean }): void {
  printWarnings(read.notes)
  if (read.kind === 'templates') (roles ? showRoles : showTemplates)(read.templates, path, json)
  else if (roles) throw noTemplate(path)
  else process.stdout.write(`${stringify(read.settings)}\n`)
}

/** Shows the capabilities of the chat templates of a file or folder, found by rendering small chats. */
function showTemplates(
  { templates, specialTokens, responseTemplate, hasResponseSchema, notes = [] }: LoadedChatTemplate,
  path: string,
  json: boolean,
): void {
  if (Object.keys(templates).length === 0)
    throw new PromptError('no-template', {
      where: path,
      problem: 'no chat template found',
      fix: 'use the file of a chat model, or a .jinja file',
    })
  const found = Object.entries(templates).map(([name, template]) => {
    const format = chatTemplateFormat(template, { where: path, specialTokens, compile: isolatedTemplate })
    return {
      name,
      ...format.capabilities,
      ...contentsOf(format.contents),
      ...repliesOf(format, responseTemplate),
      ...responseOf(format, responseTemplate),
      ...(hasResponseSchema && { responseSchema: schemaUnread }),
    }
  })
  if (json) {
    process.stdout.write(`${JSON.stringify({ path, specialTokens, templates: found, ...(notes.length > 0 ? { notes } : {}) }, null, 2)}\n`)
    return
  }
  for (const { name, markers, ...capabilities } of found) {
    const rows = Object.entries({ ...capabilities, markers: markers.join(' ') })
    printReport(`${printable(name)}\n${table(rows.map(([key, value]) => [`  ${key}`, printable(cell(value))]))}`)
  }
  for (const { text } of notes) printReport(`note: ${printable(text)}`)
}

function noTemplate(name: string | undefined): PromptError {
  return new PromptError('no-template', {
    where: '--roles',
    problem: name === undefined ? 'no template is named' : `${name} has no chat template, whose roles could be probed`,
    fix: 'name the file of a chat model, a .jinja file or a model of a hub',
  })
}

const fates = { written: 'written', 'left-out': 'left out', repeated: 'tools twice', refused: 'refused' } as const

/** Shows what each chat template does with roles and their places, and the steps with which `roles: auto` writes the same. */
function showRoles({ templates, specialTokens }: LoadedChatTemplate, path: string, json: boolean): void {
  const found = Object.entries(templates).map(([name, template]) => {
    const format = chatTemplateFormat(template, { where: path, specialTokens, compile: isolatedTemplate, roles: rolesPolicy('auto') })
    const { roles: probe } = format
    const roles = probe()
    const { declarations, describesParameters, labelsResults } = roles
    const form = roles.callForm(true)
    const facts = { tools: declarations > 0, parameterDescriptions: describesParameters, idsBesideResults: labelsResults }
    const calls = { callIds: form?.ids ?? 'none', callArguments: form?.arguments ?? 'none' }
    return { name, rows: rolesTable(format), ...facts, ...calls, ...contentsOf(format.contents) }
  })
  if (json) return void process.stdout.write(`${stringify({ path, templates: found })}\n`)
  for (const { name, rows, ...facts } of found) {
    const cells = rows.map(({ group, what, template, auto }) => [
      `  ${group}`,
      what,
      fates[template],
      auto.length === 0 ? '' : auto.join(', '),
    ])
    const more = Object.entries(facts).map(([key, value]) => `  ${key}: ${typeof value === 'string' ? value : cell(value)}`)
    const head = ['  role', 'place', 'template', 'with roles: auto']
    printReport(`${printable(name)}\n${table([head, ...cells])}\n${more.join('\n')}`)
  }
}

/** What the template takes as content: strings, parts of text, and which shapes of media, each found by a separate probe. */
function contentsOf(contents: TemplateContents): Record<string, string> {
  const roles = (form: 'string' | 'parts') => contentRoles.filter((role) => contents.text(role, form) === 'shown').join(' ')
  const media = Object.keys(mediaShapes).map((shape) => [shape, contents.media('user', shape)] as const)
  const written = media.flatMap(([shape, { fate, placeholder }]) => (fate === 'shown' ? [`${shape} → ${placeholder}`] : []))
  const known = new Set(media.flatMap(([shape, { fate }]) => (fate === 'shown' ? [mediaShapes[shape]!.kind] : [])))
  const others = (fate: ContentFate) =>
    media.filter(([shape, found]) => found.fate === fate && known.has(mediaShapes[shape]!.kind)).map(([shape]) => shape)
  return {
    takesStrings: roles('string'),
    takesParts: roles('parts'),
    media: written.join(', '),
    ...(others('dropped').length === 0 ? {} : { mediaDropped: others('dropped').join(', ') }),
    ...(others('rejected').length === 0 ? {} : { mediaRejected: others('rejected').join(', ') }),
  }
}

/** The reply syntax: its markers, how it was found, and whether parsing what the template renders confirmed it. */
function repliesOf(format: Format, template: object | undefined): Record<string, string | boolean> {
  const { syntax, how, proven, notes, example, history } = findSyntax(format, readableSyntax(template))
  const reasoning = (syntax.reasoning ?? []).map(({ open, close }) => `${open}…${close}`)
  const marks = syntax.blocks.map(({ open, close = '' }) => `${open.join('')}…${close}`)
  return {
    replies: syntax.name,
    repliesKnown: how,
    repliesProven: proven,
    ...(reasoning.length > 0 ? { reasoning: reasoning.join(' ') } : {}),
    ...(history === undefined ? {} : { earlierReasoning: history }),
    ...(history === undefined || format.earlierThoughts?.keptBy === undefined
      ? {}
      : { earlierReasoningKeptBy: JSON.stringify(format.earlierThoughts.keptBy) }),
    ...(marks.length > 0 ? { calls: marks.join(' ') } : {}),
    ...(example === undefined ? {} : { exampleCall: example }),
    ...(notes.length > 0 ? { repliesNote: notes.join('; ') } : {}),
  }
}

/** The reading of a model's own response template, if it can be used. */
function readableSyntax(template: object | undefined): ReplySyntax | undefined {
  try {
    return template && responseSyntax(template)
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

const schemaUnread = 'not read: transformers ignores it since response_template exists, and Rolecall never executes it'

/** What the model's own response template makes of the replies that its chat template writes. */
function responseOf(format: Format, template: object | undefined): { responseTemplate?: string } {
  if (template === undefined) return {}
  try {
    const derived = checkResponseTemplate(format, readResponseTemplate(template))
    if (derived.kind === 'refused') return { responseTemplate: `not checked: ${derived.construct}` }
    const wrong = derived.trials.filter(({ isSame }) => !isSame)
    const count = `reads ${derived.trials.length - wrong.length} of ${derived.trials.length} replies as the derived syntax does`
    return { responseTemplate: wrong.length === 0 ? count : `${count}; others: ${wrong.map(({ probe }) => probe).join(', ')}` }
  } catch (error) {
    if (error instanceof PromptError) return { responseTemplate: `refused: ${error.message}` }
    throw error
  }
}

function cell(value: string | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : JSON.stringify(value)
}

/** Aligned columns; wide characters count as two. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column]!))))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(widths[column]! - stringWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
