import { autocompletion, type CompletionContext, type CompletionResult, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'preact/hooks'
import type { Pane } from './config-texts.ts'
import { cursorPlace } from './cursor-place.ts'
import type { Problem } from './read-pane.ts'
import { keysAt, valuesAt } from './schema-at.ts'

type EditorProps = {
  pane: Pane
  label: string
  text: string
  /** Changes when the text is replaced from outside. */
  revision: number
  onChange: (text: string) => void
  problems: readonly Problem[]
}

/** A text editor with completion from the schema and inline errors. It lives in a shadow root, so that its styles need no inline style sheet. */
export function Editor({ pane, label, text, revision, onChange, problems }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const language = new Compartment()
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          language.of(languageOf(text)),
          ...basics,
          autocompletion({ override: [completing(pane)], icons: false }),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return
            const now = state.doc.toString()
            if (languageName(now) !== languageName(shownAs)) made.dispatch({ effects: language.reconfigure(languageOf(now)) })
            shownAs = now
            change.current(now)
          }),
        ],
      }),
    })
    let shownAs = text
    view.current = made
    return () => made.destroy()
  }, [])
  useEffect(() => {
    const now = view.current!
    if (now.state.doc.toString() !== text) now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: text } })
  }, [revision])
  useEffect(() => {
    const now = view.current!
    const most = now.state.doc.length
    const found = problems.map(
      ({ from, to, message, fix }): Diagnostic => ({
        from: Math.min(from, most),
        to: Math.min(to, most),
        severity: 'error',
        message: fix === undefined ? message : `${message}\n→ ${fix}`,
      }),
    )
    now.dispatch(setDiagnostics(now.state, found))
  }, [problems])
  return <div ref={host} class="editor" data-pane={pane} />
}

function languageName(text: string): 'json' | 'yaml' {
  return /^\s*[[{]/.test(text) ? 'json' : 'yaml'
}

function languageOf(text: string) {
  return languageName(text) === 'json' ? json() : yaml()
}

function completing(pane: Pane) {
  return (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString()
    const place = cursorPlace(text, context.pos)
    if (!place || (!context.explicit && place.from === context.pos && !/["'\n {,-]$/.test(text.slice(0, context.pos)))) return null
    const isJson = languageName(text) === 'json'
    const options = (place.kind === 'key' ? keysAt(pane, place.path) : valuesAt(pane, place.path)).map(({ label, detail, info }) => ({
      label,
      detail,
      ...(info === '' ? {} : { info }),
      type: place.kind === 'key' ? 'property' : 'enum',
      ...(place.kind === 'key' && !isJson && !/^\s*:/.test(text.slice(context.pos)) ? { apply: `${label}: ` } : {}),
    }))
    return options.length === 0 ? null : { from: place.from, options, validFor: /^[\w.$-]*$/ }
  }
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--template)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--example)' },
  { tag: tags.comment, color: 'var(--ink-2)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--ink-2)' },
])

const look = EditorView.theme({
  '&': { fontSize: '0.8125rem', backgroundColor: 'var(--surface)', color: 'var(--ink)', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 25%, transparent) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    maxWidth: 'min(420px, 92vw)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionInfo': { padding: '6px 10px', fontFamily: 'var(--sans)', fontSize: '0.75rem' },
  '.cm-completionDetail': { color: 'var(--ink-2)', fontStyle: 'normal' },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-diagnostic': { padding: '6px 10px', whiteSpace: 'pre-wrap', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--bad-tint)',
  },
})

const basics = [
  history(),
  drawSelection(),
  highlightSpecialChars(),
  indentOnInput(),
  indentUnit.of('  '),
  bracketMatching(),
  closeBrackets(),
  EditorView.lineWrapping,
  syntaxHighlighting(colours),
  look,
  // Tab leaves the editor, as elsewhere on the page.
  keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
]
