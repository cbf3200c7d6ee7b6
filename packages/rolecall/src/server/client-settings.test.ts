import { expect, test } from 'vitest'
import { clientNames, showClientSettings } from './client-settings.ts'

const target = { url: 'http://127.0.0.1:8017', model: "qwen3 coder's", hasKey: false }

test('the settings of every client name the address and the model', () => {
  expect(clientNames).toEqual(['claude-code', 'codex', 'opencode', 'qwen-code', 'cline', 'pi'])
  for (const client of clientNames) {
    const shown = showClientSettings(client, target)
    expect(shown).toContain('http://127.0.0.1:8017')
    expect(shown).toMatch(/qwen3 coder/)
  }
})

test('they are quoted for a shell, and a key stays a variable', () => {
  expect(showClientSettings('claude-code', target).split('\n')).toEqual([
    'export ANTHROPIC_BASE_URL=http://127.0.0.1:8017',
    'export ANTHROPIC_AUTH_TOKEN=none',
    "export ANTHROPIC_MODEL='qwen3 coder'\\''s'",
    "export ANTHROPIC_DEFAULT_HAIKU_MODEL='qwen3 coder'\\''s'",
    "export ANTHROPIC_DEFAULT_SONNET_MODEL='qwen3 coder'\\''s'",
    "export ANTHROPIC_DEFAULT_OPUS_MODEL='qwen3 coder'\\''s'",
    'export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1',
    'claude',
  ])
  expect(showClientSettings('qwen-code', { ...target, hasKey: true })).toContain('export OPENAI_API_KEY="$ROLECALL_API_KEY"')
  expect(showClientSettings('codex', { ...target, hasKey: true, context: 32_768 })).toMatch(
    /^# ~\/\.codex\/config\.toml\n[\s\S]*model_context_window = 32768\n[\s\S]*env_key = "ROLECALL_API_KEY"\n\ncodex$/,
  )
})
