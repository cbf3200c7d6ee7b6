import { readFileSync } from 'node:fs'
import { defineModel, PromptError, renderPrompt } from '@rolecall/core'
import '@rolecall/core/all-formats'
import { expect, test } from 'vitest'
import { type LabModel, labModels } from '../models/catalog.ts'
import { starters } from '../starters.ts'
import type { DrawnPrompt, ModelSettings } from './contract.ts'
import { drawPrompts } from './draw-prompts.ts'

const clock = '2026-03-01T12:00:00Z'

function templateOf({ id, source }: LabModel): string | undefined {
  return source === undefined ? undefined : readFileSync(new URL(`../../../public/lab/models/${id}.jinja`, import.meta.url), 'utf8')
}

function settingsOf(model: LabModel): ModelSettings {
  const template = templateOf(model)
  return {
    ...(template === undefined ? {} : { chat_template: template }),
    ...(model.tokens ? { special_tokens: model.tokens } : {}),
    ...model.settings,
  }
}

function definedBy(model: LabModel) {
  const template = templateOf(model)
  return template === undefined
    ? defineModel('internlm2')
    : defineModel({ chatTemplate: template, ...(model.tokens ? { specialTokens: model.tokens } : {}) })
}

const chats = starters.filter(({ state }) => state.source === 'messages')

test('the lab has at least 12 starters and 30 models with their templates', () => {
  expect(starters.length).toBeGreaterThanOrEqual(12)
  expect(labModels.length).toBeGreaterThanOrEqual(30)
})

test.each(labModels.map((model) => [model.name, model] as const))(
  '%s: what is shown is what the library renders, for every starter',
  async (_, model) => {
    for (const { id, state } of chats) {
      const { messages, tools, want, variables } = state
      const said = { messages, tools, want, date: clock }
      const [drawn] = await drawPrompts([{ name: model.name, settings: settingsOf(model), variables }], said)
      const given = {
        ...(tools.length > 0 ? { tools } : {}),
        ...(Object.keys(variables).length > 0 ? { variables } : {}),
        want,
        clock: new Date(clock),
      }
      const expected = outcomeOf(() => renderPrompt(definedBy(model), messages, given).text)
      expect([id, drawn && 'prompt' in drawn ? drawn.prompt.text : drawn?.problem.problem]).toEqual([id, expected])
      if (drawn && 'prompt' in drawn) expectWhole(drawn.prompt)
    }
  },
)

function outcomeOf(render: () => string): string {
  try {
    return render()
  } catch (error) {
    if (error instanceof PromptError) return error.problem
    throw error
  }
}

/** The stretches are the text, and origins add up to all of it. */
function expectWhole({ sections, text, counts, characters, tokens, kind }: DrawnPrompt): void {
  if (kind !== 'completion') return
  const stretches = sections.flatMap((section) => section.stretches)
  expect(
    stretches
      .filter(({ media }) => media === undefined)
      .map((stretch) => stretch.text)
      .join(''),
  ).toBe(text)
  const sums = Object.values(counts)
  expect(sums.reduce((sum, count) => sum + count.characters, 0)).toBe(characters)
  expect(characters).toBe(text.length)
  expect(sums.reduce((sum, count) => sum + count.tokens, 0)).toBe(tokens.count)
}
