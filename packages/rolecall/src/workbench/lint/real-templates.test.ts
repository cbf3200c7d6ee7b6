import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { someOf } from '../../../../../proof/testing/sampling.ts'
import { compileTemplate } from '../../../../core/src/base/jinja/index.ts'
import { prefixCache } from './template-rules/prefix-cache.ts'
import { TemplateSubject } from './template-subject.ts'

const shared = fileURLToPath(new URL('../../../../../../shared/conformance/', import.meta.url))

type Step = { prompt?: { part?: string }; turn?: { append_only: boolean | null } }

function read(file: string): unknown[] {
  return readFileSync(`${shared}${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

// The vectors record whether a template's prompts only grow. Their conversations differ from ours, but the verdict per template should
// not.
test.skipIf(!existsSync(shared))(
  'real templates rewrite what was sent where the reference says so, and nowhere else (skipped without ../shared)',
  () => {
    const breaks = new Map<string, boolean>()
    for (const { group, template, steps } of read('masks/prefix.jsonl') as { group: string; template: string; steps?: Step[] }[]) {
      if (group !== 'grow' || steps === undefined) continue
      const isBroken = steps.some(({ prompt, turn }) => prompt && (prompt.part === 'history' || turn?.append_only === false))
      breaks.set(template, (breaks.get(template) ?? false) || isBroken)
    }
    const templates = [...read('chat/jinja_templates.jsonl'), ...read('masks/mask_templates.jsonl')] as {
      id: string
      template: string
      tokens: Record<string, string>
    }[]
    const known = templates.filter(({ id }) => breaks.has(id))
    const wrong = someOf(known, 40).flatMap(({ id, template, tokens }) => {
      const subject = new TemplateSubject(template, { tokens }, compileTemplate)
      const found = prefixCache.check(subject).length > 0
      // We adapt to templates that accept only lists of parts or JSON strings as arguments; the vectors do not, so these reject or drop them.
      if (found && !breaks.get(id) && (subject.takesOnlyParts || subject.takesOnlyTextArguments)) return []
      return found === breaks.get(id) ? [] : [`${id}: found ${found}, expected ${breaks.get(id)}`]
    })
    expect(wrong).toEqual([])
  },
)
