import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { isFormat, readFormat } from '../../node/formats/read-format.ts'
import { shownHubPath } from '../../node/hub/hub-name.ts'
import type { LoadedChatTemplate } from '../../node/models/load-chat-template.ts'
import { tokenizerFacts } from '../../node/models/tokenizer-facts.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import { convertFormat } from '../../workbench/convert/index.ts'
import type { Finding } from '../../workbench/lint/finding.ts'
import type { Linted } from '../../workbench/lint/lint-settings.ts'
import { lintTemplate } from '../../workbench/lint/lint-template.ts'
import { type ConversionSource, sourceOf } from '../convert/read-source.ts'
import { printWarnings } from '../terminal.ts'
import { type LintOptions, lintConfigFile } from './lint-config.ts'

/** Checks templates and configs; without arguments, the config in this folder. */
export async function lintAll(what: readonly string[], options: LintOptions): Promise<Linted> {
  const linted: Linted[] = []
  for (const one of what.length === 0 ? [undefined] : what)
    linted.push(one !== undefined && isTemplate(one) ? lintFormat(one, options) : await lintConfigFile(one, options))
  return {
    findings: linted.flatMap(({ findings }) => findings),
    ignored: linted.flatMap(({ ignored }): Finding[] => ignored),
  }
}

/** Whether an argument is a format; another file is read as a config. */
function isTemplate(given: string): boolean {
  return isFormat(given) || !existsSync(given)
}

/** Checks a format: the chat templates of a model, or what another kind of format is as a chat template. */
function lintFormat(given: string, options: LintOptions): Linted {
  const read = readFormat(given, { where: given })
  printWarnings(read.notes)
  return read.kind === 'templates' ? lintTemplates(given, read.templates, options) : lintConverted(sourceOf(read), given, options)
}

function lintConverted({ format, name, isOllama, own }: ConversionSource, where: string, options: LintOptions): Linted {
  const compile = isolatedTemplate
  try {
    const { output } = convertFormat(format, 'jinja', { name, approximate: false, compile, isOllama, own })
    return lintTemplate({ name: `${where} (as a chat template)`, source: output, compile }, options)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    throw new PromptError('no-template', {
      where,
      problem: `only chat templates are checked, and as one this format cannot be written: ${error.problem}`,
      fix: 'convert it with `rolecall convert --to jinja --approximate -o FILE`, which lists the losses, and check that file',
    })
  }
}

function lintTemplates(path: string, loaded: LoadedChatTemplate, options: LintOptions): Linted {
  const entries = Object.entries(loaded.templates)
  if (entries.length === 0)
    throw new PromptError('no-template', {
      where: path,
      problem: 'no chat template found',
      fix: 'use the file of a chat model, or a .jinja file',
    })
  const facts = tokenizerFacts(path, loaded)
  const shown = shownHubPath(loaded.file)
  const name = shown === loaded.file ? relative(process.cwd(), loaded.file) || loaded.file : shown
  const isAlone = /\.(?:jinja2?|j2)$/.test(loaded.file)
  const linted = entries.map(([template, source]) => {
    const part = isAlone && template === 'default' ? {} : { part: template === 'default' ? 'chat_template' : `chat_template ${template}` }
    const own = template === 'default' ? facts : { ...facts, hasToolTemplate: false }
    return lintTemplate({ ...own, ...part, name, source, compile: isolatedTemplate }, options)
  })
  return { findings: linted.flatMap(({ findings }) => findings), ignored: linted.flatMap(({ ignored }) => ignored) }
}
