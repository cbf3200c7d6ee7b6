import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { limits } from '../packages/core/src/base/errors/limits.ts'
import { families } from '../packages/core/src/reply/families/families.ts'
import { type FamilyName, replySyntaxes } from '../packages/core/src/reply/families/reply-syntaxes.ts'
import type { ReplySyntax } from '../packages/core/src/reply/syntax.ts'
import { type ExitName, exitCodes } from '../packages/rolecall/src/cli/exit-codes.ts'
import { datasetPresets } from '../packages/rolecall/src/compat/benchmarks/index.ts'
import { loaders } from '../packages/rolecall/src/compat/opencompass/loaders/index.ts'
import { type ModelClasses, modelClasses } from '../packages/rolecall/src/compat/opencompass/model-classes.ts'
import { unavailable } from '../packages/rolecall/src/compat/opencompass/unavailable-names.ts'
import { exampleQuestion, exampleTexts } from '../packages/rolecall/src/evaluation/dataset/retrieve/example-rows.ts'
import { retrievers } from '../packages/rolecall/src/evaluation/dataset/retrieve/retrievers.ts'
import { rowFormats } from '../packages/rolecall/src/evaluation/dataset/row-formats/index.ts'
import { evaluators } from '../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import { judgePostprocessors } from '../packages/rolecall/src/evaluation/score/postprocess/judge-postprocessors.ts'
import { postprocessors } from '../packages/rolecall/src/evaluation/score/postprocess/postprocessors.ts'
import type { FormatSource } from '../packages/rolecall/src/node/formats/format-source.ts'
import { formatSources } from '../packages/rolecall/src/node/formats/format-sources.ts'
import { sandboxLimitsSchema } from '../packages/rolecall/src/node/interpreters/python/sandbox-limits.ts'
import { chatRequest } from '../packages/rolecall/src/server/chat/chat-request.ts'
import { completionRequest } from '../packages/rolecall/src/server/completions/completion-request.ts'
import { messagesRequest } from '../packages/rolecall/src/server/messages/messages-request.ts'
import { rowRequest } from '../packages/rolecall/src/server/render/render-request.ts'
import { responsesRequest } from '../packages/rolecall/src/server/responses/responses-request.ts'
import { lintRules } from '../packages/rolecall/src/workbench/lint/lint-rules.ts'
import { countsTable, readCounts } from '../proof/conformance/counts.ts'
import type { Rule } from '../proof/conformance/rule.ts'
import { internlm2Rules } from '../proof/conformance/rules/internlm2.ts'
import { lmEvalRules } from '../proof/conformance/rules/lm-eval.ts'
import { mlcRules } from '../proof/conformance/rules/mlc.ts'
import { type OpenCompassRule, opencompassRules } from '../proof/conformance/rules/opencompass.ts'
import { codeRules, familyRules, serverRules } from '../proof/conformance/rules/replies.ts'
import { responseRules } from '../proof/conformance/rules/response-templates.ts'
import { scoringRules } from '../proof/conformance/rules/scoring.ts'
import { trainingRules } from '../proof/conformance/rules/training.ts'
import { webLlmRules } from '../proof/conformance/rules/web-llm.ts'
import { entryPointTable } from '../proof/testing/bundle-sizes.ts'
import { clients } from '../proof/testing/clients/index.ts'
import { rooms } from '../proof/testing/storeys.ts'
import { exitCodeInChinese, modelClassInChinese, rowFormatInChinese } from './chinese-tables.ts'
import { documentPage } from './documents.ts'
import { limitDescriptions } from './limit-descriptions.ts'
import { notesTable } from './notes-table.ts'
import { openCompassTable } from './opencompass-configs.ts'
import { configJsonSchema, limitsTable, optionTables, requestTable } from './option-tables.ts'
import { outputSchema, outputs, outputTables } from './output-schemas.ts'
import { samplingTable } from './sampling-table.ts'
import { chineseWords, evaluatorExample, judgeExample, postprocessorExample, retrieverExample } from './show-examples.ts'
import { knownNames } from './strict-schema.ts'

/** What stands between `<!-- generated: NAME -->` and `<!-- end -->` in the pages of this folder. */
const blocks: Record<string, () => string> = {
  options: optionTables,
  outputs: outputTables,
  fidelity: () =>
    `${rulesOfKind('promise', 'Where a document promises what the reference fails to do')}\n\n${rulesOfKind('quirk', 'Where the reference renders something else')}`,
  'internlm2-fidelity': () => ruleSections(internlm2Rules, 'The reference'),
  postprocessors: () => namesTable(postprocessors, ({ example }) => postprocessorExample(example)),
  'judge-postprocessors': () => namesTable(judgePostprocessors, ({ example }) => judgeExample(example)),
  evaluators: () => namesTable(evaluators, ({ example }) => evaluatorExample(example)),
  'postprocessors-zh': () => chineseNamesTable(postprocessors, ({ example }) => postprocessorExample(example)),
  'judge-postprocessors-zh': () => chineseNamesTable(judgePostprocessors, ({ example }) => judgeExample(example, chineseWords)),
  'evaluators-zh': () => chineseNamesTable(evaluators, ({ example }) => evaluatorExample(example, chineseWords)),
  'foreign-models': () => modelClassTable('| class | its prompts | it runs |', (one) => one),
  'opencompass-refused': () => refusedTable('| needs | classes |'),
  'opencompass-refused-zh': () => refusedTable('| 需要（英文） | 类 |'),
  'foreign-models-zh': () => modelClassTable('| 类 | prompt | 怎样运行 |', modelClassInChinese),
  retrievers: retrieverTable,
  'reply-families': familyTable,
  presets: presetTable,
  clients: () =>
    [
      '| client | how | structured output |',
      '|---|---|---|',
      ...clients.map(({ name, how, structured }) => `| ${name} | ${how} | ${structured} |`),
    ].join('\n'),
  loaders: loaderTable,
  'opencompass-configs': () => openCompassTable('en'),
  'opencompass-configs-zh': () => openCompassTable('zh'),
  'row-formats': () => rowFormatTable('| name | rows | columns |', (name) => rowFormats[name]!.does),
  'row-formats-zh': () => rowFormatTable('| 名字 | 数据 | 列 |', rowFormatInChinese),
  'fidelity-scoring': () => ruleSections(scoringRules, 'The reference'),
  'fidelity-replies': () => ruleSections({ ...serverRules, ...codeRules, ...familyRules }, 'The references'),
  'fidelity-responses': () => ruleSections(responseRules, 'transformers'),
  'fidelity-lm-eval': () => ruleSections(lmEvalRules, 'lm-evaluation-harness'),
  'chat-request': () => requestTable(chatRequest),
  'messages-request': () => requestTable(messagesRequest),
  'responses-request': () => requestTable(responsesRequest),
  'completion-request': () => requestTable(completionRequest),
  'render-request': () => requestTable(rowRequest),
  'format-sources': formatSourceTable,
  'exit-codes': () => exitCodeTable('| exit code | name | meaning |', (name) => exitCodes[name].means),
  'exit-codes-zh': () => exitCodeTable('| 退出码 | 名称 | 含义 |', exitCodeInChinese),
  limits: () =>
    [
      '| what is bounded | by | beyond it |',
      '| --- | --- | --- |',
      ...Object.entries(limitDescriptions).map(
        ([name, { unit, bounds, beyond }]) =>
          `| ${bounds} | ${limits[name as keyof typeof limits].toLocaleString('en-US')} ${unit} | ${beyond} |`,
      ),
    ].join('\n'),
  'lint-rules': () =>
    lintRules
      .map(({ id, severity, finds, why, fix }) => `#### ${id}\n\n${finds} (${severity})\n\n- Why: ${why}\n- Fix: ${fix}`)
      .join('\n\n'),
  notes: () => notesTable('en'),
  'notes-zh': () => notesTable('zh'),
  'entry-points': entryPointTable,
  sampling: () => samplingTable('en'),
  'sampling-zh': () => samplingTable('zh'),
  'sandbox-limits': () => limitsTable(sandboxLimitsSchema),
  documents: documentPage,
  conformance: () => countsTable(readCounts()),
  'fidelity-web-llm': () => ruleSections(webLlmRules, 'WebLLM'),
  'fidelity-training': () => ruleSections(trainingRules, 'transformers'),
  'fidelity-mlc': () => ruleSections(mlcRules, 'MLC', 'The document'),
}

function formatSourceTable(): string {
  const sources: readonly FormatSource[] = formatSources
  const rows = sources.map(({ what, flag }) => `| ${what} | ${flag ? `\`${flag.name}\`` : ''} |`)
  return ['| FORMAT | a flag that takes only this |', '| --- | --- |', ...rows].join('\n')
}

function exitCodeTable(heading: string, meaningOf: (name: ExitName) => string): string {
  const rows = Object.entries(exitCodes).map(([name, { code }]) => `| ${code} | ${name} | ${meaningOf(name as ExitName)} |`)
  return [heading, '| --- | --- | --- |', ...rows].join('\n')
}

/** Dataset classes of OpenCompass; those that are read alike share a line. */
function loaderTable(): string {
  const alike = new Map<string, string[]>()
  for (const [name, { reads, takes }] of Object.entries(loaders).sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))) {
    const settings = takes.filter((one) => one !== 'path' && one !== '*').map((one) => (one.endsWith('?') ? `[${one.slice(0, -1)}]` : one))
    const key = `${reads.replaceAll('|', '\\|')} | ${settings.map((one) => `\`${one}\``).join(' ')}`
    alike.set(key, [...(alike.get(key) ?? []), name])
  }
  return [
    `${Object.keys(loaders).length} classes:`,
    '',
    '| class | contents of `path` | further settings, those in brackets optional |',
    '| --- | --- | --- |',
    ...[...alike].map(([rest, names]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${rest} |`),
  ].join('\n')
}

function presetTable(): string {
  const rows = datasetPresets.map(({ name, does, modes, shots, layouts }) => {
    const files = layouts.map(({ from, test, train }) => `\`${test}\`${train === undefined ? '' : `, \`${train}\``} (${from})`).join('<br>')
    return `| \`${name}\` | ${does} | ${modes.join(', ')} | ${shots} | ${files} |`
  })
  return ['| name | what it is | modes | examples | files |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

/** The families of replies: who writes so, a call, and the marks of thoughts. */
function familyTable(): string {
  const code = (text: string) => `\`${text.replaceAll('\n', '⏎').replaceAll('|', '\\|').replaceAll('`', "'")}\``
  const rows = Object.entries(families).map(([name, { models, example }]) => {
    const { reasoning = [], messages }: ReplySyntax = replySyntaxes[name as FamilyName]
    const thoughts = messages ? messages.thoughts : reasoning.map(({ open }) => open)
    return `| \`${name}\` | ${models} | ${example === undefined ? '–' : code(example)} | ${thoughts.map(code).join(' ') || '–'} |`
  })
  return ['| name | who writes so | a call | reasoning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function retrieverTable(): string {
  const rows = Object.values(retrievers).map(
    ({ name, does, options, example }) =>
      `| \`${name}\` | ${does} | ${options.map((option) => `\`${option}\``).join(', ')} | ${retrieverExample(example)} |`,
  )
  return [
    '| name | what it chooses | options | example |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    `The examples choose from these rows for "${exampleQuestion.text}", which is number ${exampleQuestion.number} of the questions:`,
    '',
    ...exampleTexts.map((text, number) => `- ${number}: ${text}`),
  ].join('\n')
}

function refusedTable(head: string): string {
  const lines = unavailable.map(({ needs, names }) => `| ${needs} | ${names.map((name) => `\`${name}\``).join(', ')} |`)
  return [head, '| --- | --- |', ...lines].join('\n')
}

function modelClassTable(headings: string, describe: (one: ModelClasses) => { prompts: string; runs: string }): string {
  const rows = modelClasses.map((one) => {
    const { prompts, runs } = describe(one)
    return `| ${codeList(one.classes)}${one.program === 'AISBench' ? ' (AISBench)' : ''} | ${prompts} | ${runs} |`
  })
  return [headings, '|---|---|---|', ...rows].join('\n')
}

function rowFormatTable(headings: string, describe: (name: string) => string): string {
  const rows = Object.entries(rowFormats).map(
    ([name, { columns }]) => `| \`${name}\` | ${describe(name)} | ${columns.map((column) => `\`${column}\``).join(', ')} |`,
  )
  return [headings, '| --- | --- | --- |', ...rows].join('\n')
}

/** Names with their options and a worked example; what they do is described in English. */
function chineseNamesTable<Definition extends Named>(
  entries: ReadonlyMap<string, Definition>,
  example: (definition: Definition) => string,
): string {
  const lines = sortedDefinitions(entries).map(
    (definition) => `| ${codeList(definition.names)} | ${optionsOf(definition)} | ${example(definition)} |`,
  )
  return ['| 名字 | 选项 | 例子 |', '| --- | --- | --- |', ...lines].join('\n')
}

type Named = { names: readonly string[]; does: string; options: unknown }

function sortedDefinitions<Definition extends Named>(entries: ReadonlyMap<string, Definition>): Definition[] {
  // The order in which modules list their exports depends on how they are loaded.
  return [...new Set(entries.values())].sort((a, b) => (a.names[0]!.toLowerCase() < b.names[0]!.toLowerCase() ? -1 : 1))
}

function optionsOf({ options }: Named): string {
  return codeList(Object.keys((options as { shape?: object }).shape ?? {}))
}

function codeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** Names with what they do, which options they take, and a worked example, as a table. */
function namesTable<Definition extends Named>(
  entries: ReadonlyMap<string, Definition>,
  example: (definition: Definition) => string,
): string {
  const inTable = (text: string) => text.replace(/[|]/g, '\\|').replace(/</g, '&lt;')
  const lines = sortedDefinitions(entries).map(
    (definition) => `| ${codeList(definition.names)} | ${inTable(definition.does)} | ${optionsOf(definition)} | ${example(definition)} |`,
  )
  return ['| name | what it does | options | example |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

type Page = { path: URL; current: string; generated: string }

/** The pages of this folder with their generated blocks as they should be, and the JSON Schema of configs. */
export function generatePages(): Page[] {
  return [
    ...generateBlocks(),
    ...generateFloorPlans(),
    generateSchema(),
    ...generateOutputSchemas(),
    generateNames(),
    generateTakenSettings(),
  ]
}

/** The names that editors complete and `defineConfig` checks: types cannot be made of lists that are filled when the code runs. */
function generateNames(): Page {
  const path = new URL('../packages/rolecall/src/evaluation/config/known-names.ts', import.meta.url)
  const types = Object.entries(knownNames).map(([name, { what, names }]) => {
    // Lines are filled: one name per line would be 400 lines that tell a reader no more.
    const lines = ['']
    for (const one of names) {
      if (`${lines.at(-1)} | '${one}'`.length > 138) lines.push('')
      lines.push(`${lines.pop()} | '${one}'`)
    }
    return `/** ${what} */\n// biome-ignore format: generated\nexport type ${name} =\n${lines.map((line) => ` ${line}`).join('\n')}\n`
  })
  const generated = `// Written by \`npm run docs\` from the registries.\n\n${types.join('\n')}`
  return { path, current: existsSync(path) ? readFileSync(path, 'utf8') : '', generated }
}

/** Which settings each dataset class takes: a config is checked without loading them all. */
function generateTakenSettings(): Page {
  const path = new URL('../packages/rolecall/src/compat/opencompass/loaders/taken-settings.ts', import.meta.url)
  // In the order of the loaders: of two that are spelt alike, the first is found.
  const lines: string[] = []
  for (const [name, { takes }] of Object.entries(loaders)) {
    const settings = `${takes.join(' ')}: `
    if (lines.at(-1)?.startsWith(settings)) lines.push(`${lines.pop()} ${name}`)
    else lines.push(settings + name)
  }
  const what = 'Settings of dataset classes (`?`: may be left out, `*`: any others, which are ignored), and the classes that take these.'
  const generated = `// Written by \`npm run docs\` from the loaders.\n\n/** ${what} */\nexport const takenSettings = \`\n${lines.join('\n')}\n\`\n`
  return { path, current: existsSync(path) ? readFileSync(path, 'utf8') : '', generated }
}

/** The storeys and their rooms, from top to bottom, in the pages that have a place for them. */
function generateFloorPlans(): Page[] {
  return ['../CONTRIBUTING.md', '../ARCHITECTURE.md'].flatMap((name) => {
    const path = new URL(name, import.meta.url)
    const current = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const generated = current.replace(
      /<!-- storeys -->[\s\S]*?<!-- \/storeys -->/,
      () => `<!-- storeys -->\n${storeyTable()}\n<!-- /storeys -->`,
    )
    return current === '' ? [] : [{ path, current, generated }]
  })
}

function storeyTable(): string {
  const rows = rooms.map(({ storey, room, holds, folder }) => `| \`${storey}/\` | [\`${room}/\`](${folder}) | ${holds} |`)
  return ['| storey | room | holds |', '| --- | --- | --- |', ...rows.reverse()].join('\n')
}

function generateOutputSchemas(): Page[] {
  return outputs.map((output) => {
    const path = new URL(`../packages/rolecall/schema/${output.name}.schema.json`, import.meta.url)
    return {
      path,
      current: existsSync(path) ? readFileSync(path, 'utf8') : '',
      generated: `${JSON.stringify(outputSchema(output), null, 2)}\n`,
    }
  })
}

function generateSchema(): Page {
  const path = new URL('../packages/rolecall/schema/rolecall.schema.json', import.meta.url)
  return {
    path,
    current: existsSync(path) ? readFileSync(path, 'utf8') : '',
    generated: `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  }
}

function generateBlocks(): Page[] {
  const pages = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.md'))
  return pages.map((name) => {
    const path = new URL(name, import.meta.url)
    const current = readFileSync(path, 'utf8')
    const generated = current.replace(/<!-- generated: (\S+) -->[\s\S]*?<!-- end -->/g, (_, block: string) => {
      const print = blocks[block]
      if (!print) throw new Error(`${name}: no generated block is called ${block} (there are: ${Object.keys(blocks).join(', ')})`)
      return `<!-- generated: ${block} -->\n\n${print()}\n\n<!-- end -->`
    })
    return { path, current, generated }
  })
}

function rulesOfKind(kind: OpenCompassRule['kind'], title: string): string {
  const rules = Object.entries<OpenCompassRule>(opencompassRules).filter(([, rule]) => rule.kind === kind)
  return `### ${title}\n\n${ruleSections(Object.fromEntries(rules), 'The reference', 'The documents')}`
}

function ruleSections(rules: Record<string, Rule>, reference: string, document = 'The document'): string {
  const section = ([name, rule]: [string, Rule]) => [
    `#### ${name}`,
    '',
    `- ${reference}: ${rule.reference}`,
    ...(rule.document === undefined ? [] : [`- ${document}: ${rule.document}`]),
    `- Rolecall: ${rule.rolecall}`,
  ]
  return Object.entries(rules)
    .map((entry) => section(entry).join('\n'))
    .join('\n\n')
}

if (process.argv.includes('--write')) for (const { path, generated } of generatePages()) writeFileSync(path, generated)
