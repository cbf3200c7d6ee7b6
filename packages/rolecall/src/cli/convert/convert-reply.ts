import { readFileSync, writeFileSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import { checkResponseTemplate, deriveResponseTemplate, type ResponseTrial } from '@rolecall/core/internal/reply'
import { exitCodes, setExitCode } from '../exit-codes.ts'
import { printReport } from '../screen/print-screen.ts'

type Options = { out?: string; check?: string; proof: boolean; json: boolean }

/** `convert --to response-template`: writes how a format's replies are read, or proves somebody else's reading (`--check`). */
export function convertReply({ name, format }: { name: string; format: Format }, { out, check, proof, json }: Options): void {
  const derived = check === undefined ? deriveResponseTemplate(format) : checkResponseTemplate(format, readTemplate(check))
  if (derived.kind === 'refused')
    throw new PromptError('not-expressible', {
      where: name,
      problem: `a response template cannot express its replies: ${derived.construct}`,
      fix: 'read its replies with parseReply, which can',
    })
  const { template, trials } = derived
  const failed = trials.filter(({ isSame }) => !isSame)
  const output = `${JSON.stringify(template, null, 2)}\n`
  if (out !== undefined) writeFileSync(out, output)
  if (failed.length > 0) setExitCode({ exit_code: exitCodes['check-failed'].code })
  if (json) {
    process.stdout.write(
      `${JSON.stringify({ target: 'response-template', output: template, proven: failed.length === 0, trials }, null, 2)}\n`,
    )
    return
  }
  if (out === undefined && check === undefined && !proof) process.stdout.write(output)
  printReport(report(check ?? name, trials, failed), proof || check !== undefined ? process.stdout : process.stderr)
}

function report(name: string, trials: readonly ResponseTrial[], failed: readonly ResponseTrial[]): string {
  const read = trials.filter(({ isSame }) => isSame).map(({ probe }) => probe)
  const lines = [
    `${name} → response template: ${read.length} of ${trials.length} replies that the chat template writes are read as Rolecall reads them`,
  ]
  if (read.length > 0) lines.push(`  proven  ${read.join(', ')}`)
  for (const { probe, reply, difference } of failed)
    lines.push(
      `  differs ${probe}: ${difference}`,
      `          in ${JSON.stringify(reply.length > 160 ? `${reply.slice(0, 160)}…` : reply)}`,
    )
  if (failed.length === 0) lines.push('  use     write it as "response_template" in tokenizer_config.json')
  return lines.join('\n')
}

/** A response template, or the tokenizer_config.json that has it. */
function readTemplate(path: string): object {
  const refusal = (problem: string) =>
    new PromptError('response-template', {
      where: path,
      problem,
      fix: 'give a JSON file with a response template, or a tokenizer_config.json that has one',
    })
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw refusal(`cannot be read as JSON: ${(error as Error).message}`)
  }
  if (typeof json !== 'object' || json === null) throw refusal('it is no object')
  if ('fields' in json) return json
  const inside = 'response_template' in json ? json.response_template : undefined
  if (typeof inside === 'object' && inside !== null) return inside
  throw refusal(
    'response_schema' in json
      ? 'it has a response_schema, which transformers no longer reads, and no response_template'
      : 'it has no response_template',
  )
}
