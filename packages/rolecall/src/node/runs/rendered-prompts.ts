import { PromptError } from '@rolecall/core/internal/errors'
import { promptText } from '@rolecall/core/internal/format'
import { oneByOne } from '../../evaluation/dataset/chunks.ts'
import { planRequests } from '../../evaluation/run/ask/plan-requests.ts'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import { allRequests, startRow } from '../../evaluation/run/ask/start-row.ts'
import { choosePairs } from '../../evaluation/run/choose-pairs.ts'
import { isSamePair, type PairName } from '../../evaluation/run/record/pair-name.ts'
import { scoringPeers } from '../jieba-words.ts'
import { tokenizerOf } from '../models/load-tokenizer.ts'
import { withGuardedTemplates } from '../templates/guard-config.ts'
import { nodeEnvironment } from './node-environment.ts'
import { recordedConfig } from './recorded-config.ts'
import { readRunInfo } from './run-layout.ts'

/**
 * Renders the prompts of some rows of a run again from its config and dataset; empty if those are gone or unreadable. Examples that
 * were dropped to fit the context are included.
 */
export async function renderedPrompts(folder: string, wanted: PairName, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  if (ids.size === 0) return found
  try {
    const loaded = withGuardedTemplates(await recordedConfig(folder))
    const pair = choosePairs(loaded.config, readRunInfo(folder).options, scoringPeers()).find(({ name }) => isSamePair(name, wanted))
    if (!pair) return found
    const opened = await nodeEnvironment(loaded.folder).openRows(pair.dataset)
    const plan = planRequests(pair, { tokenizer: tokenizerOf(pair.model, loaded.folder) })
    let id = 0
    for await (const row of oneByOne(opened.rows)) {
      if (ids.has(id)) {
        const requests = allRequests(plan, startRow(plan, { row, examples: await opened.examplesFor(row, id) }))
        const prompts = requests.flatMap(({ prompts: asked }) => asked)
        found.set(id, prompts.map(({ prompt }) => (prompt.kind === 'chat' ? promptText(prompt) : sentText(prompt))).join('\n'))
      }
      if (found.size === ids.size) break
      id++
    }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
  }
  return found
}
