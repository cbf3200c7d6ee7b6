import { useState } from 'preact/hooks'
import { labTexts } from '../../texts/lab.ts'
import type { Problem } from '../engine/contract.ts'
import type { Changes } from '../lab-page.tsx'
import { isMessage, type LabState } from '../lab-state.ts'
import { JsonField } from './json-field.tsx'
import { MessagesForm } from './messages-form.tsx'
import { ModelSources } from './model-sources.tsx'
import { OptionsForm } from './options-form.tsx'
import { RowForm } from './row-form.tsx'
import { ToolsForm } from './tools-form.tsx'

export type InputProps = { state: LabState; change: (changes: Changes) => void }

const tabs = ['messages', 'tools', 'options', 'row'] as const

/** What is said: messages, tools, options or a row, as forms and as JSON. */
export function InputPane({ state, change, reads, problem }: InputProps & { reads: readonly string[]; problem: Problem | undefined }) {
  const words = labTexts()
  const [chosen, setTab] = useState<(typeof tabs)[number]>()
  const [isJson, setJson] = useState(false)
  const tab = chosen ?? (state.source === 'row' ? 'row' : 'messages')
  const counts: Readonly<Record<string, number>> = { messages: state.messages.length, tools: state.tools.length }
  const hasJson = tab === 'messages' || tab === 'tools'
  return (
    <section class="pane left" aria-label={words.input}>
      <div class="tabs">
        <div role="tablist" aria-label={words.input} class="tab-list">
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-controls="input-panel"
              aria-selected={tab === name}
              onClick={() => setTab(name)}
            >
              {words[name]} {counts[name] ? <span class="dim">{counts[name]}</span> : null}
            </button>
          ))}
        </div>
        <span class="spread" />
        {hasJson && (
          <button
            type="button"
            class="flat"
            aria-pressed={isJson}
            title={isJson ? words.asForm : words.asJson}
            aria-label={words.asJson}
            onClick={() => setJson(!isJson)}
          >
            {'{ }'}
          </button>
        )}
      </div>
      <div class="form" role="tabpanel" id="input-panel" aria-labelledby={`tab-${tab}`}>
        {state.source === 'row' && tab !== 'row' && tab !== 'options' && (
          <p class="notice">
            {words.rowShown}{' '}
            <button type="button" class="link" onClick={() => change({ source: 'messages' })}>
              {words.useMessages}
            </button>
          </p>
        )}
        {tab === 'messages' &&
          (isJson ? (
            <JsonField
              label={words.messages}
              value={state.messages}
              is={areMessages}
              onChange={(messages) => change({ messages, source: 'messages' })}
              rows={24}
            />
          ) : (
            <MessagesForm messages={state.messages} onChange={(messages) => change({ messages, source: 'messages' })} />
          ))}
        {tab === 'tools' &&
          (isJson ? (
            <JsonField label={words.tools} value={state.tools} is={areObjects} onChange={(tools) => change({ tools })} rows={24} />
          ) : (
            <ToolsForm tools={state.tools} onChange={(tools) => change({ tools })} />
          ))}
        {tab === 'options' && <OptionsForm state={state} change={change} reads={reads} />}
        {tab === 'row' && <RowForm state={state} change={change} problem={problem} />}
        <ModelSources state={state} change={change} />
      </div>
    </section>
  )
}

function areMessages(value: unknown): value is LabState['messages'] {
  return Array.isArray(value) && value.every(isMessage)
}

function areObjects(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)
}
