import { mlcTemplates, presets, splitFormat } from '@rolecall/core/internal/format'
import { useEffect, useRef, useState } from 'preact/hooks'
import { titleOf } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import { useLoad } from '../data/use-load.ts'
import { tryFirst } from '../guard/try-first.ts'
import { findNamed, linkNames } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Editor } from '../playground/editor.tsx'
import { documentExamples, firstState } from '../playground/examples.ts'
import { asYaml, readPane } from '../playground/read-pane.ts'
import { type Rendered, renderPlayground } from '../playground/render-playground.ts'
import { type Pane, type Playground, packState, unpackState } from '../playground/state.ts'
import { PromptView } from '../prompt/prompt-view.tsx'
import { useSettings } from '../prompt/use-settings.ts'
import { type Route, useLinked, useQuery } from '../route.ts'
import { partTexts } from '../texts/parts.ts'
import { playgroundTexts } from '../texts/playground.ts'
import { promptTexts } from '../texts/prompt.ts'

/** Editors for row, template and format, and the resulting prompt. The address contains all of it. */
export function PlaygroundPage({ route }: { route: Route }) {
  const [words, parts, prompt] = [playgroundTexts(), partTexts(), promptTexts()]
  const panes = [
    ['row', prompt.row, 'field'],
    ['dataset', prompt.origins.template, 'template'],
    ['model', prompt.origins.format, 'format'],
  ] as const
  const [state, write] = useState<Playground>()
  const [revision, setRevision] = useState(0)
  const [rendered, setRendered] = useState<Rendered>()
  // The last prompt stays, dimmed, while the user types.
  const [shown, setShown] = useState<Rendered['result']>()
  const [isDamaged, setDamaged] = useState(false)
  const [label, setLabel] = useLinked('label')
  const change = useQuery(route)
  /** Replaces the content of the editors; user edits arrive through `write`. */
  const setState = (next: Playground) => {
    write(next)
    setRevision((number) => number + 1)
  }
  const packed = useRef<string>(undefined)
  const settings = useSettings()
  const examples = useLoad(documentExamples, [])
  const given = route.query.s
  useEffect(() => {
    if (given !== undefined && given === packed.current) return
    let isStale = false
    void (async () => {
      const read = given === undefined ? undefined : await unpackState(given)
      if (isStale) return
      setDamaged(given !== undefined && read === undefined)
      setState(read ?? firstState)
    })()
    return () => {
      isStale = true
    }
  }, [given])
  useEffect(() => {
    if (!state) return
    const abort = new AbortController()
    void renderSafely(state, abort.signal).then((made) => {
      if (abort.signal.aborted) return
      setRendered(made)
      if (made.result) setShown(made.result)
    })
    const timer = setTimeout(async () => {
      const link = await packState(state)
      if (abort.signal.aborted) return
      packed.current = link
      change({ s: link }, { replace: true })
    }, 300)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [state])
  if (!state) return null
  const writeIn = (pane: Pane) => (text: string) => write((now) => (now && now[pane] !== text ? { ...now, [pane]: text } : now))
  const titles = (shown?.prompts ?? []).map((one, index) => titleOf(one) ?? String(index + 1))
  const groups = [...new Set(examples.value?.map(({ group }) => group))]
  return (
    <div class="playground">
      <h1 class="about in-bar">{words.about}</h1>
      <div class="play-bar">
        <label class="choice">
          <span>{words.startFrom}</span>
          <select
            aria-label={words.startFrom}
            value=""
            onChange={(event) => {
              const chosen = examples.value?.[Number(event.currentTarget.value)]
              if (chosen) setState(chosen.state)
              event.currentTarget.value = ''
            }}
          >
            <option value="">{words.anExample}</option>
            {groups.map((group) => (
              <optgroup key={group} label={group}>
                {examples.value?.map((example, index) =>
                  example.group === group ? (
                    <option key={index} value={index}>
                      {example.name}
                    </option>
                  ) : null,
                )}
              </optgroup>
            ))}
          </select>
        </label>
        <Choice
          label={parts.format}
          value=""
          options={[['', words.writeIn], ...formats]}
          onChange={(value) => value !== '' && setState({ ...state, model: withFormat(state.model, value) })}
        />
        <Choice
          label={parts.mode}
          value={state.mode}
          options={[
            ['', words.asDataset],
            ['gen', parts.generation],
            ['ppl', parts.perplexity],
          ]}
          onChange={(value) => setState({ ...state, mode: value as Playground['mode'] })}
        />
        <span class="spread" />
        <CopyButton text={() => location.href}>{parts.copyLink}</CopyButton>
        <CopyButton text={() => configText(state)}>{words.copyConfig}</CopyButton>
      </div>
      <div class="play-panes">
        {panes.map(([pane, title, origin]) => (
          <PaneView key={pane} {...{ pane, title, origin, state, rendered, revision, setState }} change={writeIn} />
        ))}
      </div>
      <div class="play-result">
        {isDamaged && (
          <p class="not-here" role="status">
            {words.damaged}
          </p>
        )}
        {rendered?.error && <ErrorBox error={rendered.error} />}
        {shown && (
          <div class={rendered?.result ? '' : 'stale'}>
            <PromptView
              {...shown}
              chosen={findNamed(titles, label).index}
              onChoose={(index) => setLabel(linkNames(titles)[index])}
              tokenizer={undefined}
              settings={settings}
              withoutSources
              canAsk
            />
          </div>
        )}
        {!shown && <p class="empty">{words.mend}</p>}
      </div>
    </div>
  )
}

type PaneProps = {
  pane: Pane
  title: string
  origin: string
  state: Playground
  rendered: Rendered | undefined
  change: (pane: Pane) => (text: string) => void
  revision: number
  setState: (state: Playground) => void
}

const none: never[] = []

function PaneView({ pane, title, origin, state, rendered, change, revision, setState }: PaneProps) {
  const words = playgroundTexts()
  const problems = rendered?.problems[pane] ?? none
  const isJson = /^\s*[[{]/.test(state[pane])
  const turn = () => {
    const { value, problems: wrong } = readPane(state[pane])
    if (wrong.length === 0) setState({ ...state, [pane]: isJson ? asYaml(value) : `${JSON.stringify(value, null, 2)}\n` })
  }
  return (
    <section class={`pane o-${origin}`} aria-label={title}>
      <h2>
        {title}
        <button type="button" class="quiet-button" onClick={turn}>
          {isJson ? words.asYaml : words.asJson}
        </button>
      </h2>
      <Editor pane={pane} label={title} text={state[pane]} revision={revision} onChange={change(pane)} problems={problems} />
      {problems.length > 0 && (
        <ul class="problems" role="status">
          {problems.map(({ from, message, fix }, index) => (
            <li key={index}>
              <b>{words.line(state[pane].slice(0, from).split('\n').length)}</b> {message}
              {fix !== undefined && <span class="fix"> → {fix}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const formats: (readonly [string, string])[] = [
  ...Object.keys(presets).map((name) => [`format: ${name}`, name] as const),
  ...mlcTemplates().map(({ name }) => [`conv_template: ${name}`, `${name} (MLC)`] as const),
]

/** The model with another format; its other settings stay. */
function withFormat(text: string, line: string): string {
  const { value, problems } = readPane(text)
  const { rest } = splitFormat(problems.length === 0 && value instanceof Object ? value : {})
  return `${asYaml(rest).replace(/^\{\}\n$/, '')}${line}\n`
}

/** A config file with the content of the editors. */
function configText(state: Playground): string {
  const [model, dataset, row] = (['model', 'dataset', 'row'] as const).map((pane) => readPane(state[pane]).value)
  return asYaml({ models: [model], datasets: [{ ...(dataset as object), rows: [row] }] })
}

/** A playground link may contain an untrusted template. */
async function renderSafely(state: Playground, signal: AbortSignal): Promise<Rendered> {
  try {
    if (/chat_template/.test(state.model)) await tryFirst({ kind: 'playground', state }, { signal })
  } catch (error) {
    return { problems: { model: [], dataset: [], row: [] }, error: error as Error }
  }
  return renderPlayground(state)
}
