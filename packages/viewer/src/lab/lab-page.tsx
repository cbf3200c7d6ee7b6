import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { labTexts } from '../texts/lab.ts'
import { chooseLanguage, keptLanguage, languageTags, setLanguage } from '../texts/language.ts'
import { InputPane } from './input/input-pane.tsx'
import { takeFiles } from './input/model-sources.tsx'
import { PasteDialog } from './input/paste-dialog.tsx'
import { LabBar } from './lab-bar.tsx'
import { LabHeader } from './lab-header.tsx'
import { type LabColumn, type LabState, marks } from './lab-state.ts'
import { lightUp, linesAt } from './light.ts'
import { letters, PromptGrid } from './prompt/prompt-grid.tsx'
import { AskDialog } from './reply/ask-dialog.tsx'
import { ReplyPane } from './reply/reply-pane.tsx'
import { TemplatePane } from './template/template-pane.tsx'
import { fragment, useLabState, usePrompts } from './use-lab.ts'

export type Changes = { [Key in keyof LabState]?: LabState[Key] | undefined }
const views = ['input', 'prompts', 'templatePane'] as const

/** The lab: what is said, the prompts of several models, and the template and reply of one of them. */
export function LabPage() {
  const [linked, setLinked] = useState(() => fragment().get('lang') ?? undefined)
  const language = chooseLanguage({ linked, kept: keptLanguage(), preferred: navigator.languages })
  setLanguage(language)
  const words = labTexts()
  const { state, setState, isDamaged } = useLabState()
  const { asked, error } = usePrompts(state)
  const [shown, setShown] = useState(0)
  const [view, setView] = useState<(typeof views)[number]>('prompts')
  const [dialog, setDialog] = useState<'paste' | 'ask'>()
  const [notice, setNotice] = useState<string>()
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    document.documentElement.lang = languageTags[language]
    document.title = `${words.title} · Rolecall`
  }, [language])
  const change = (changes: Changes) => setState((now) => now && withChanges(now, changes))
  useKeys(state, change)
  useDrop(state, change, setNotice)
  const at = Math.min(shown, (state?.columns.length ?? 1) - 1)
  const changeColumn = (index: number, column: LabColumn | undefined) =>
    setState((now) => now && { ...now, columns: now.columns.flatMap((one, place) => (place !== index ? [one] : column ? [column] : [])) })
  const grid = useMemo(
    () =>
      state &&
      asked && <PromptGrid {...{ state, changeColumn }} drawn={asked.drawn.slice(0, state.columns.length)} shown={at} onShow={setShown} />,
    [asked, state?.marks, state?.columns, state?.own, at, language],
  )
  if (state === undefined) return null
  const drawn = asked?.drawn[at]
  const question = asked?.columns[at]
  const prompt = drawn && 'prompt' in drawn ? drawn.prompt : undefined
  const reads = [...new Set(asked?.drawn.flatMap((one) => ('prompt' in one ? one.prompt.variables : [])) ?? [])]
  const problem = asked?.drawn.flatMap((one) => ('problem' in one && one.problem.code === 'config' ? [one.problem] : []))[0]
  const column = state.columns[at]
  const show = (event: Event) => {
    const piece = (event.target as Element | null)?.closest<HTMLElement>('.piece')
    if (!piece?.dataset.code || !page.current) return
    setShown(Number(piece.dataset.c))
    requestAnimationFrame(() => linesAt(page.current ?? document, piece.dataset.code ?? '')[0]?.scrollIntoView({ block: 'center' }))
  }
  return (
    <div
      class={`lab view-${view}`}
      ref={page}
      onPointerOver={(event) => {
        const piece = page.current ? lightUp(event, page.current, at) : undefined
        const status = page.current?.querySelector('.status-place')
        if (status) status.textContent = piece ? placeText(piece) : words.hover
      }}
    >
      <LabHeader state={state} language={language} onLanguage={setLinked} />
      <LabBar {...{ state, change, setState, question, prompt }} onPaste={() => setDialog('paste')} onAsk={() => setDialog('ask')} />
      {(isDamaged || notice !== undefined || error) && (
        <p class="notice" role={error ? 'alert' : 'status'}>
          {error ? error.message : isDamaged ? words.damaged : notice}
          <button type="button" class="flat" aria-label={words.cancel} onClick={() => setNotice(undefined)}>
            ×
          </button>
        </p>
      )}
      <InputPane state={state} change={change} reads={reads} problem={problem} />
      <main id="content" class="pane centre" aria-label={words.prompts}>
        <h1 class="sr">
          {words.title}: {words.about}
        </h1>
        <div class="pick">
          {state.columns.map((_, index) => (
            <button key={index} type="button" aria-pressed={index === at} onClick={() => setShown(index)}>
              {letters[index]} {asked?.columns[index]?.name ?? ''}
            </button>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: pointing is a shortcut; the template pane can be scrolled by keys */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
        <div onClick={show}>
          {grid ?? (
            <p class="waiting" role="status">
              {words.loading}
            </p>
          )}
        </div>
      </main>
      <aside class="pane right" aria-label={words.templatePane}>
        {column && (
          <TemplatePane
            key={`${at} ${column.model}`}
            column={column}
            question={question}
            drawn={drawn}
            letter={letters[at] ?? 'A'}
            onChange={(next) => changeColumn(at, next)}
          />
        )}
        <ReplyPane state={state} question={question} onChange={(reply) => change({ reply })} />
      </aside>
      <footer class="status">
        <span>{words.nothingLeaves}</span>
        <span class="status-place">{words.hover}</span>
        <span class="spread" />
        <span>
          <span class="o-harmless">{'<|…|>'}</span> {words.harmless}
        </span>
      </footer>
      <nav class="views" aria-label={words.views}>
        {views.map((name) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
            {words[name]}
          </button>
        ))}
      </nav>
      {dialog === 'paste' && (
        <PasteDialog
          state={state}
          onClose={() => setDialog(undefined)}
          onRead={(changes, text) => {
            change(changes)
            setNotice(text)
            setDialog(undefined)
          }}
        />
      )}
      {dialog === 'ask' && question && prompt && (
        <AskDialog {...{ state, question, prompt }} onReply={(reply) => change({ reply })} onClose={() => setDialog(undefined)} />
      )}
    </div>
  )
}

function withChanges(state: LabState, changes: Changes): LabState {
  const entries = Object.entries({ ...state, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as LabState
}

/** Who wrote a stretch, and where. */
function placeText({ dataset: { by, path }, textContent }: HTMLElement): string {
  const words = labTexts()
  const writer = Object.entries(words.writers).find(([name]) => name === by)?.[1] ?? ''
  return `${writer} · ${path} · ${words.characters((textContent ?? '').length)}`
}

const keys: Readonly<Record<string, (typeof marks)[number]>> = { d: 'differences', w: 'whitespace', t: 'ids', m: 'mask' }

/** The marks have keys, outside of fields. */
function useKeys(state: LabState | undefined, change: (changes: Changes) => void): void {
  useEffect(() => {
    const press = ({ key, ctrlKey, altKey, metaKey, target }: KeyboardEvent) => {
      const isField = target instanceof Element && target.closest('input, textarea, select, dialog, .editor') !== null
      const mark = ctrlKey || altKey || metaKey || isField ? undefined : keys[key]
      if (mark && state) change({ marks: marks.filter((one) => (one === mark ? !state.marks.includes(one) : state.marks.includes(one))) })
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [state?.marks])
}

/** Files can be dropped anywhere on the page. */
function useDrop(state: LabState | undefined, change: (changes: Changes) => void, onNotice: (text: string | undefined) => void): void {
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault()
    const drop = async (event: DragEvent) => {
      event.preventDefault()
      if (!state) return
      const { text, changes } = await takeFiles(state, [...(event.dataTransfer?.files ?? [])])
      onNotice(text)
      if (changes) change(changes)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [state])
}
