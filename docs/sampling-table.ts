import { type SamplingRow, samplingRows } from '../packages/rolecall/src/model/language-model/sampling-settings.ts'

const words = {
  en: { key: 'key', does: 'what it does', here: '`embedded`, `gguf`', yes: 'yes', no: 'refused' },
  zh: { key: '键', does: '作用', here: '`embedded`、`gguf`', yes: '支持', no: '拒绝' },
} as const

/** The sampling settings: what they do, and which APIs have them, by their names there. */
export function samplingTable(language: keyof typeof words): string {
  const { key, does, here, yes, no } = words[language]
  const rows = samplingRows.map((row) => {
    const { openai, responses, messages, google, vllm, llamacpp } = row.wire
    const names = [openai, responses, messages, google, openai ?? vllm, llamacpp].map((name) => (name === undefined ? '–' : `\`${name}\``))
    return `| \`${row.name}\` | ${docOf(row, language)} | ${names.join(' | ')} | ${row.here ? yes : no} |`
  })
  return [
    `| ${key} | ${does} | OpenAI | Responses | Messages | Gemini | vLLM, SGLang | llama.cpp, Ollama | ${here} |`,
    `|${'---|'.repeat(9)}`,
    ...rows,
  ].join('\n')
}

function docOf({ doc, otherwise }: SamplingRow, language: keyof typeof words): string {
  return language === 'zh' || otherwise === undefined ? doc[language] : `${doc.en}; ${otherwise}`
}
