import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { openConfig } from '../../node/config/open-config.ts'
import { tokenizerFacts } from '../../node/models/tokenizer-facts.ts'
import { noteRow } from '../../node/notes/all-notes.ts'
import { examineDataset } from '../../node/runs/data-notes.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import type { Finding } from '../../workbench/lint/finding.ts'
import { lintDataset } from '../../workbench/lint/lint-dataset.ts'
import { lintRules } from '../../workbench/lint/lint-rules.ts'
import { checkRuleNames, type Linted, type LintSettings } from '../../workbench/lint/lint-settings.ts'
import { lintTemplate } from '../../workbench/lint/lint-template.ts'
import type { TokenizerFacts } from '../../workbench/lint/template-subject.ts'
import { askedRows } from './asked-rows.ts'

export type LintOptions = LintSettings & {
  /** Rows to check per dataset. */
  limit: number
}

/** Checks the models and datasets of a config. */
export async function lintConfigFile(path: string | undefined, options: LintOptions): Promise<Linted> {
  const opened = await openConfig(path, {})
  if (opened === undefined)
    throw new PromptError('no-config', {
      where: process.cwd(),
      problem: 'nothing to check: no argument given, and no config in this folder',
      fix: 'give a template, a model folder or a config: `rolecall lint chat_template.jinja`',
    })
  const loaded = withGuardedTemplates(opened.loaded)
  const settings = { ...options, ...settingsOf(loaded) }
  const name = relative(process.cwd(), loaded.file) || loaded.file
  const notes: Note[] = []
  const linted = loaded.config.models.map((model, index): Linted => {
    const part = `models[${index}].chat_template`
    if (model.chat_template === undefined) {
      notes.push({
        code: 'no-template',
        where: `models[${index}]`,
        text: `${model.abbr ?? 'the model'} has no chat template; its format is not checked`,
      })
      return { findings: [], ignored: [] }
    }
    return lintTemplate(
      { name, part, source: model.chat_template, compile: isolatedTemplate, ...factsOf(model as ModelConfig, loaded.folder) },
      settings,
    )
  })
  const datasets: Linted[] = []
  for (const [index, dataset] of (loaded.config.datasets as DatasetConfig[]).entries()) {
    const place = `datasets[${index}]`
    const rows = await askedRows(dataset, loaded, options.limit)
    notes.push(...rows.notes)
    const examined = await examineDataset(dataset, loaded.folder, loaded.config.models[0] as ModelConfig | undefined)
    if (examined?.untested !== undefined && dataset.eval_cfg !== undefined)
      notes.push({ code: 'not-examined', where: `${place}.eval_cfg`, text: `gold answers are not tested as replies: ${examined.untested}` })
    datasets.push(lintDataset({ dataset, rows: rows.rows, examined }, { subject: name, part: dataset.abbr ?? place }, place, settings))
  }
  const all = [...linted, ...datasets]
  return {
    findings: [
      ...(options.only ? [] : configFindings(loaded, name)),
      ...all.flatMap(({ findings }) => findings),
      // Of the chosen rules, only what they could not check.
      ...notes.filter(({ code }) => !options.only || code === 'not-examined').map((note) => findingOf(note, name)),
    ],
    ignored: all.flatMap(({ ignored }) => ignored),
  }
}

/** What other commands warn about when they load the config. */
function configFindings({ config: { warnings, unused } }: LoadedConfig, subject: string): Finding[] {
  return [
    ...warnings.map((note) => findingOf(note, subject)),
    ...unused.map(({ where, why }) => findingOf({ code: 'unused-key', where, text: `it has no effect: ${why}` }, subject)),
  ]
}

/** A note as a finding, so that all findings are counted once; what could not be checked is worth knowing. */
function findingOf({ code, where = '', text }: Note, subject: string): Finding {
  const isUnchecked = code === 'not-examined' || code === 'no-template'
  return {
    rule: isUnchecked ? 'not-checked' : code,
    severity: noteRow(code)?.severity ?? 'warning',
    subject,
    place: { kind: 'config', path: where },
    problem: text,
    fix: isUnchecked ? 'nothing, if that is intended' : 'correct the config; `rolecall render` shows the effect',
  }
}

/** The rule settings of a config; unknown rules are an error. */
function settingsOf({ config, file }: LoadedConfig): LintSettings {
  const { rules } = config.lint ?? {}
  if (rules === undefined) return {}
  checkRuleNames(
    Object.keys(rules),
    lintRules.map(({ id }) => id),
    `${relative(process.cwd(), file)} › lint.rules`,
  )
  return { rules }
}

function factsOf(model: ModelConfig, folder: string): TokenizerFacts {
  const tokens = model.special_tokens ?? {}
  const path = typeof model.tokenizer_path === 'string' ? resolve(folder, model.tokenizer_path) : undefined
  const known = Object.keys(tokens).length === 0 ? {} : { tokens }
  if (path === undefined || !existsSync(path)) return known
  return { ...tokenizerFacts(path, { templates: {}, specialTokens: tokens, file: path }), ...known }
}
