// Rollouts with a tool for reinforcement learning: every trained token is one that was sampled.
import { defineModel, openSession, type SeenRow } from 'rolecall'
import { loadEmbedded } from 'rolecall/node'

const engine = await loadEmbedded()
const parameters = { type: 'object', properties: { location: { type: 'string' } } }
const tools = [{ name: 'get_current_weather', parameters }]
const model = defineModel({ format: 'internlm2', tokenizer: engine.tokenizer })
const temperatures: Record<string, number> = { Paris: 18, London: 14 }

/** One conversation: the model calls the tool until it answers in words; the reward says whether the answer has the temperature. */
async function rollout(city: string, seed: number): Promise<{ rows: readonly SeenRow[]; reward: number }> {
  const session = openSession(model, { tools })
  let prompt = session.prompt({ role: 'user', content: `What's the weather like in ${city}?` })
  for (let turn = 0; turn < 4; turn++) {
    const pieces = [{ ids: prompt.ids, source: { by: 'message', path: 'prompt' } as const }]
    const stop = prompt.stop.ids.map((id) => ({ id, source: { by: 'format', path: 'stop' } as const }))
    const sampled = await engine.generate(
      { kind: 'completion', pieces, bos: 'none', stop, notes: [] },
      { maxTokens: 64, sampling: { temperature: 0.7, seed } },
    )
    const tokens = [...(sampled.ids ?? []), ...(sampled.stopToken ? [sampled.stopToken.id] : [])]
    const reply = session.reply(tokens)
    const content = String(temperatures[city])
    const results = (reply.message.tool_calls ?? []).map(({ id }) => ({ role: 'tool', tool_call_id: id, content }))
    if (results.length === 0) return { rows: session.rows(), reward: reply.text.includes(content) ? 1 : 0 }
    prompt = session.prompt(...results)
  }
  return { rows: session.rows(), reward: 0 }
}
for (const city of Object.keys(temperatures))
  for (const { rows, reward } of await Promise.all([1, 2].map((seed) => rollout(city, seed))))
    for (const { mask } of rows) console.log(city, mask.length, 'ids', mask.filter((one) => one === 1).length, 'sampled, reward', reward)

// Prints:
// Paris 116 ids 44 sampled, reward 1
// Paris 116 ids 44 sampled, reward 1
// London 117 ids 45 sampled, reward 1
// London 117 ids 45 sampled, reward 1
