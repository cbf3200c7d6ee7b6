import { useState } from 'preact/hooks'
import { Tabs } from '../../parts/tabs.tsx'
import type { Settings } from '../../prompt/use-settings.ts'
import { visibleText } from '../../prompt/visible-text.tsx'
import { rowTexts } from '../../texts/row.ts'
import { messagesIn } from './messages-in.ts'

type KeptPromptsProps = {
  prompts: readonly string[]
  /** Distinguishes the prompts, if known. */
  titles?: readonly (string | undefined)[] | undefined
  settings: Settings
}

/** The recorded prompts of the row, without origins. */
export function KeptPrompts({ prompts, titles, settings }: KeptPromptsProps) {
  const [chosen, setChosen] = useState(0)
  const text = prompts[Math.min(chosen, prompts.length - 1)] ?? ''
  const messages = messagesIn(text)
  return (
    <>
      {prompts.length > 1 && (
        <Tabs
          class="labels"
          label={rowTexts().promptsLabel}
          names={prompts.map((_, index) => titles?.[index] ?? rowTexts().promptNumber(index + 1))}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
      <div class="prompt" data-testid="prompt">
        {messages ? (
          messages.map(({ role, content }, index) => (
            <section key={index} class="message" aria-label={role}>
              <p class="role">{visibleText(role, false)}</p>
              <pre class="text">{visibleText(content, settings.whitespace)}</pre>
            </section>
          ))
        ) : (
          <pre class="text">{visibleText(text, settings.whitespace)}</pre>
        )}
      </div>
    </>
  )
}
