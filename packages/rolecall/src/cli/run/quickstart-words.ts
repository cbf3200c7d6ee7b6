import type { PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { runTable } from '../../evaluation/run/record/run-table.ts'
import type { NextStep } from '../screen/blocks.ts'

/** Numbers as prose writes them. */
const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** What the quickstart evaluates, from its results: flags may leave out some of them. */
export function quickstartIntro({ results }: RunSummary): string {
  const { axes } = runTable({ results })
  const formats = Math.max(axes.model.length, axes.format.length)
  const inFormats = `in ${formats < words.length ? words[formats] : formats} chat ${formats === 1 ? 'format' : 'formats'}`
  const trained = formats === 1 ? 'It was trained on internlm2.' : 'Only the format differs: the model was trained on internlm2.'
  return `The embedded model answers ${questionsText(results)} ${inFormats}. ${trained}`
}

function questionsText(results: readonly PairResult[]): string {
  const rows = new Map(results.map(({ dataset, rows: count }) => [dataset, count]))
  const [sums, choices] = [rows.get('sums'), rows.get('choices')]
  const shots = [...rows].flatMap(([dataset, count]) =>
    /^\d+ shots?$/.test(dataset) ? [{ shots: Number.parseInt(dataset, 10), count }] : [],
  )
  const [pattern] = shots
  const parts = [
    ...(sums === undefined ? [] : [`${sums} sums`]),
    ...(choices === undefined ? [] : [`${choices} choices`]),
    ...(pattern === undefined
      ? []
      : [`${pattern.count} words to reverse (after ${listed(shots.map((one) => String(one.shots)))} examples)`]),
  ]
  return parts.length === 0 ? 'its questions' : listed(parts)
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

export const quickstartCut = 'every answer was cut at 8 tokens: the model does not know how to stop here'

export function nextAfterQuickstart(command: string, place: string): NextStep[] {
  return [
    { command: `${command} view ${place}`, shows: 'why each row failed, in the browser' },
    { command: `${command} render quickstart --datasets sums`, shows: 'the five prompts' },
    { command: `${command} init`, shows: 'your own data' },
  ]
}
