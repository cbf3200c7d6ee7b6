import { existsSync } from 'node:fs'
import { Command } from 'commander'
import stringWidth from 'string-width'
import { suggestName } from '../config/nearest.ts'
import { chatTemplateFormat } from '../format/chat-template/chat-template-format.ts'
import { presets } from '../format/presets/index.ts'
import { loadChatTemplate } from '../node/load-chat-template.ts'
import { PromptError } from '../prompt-error.ts'
import { printable } from './terminal.ts'

export const formatsCommand = new Command('formats')
  .description('list the shipped formats, or print one')
  .argument('[name]', "a format, or the path of a chat template: a model's folder, tokenizer_config.json, .jinja or .gguf file")
  .option('--json', 'print as JSON', false)
  .addHelpText(
    'after',
    '\nExamples:\n  rolecall formats\n  rolecall formats chatml --json\n  rolecall formats ./tokenizer_config.json      what a chat template can do',
  )
  .action((name: string | undefined, { json }: { json: boolean }) => {
    if (name === undefined) {
      process.stdout.write(
        json
          ? `${JSON.stringify(presets, null, 2)}\n`
          : `${table(Object.entries(presets).map(([key, { description, origin }]) => [key, description, origin]))}\n`,
      )
      return
    }
    if (!Object.hasOwn(presets, name) && existsSync(name)) {
      showTemplates(name, json)
      return
    }
    const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
    if (!preset)
      throw new PromptError('unknown-format', {
        where: name,
        problem: 'there is no such format',
        fix: suggestName(name, Object.keys(presets)),
      })
    process.stdout.write(`${JSON.stringify(json ? preset : (preset.meta_template ?? {}), null, 2)}\n`)
  })

/** What every chat template of a file or folder can do, found by rendering small chats. */
function showTemplates(path: string, json: boolean): void {
  const { templates, specialTokens } = loadChatTemplate(path)
  const found = Object.entries(templates).map(([name, template]) => ({
    name,
    ...chatTemplateFormat(template, { where: path, specialTokens }).capabilities,
  }))
  if (json) {
    process.stdout.write(`${JSON.stringify({ path, specialTokens, templates: found }, null, 2)}\n`)
    return
  }
  for (const { name, markers, ...capabilities } of found) {
    const rows = Object.entries({ ...capabilities, markers: markers.join(' ') })
    process.stdout.write(`${printable(name)}\n${table(rows.map(([key, value]) => [`  ${key}`, printable(shown(value))]))}\n`)
  }
}

function shown(value: string | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : JSON.stringify(value)
}

/** Columns that align, counting wide characters as two. */
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
