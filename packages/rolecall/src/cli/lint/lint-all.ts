import { existsSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { shownHubPath } from '../../node/hub/hub-name.ts'
import { loadChatTemplate } from '../../node/models/load-chat-template.ts'
import { tokenizerFacts } from '../../node/models/tokenizer-facts.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import type { Finding } from '../../workbench/lint/finding.ts'
import type { Linted } from '../../workbench/lint/lint-settings.ts'
import { lintTemplate } from '../../workbench/lint/lint-template.ts'
import { type LintOptions, lintConfigFile } from './lint-config.ts'

/** Checks templates and configs; without arguments, the config in this folder. */
export async function lintAll(what: readonly string[], options: LintOptions): Promise<Linted> {
  const linted: Linted[] = []
  for (const one of what.length === 0 ? [undefined] : what)
    linted.push(one !== undefined && isTemplate(one) ? lintTemplateFile(one, options) : await lintConfigFile(one, options))
  return {
    findings: linted.flatMap(({ findings }) => findings),
    ignored: linted.flatMap(({ ignored }): Finding[] => ignored),
  }
}

/** Whether a path is a template; anything else is read as a config. */
function isTemplate(path: string): boolean {
  if (!existsSync(path))
    throw new PromptError('no-file', {
      where: path,
      problem: 'no such file or folder',
      fix: 'use a .jinja file, a model folder, tokenizer_config.json, a .gguf file or a config',
    })
  if (statSync(path).isDirectory()) return ['chat_template.jinja', 'tokenizer_config.json'].some((name) => existsSync(join(path, name)))
  return /\.(?:jinja2?|j2|gguf)$/.test(path) || basename(path) === 'tokenizer_config.json'
}

function lintTemplateFile(path: string, options: LintOptions): Linted {
  const loaded = loadChatTemplate(path)
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
