import { limits } from '@rolecall/core/internal/errors'
import { Command, Option } from 'commander'
import { formatWords } from '../../node/formats/read-format.ts'
import { ownVersion } from '../../node/own-files.ts'
import { limitTemplateTime } from '../../node/templates/isolated-template.ts'
import { isAtLeast, type Severity, severities } from '../../workbench/lint/finding.ts'
import { lintRules } from '../../workbench/lint/lint-rules.ts'
import { checkRuleNames } from '../../workbench/lint/lint-settings.ts'
import { asSarif } from '../../workbench/lint/sarif.ts'
import { exitCodes, exitHelp, setExitCode } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { ownCommand } from '../screen/own-command.ts'
import { printNext, printScreen } from '../screen/print-screen.ts'
import { lintAll } from './lint-all.ts'
import { findingsScreen, nextAfterLint, rulesScreen } from './show-findings.ts'

type Options = { rule?: string[]; failOn: Severity | 'never'; limit: number; list: boolean; full: boolean; json: boolean; sarif: boolean }

export const lintCommand = new Command('lint')
  .description('check chat templates and configs: what is dropped, altered, rewritten or inconsistent')
  .argument('[what...]', `a format: ${formatWords}; or a config (default: the nearest rolecall.config.ts, .js, .json or .yaml)`)
  .option('--rule <ids...>', 'only these rules; --list shows them')
  .addOption(
    new Option('--fail-on <severity>', `exit with code ${exitCodes['check-failed'].code} if anything at least this severe is found`)
      .choices([...severities, 'never'])
      .default('error'),
  )
  .option('--limit <rows>', 'number of rows to check per dataset', Number, 50)
  .option('--full', 'show whole prompts, not only the part a finding is about', false)
  .option('--list', 'list the rules', false)
  .option('--json', 'print findings as JSON', false)
  .option('--sarif', 'print findings as SARIF 2.1.0, for code hosts', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall lint chat_template.jinja
  rolecall lint ~/models/qwen3                     the template with its tokenizer's files: BOS, stops
  rolecall lint model.gguf --rule prefix-cache
  rolecall lint --fail-on warning                  the config in this folder: its models' templates and its datasets
  rolecall lint templates/*.jinja --sarif > lint.sarif

A template is judged by what it renders for small conversations. {# rolecall-ignore RULE #} in a template, and
lint: { rules: { RULE: off } } in a config, silence a rule. All rules are described in docs/workbench.md.
${exitHelp({ refused: 'when something cannot be read', 'check-failed': 'when --fail-on applies' })}`,
  )
  .action(async (what: string[], { rule: only, failOn, limit, list, full, json, sarif }: Options) => {
    limitTemplateTime(limits.commandTemplateSeconds)
    if (list) {
      if (json) process.stdout.write(`${JSON.stringify(lintRules.map(asText), null, 2)}\n`)
      else printScreen(rulesScreen(lintRules))
      return
    }
    if (only)
      checkRuleNames(
        only,
        lintRules.map(({ id }) => id),
        '--rule',
      )
    const { findings, ignored } = await lintAll(what, { limit, ...(only ? { only } : {}) })
    const severe = findings.filter(({ severity }) => failOn !== 'never' && isAtLeast(severity, failOn)).length
    const failure =
      severe === 0
        ? undefined
        : {
            code: 'findings',
            where: `--fail-on ${failOn}`,
            problem: `${severe} ${severe === 1 ? 'finding is' : 'findings are'} at least this severe`,
            exit_code: exitCodes['check-failed'].code,
          }
    if (sarif) process.stdout.write(`${JSON.stringify(asSarif(findings, ownVersion()), null, 2)}\n`)
    else if (json) printJson({ findings, ignored }, failure)
    else {
      printScreen(findingsScreen(findings, ignored, { full, checked: what.join(', ') || 'this config' }))
      if (!full) printNext(nextAfterLint(findings, what, ownCommand()))
    }
    setExitCode(failure)
  })

/** A rule without its functions. */
function asText({ id, severity, finds, why, fix }: (typeof lintRules)[number]): object {
  return { id, severity, finds, why, fix }
}
