// A model behind an OpenAI-compatible server: asked with messages, and with the exact prompt; how likely a text is.
import { compilePrompt, perplexity } from 'rolecall/datasets'
import { loadOpenAI, serve } from 'rolecall/node'

// Any server will do. This one has the embedded model.
const server = await serve({ models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }] })

const dataset = {
  reader_cfg: { output_column: 'answer' },
  infer_cfg: {
    prompt_template: {
      template: {
        round: [
          { role: 'HUMAN', prompt: '{question}' },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
  },
}
const config = { type: 'openai', path: 'tiny', base_url: `${server.url}/v1` }
const rows = ['42', '43'].map((answer) => ({ question: '12+30=?', answer }))

const chat = loadOpenAI(config)
const asked = compilePrompt(config, dataset).render({ row: rows[0]!, mode: 'gen' })
console.log('messages:', (await chat.generate(asked.prompt, { maxTokens: 8 })).text)

const exact = { ...config, format: 'internlm2', extra_body: { add_special_tokens: false } }
const completions = loadOpenAI(exact)
const prompts = rows.map((row) => compilePrompt(exact, dataset).render({ row, mode: 'ppl' }).prompt)
const [right, wrong] = await completions.score!(prompts)
console.log('the right answer is likelier:', perplexity(right!.logProbabilities) < perplexity(wrong!.logProbabilities))

for (const { close } of [chat, completions, server]) await close?.()

// Prints:
// messages: 42
// the right answer is likelier: true
