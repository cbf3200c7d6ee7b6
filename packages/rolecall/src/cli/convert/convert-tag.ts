import { readFileSync, writeFileSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import { proveStructuralTag, type StructuralTagRequest, type StructuralTagTrial, structuralTag } from '@rolecall/core/internal/reply'
import { exitCodes, setExitCode } from '../exit-codes.ts'
import { printReport } from '../screen/print-screen.ts'

type Options = {
  out?: string
  tools?: string
  toolChoice: string
  parallel: boolean
  reasoning?: true | 'opened'
  proof: boolean
  json: boolean
}

/** `convert --to structural-tag`: what a format's replies may be, with these tools, proven on what its chat template writes. */
export function convertTag({ name, format }: { name: string; format: Format }, options: Options): void {
  const { out, tools, toolChoice, parallel, reasoning, proof, json } = options
  if (tools === undefined)
    throw new PromptError('missing-option', {
      where: '--to structural-tag',
      problem: 'the tools whose calls it allows are missing',
      fix: 'add --tools tools.json, a list of {"type": "function", "function": {"name": …, "parameters": …}}',
    })
  const choice = toolChoice === 'auto' || toolChoice === 'required' || toolChoice === 'none' ? toolChoice : { name: toolChoice }
  const request: StructuralTagRequest = { tools: readTools(tools), choice, parallel, ...(reasoning && { reasoning }) }
  const tag = structuralTag(format, request)
  const trials = proveStructuralTag(format)
  const failed = trials.filter(({ isAccepted, accepted }) => !isAccepted || accepted.length > 0)
  const output = `${JSON.stringify(tag, null, 2)}\n`
  if (out !== undefined) writeFileSync(out, output)
  if (failed.length > 0) setExitCode({ exit_code: exitCodes['check-failed'].code })
  if (json) {
    process.stdout.write(`${JSON.stringify({ target: 'structural-tag', output: tag, proven: failed.length === 0, trials }, null, 2)}\n`)
    return
  }
  if (out === undefined && !proof) process.stdout.write(output)
  printReport(report(name, trials, failed), proof ? process.stdout : process.stderr)
}

function report(name: string, trials: readonly StructuralTagTrial[], failed: readonly StructuralTagTrial[]): string {
  const accepted = trials.filter(({ isAccepted }) => isAccepted).length
  const lines = [
    `${name} → structural tag: ${accepted} of ${trials.length} replies with calls that the chat template writes are accepted, and their mutations are ${failed.every((trial) => trial.accepted.length === 0) ? 'refused' : 'not all refused'}`,
  ]
  for (const { probe, reply, isAccepted, accepted: mutations } of failed) {
    if (!isAccepted) lines.push(`  not accepted  ${probe}: ${JSON.stringify(reply.length > 160 ? `${reply.slice(0, 160)}…` : reply)}`)
    for (const mutation of mutations.slice(0, 3)) lines.push(`  not refused   ${probe}: ${JSON.stringify(mutation)}`)
  }
  lines.push('  use     send it as "structural_tag" of xgrammar, or as response_format to a server that takes it (vLLM, SGLang)')
  return lines.join('\n')
}

function readTools(path: string): readonly unknown[] {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw badTools(path, `cannot be read as JSON: ${(error as Error).message}`)
  }
  const tools = typeof json === 'object' && json !== null && 'tools' in json ? json.tools : json
  if (Array.isArray(tools)) return tools
  throw badTools(path, 'there is no list of tools')
}

function badTools(path: string, problem: string): PromptError {
  return new PromptError('bad-tools', {
    where: path,
    problem,
    fix: 'give a JSON list of tools in the shape of OpenAI, or a request that has "tools"',
  })
}
