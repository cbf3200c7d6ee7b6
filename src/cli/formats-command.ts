import { Command } from 'commander'
import stringWidth from 'string-width'
import { suggestName } from '../config/nearest.ts'
import { presets } from '../format/presets/index.ts'
import { PromptError } from '../prompt-error.ts'

export const formatsCommand = new Command('formats')
  .description('list the shipped formats, or print one')
  .argument('[name]', 'a format')
  .option('--json', 'print as JSON', false)
  .addHelpText('after', '\nExamples:\n  rolecall formats\n  rolecall formats chatml --json')
  .action((name: string | undefined, { json }: { json: boolean }) => {
    if (name === undefined) {
      process.stdout.write(
        json
          ? `${JSON.stringify(presets, null, 2)}\n`
          : `${table(Object.entries(presets).map(([key, { description, origin }]) => [key, description, origin]))}\n`,
      )
      return
    }
    const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
    if (!preset)
      throw new PromptError('unknown-format', {
        where: name,
        problem: 'there is no such format',
        fix: suggestName(name, Object.keys(presets)),
      })
    process.stdout.write(`${JSON.stringify(json ? preset : (preset.meta_template ?? preset.internlm2 ?? {}), null, 2)}\n`)
  })

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
