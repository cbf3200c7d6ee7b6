import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compileTemplate } from '@rolecall/core/internal/jinja'
import { probeChats } from '../packages/rolecall/src/workbench/training-twin/prove-twin.ts'
import { TemplateSubject } from '../packages/rolecall/src/workbench/lint/template-subject.ts'
import { trainingTwin } from '../packages/rolecall/src/workbench/training-twin/training-twin.ts'
const shared = '/work/shared/'
const only = process.argv[2]
const list: [string, string, Record<string, string> | undefined][] = []
for (const file of readdirSync(`${shared}templates-2026`)) if (file.endsWith('.jinja')) list.push([`2026/${file}`, readFileSync(`${shared}templates-2026/${file}`, 'utf8'), { bos_token: '<s>', eos_token: '</s>' }])
if (process.env.ALL) for (const line of readFileSync(`${shared}conformance/chat/jinja_templates.jsonl`, 'utf8').split('\n')) if (line) { const { id, template, tokens } = JSON.parse(line); list.push([id, template, tokens]) }
if (process.env.GOLD) for (const line of readFileSync(`${shared}conformance/masks/mask_templates.jsonl`, 'utf8').split('\n')) if (line) { const { id, template, tokens } = JSON.parse(line); list.push([id, template, tokens]) }
let ok = 0
const why: Record<string, number> = {}
const out: object[] = []
for (const [id, source, tokens] of list) {
  if (only && !id.includes(only)) continue
  const before = performance.now()
  try {
    const twin = trainingTwin(source, compileTemplate, { name: id, tokens })
    ok++
    const { chats, decided } = twin.proof
    console.log('OK  ', id, twin.isUnchanged ? 'unchanged' : `lines ${twin.lines}`, chats, decided, Math.round(performance.now() - before))
    out.push({ id, tokens, original: source, twin: twin.source, unchanged: twin.isUnchanged, probes: (() => { const subject = new TemplateSubject(source, { tokens }, compileTemplate, {}); return probeChats(subject).map(({ chat, text, spans, undecided }) => ({ messages: chat.messages, tools: chat.tools, kwargs: chat.kwargs, agp: chat.addGenerationPrompt, text, spans, undecided, tokens: subject.tokens, parts: subject.takesOnlyParts, texts: subject.takesOnlyTextArguments })) })() })
    if (only) console.log(twin.source)
  } catch (error) {
    const e = error as Error & { problem?: string }
    const text = e.problem ?? String(e.stack)
    console.log('FAIL', id, text.slice(0, 260), Math.round(performance.now() - before))
    const key = text.split(',')[0].slice(0, 90)
    why[key] = (why[key] ?? 0) + 1
  }
}
console.log(ok, 'of', list.length, why)
writeFileSync('/tmp/sess/twins.json', JSON.stringify(out))
