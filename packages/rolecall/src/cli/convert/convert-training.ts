import { writeFileSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import { type TrainingTwin, trainingTwin } from '../../workbench/training-twin/training-twin.ts'
import { printReport } from '../screen/print-screen.ts'
import type { ConversionSource } from './read-source.ts'

type Options = { out?: string; proof: boolean; json: boolean }

/** `convert --to training`: a chat template that marks what the model writes, for trainers, with the proof. */
export function convertTraining({ name, template }: ConversionSource, { out, proof, json }: Options): void {
  if (template === undefined)
    throw new PromptError('not-expressible', {
      where: name,
      problem: 'only a chat template has a training twin',
      fix: 'convert the format first: rolecall convert FORMAT --to jinja -o chat_template.jinja',
    })
  const tokens = Object.keys(template.specialTokens).length > 0 ? template.specialTokens : undefined
  const twin = trainingTwin(template.source, isolatedTemplate, { name, tokens })
  if (out !== undefined) writeFileSync(out, twin.source)
  if (json) {
    process.stdout.write(`${JSON.stringify({ target: 'training', output: twin.source, lines: twin.lines, proof: twin.proof }, null, 2)}\n`)
    return
  }
  if (out === undefined && !proof) process.stdout.write(twin.source)
  printReport(report(name, twin), proof ? process.stdout : process.stderr)
}

function report(name: string, { lines, isUnchanged, proof }: TrainingTwin): string {
  const { chats, sameText, decided, sameMask } = proof
  const edited = isUnchanged
    ? 'unchanged: it marks what the model writes already'
    : `marks added in the ${lines.length === 1 ? 'loop of line' : 'loops of lines'} ${lines.join(', ')}`
  const undecided = chats - decided
  return [
    `${name} → training twin: ${edited}`,
    `  text  the same in ${sameText} of ${chats} chats`,
    `  mask  what the model writes in ${sameMask} of ${decided} chats whose turns are decided`,
    ...(undecided > 0 ? [`  open  ${undecided} chats in which the template rewrites a turn: the twin marks what it writes of it`] : []),
    '  use   as the chat template of a trainer that reads {% generation %}: assistant_only_loss of TRL',
  ].join('\n')
}
