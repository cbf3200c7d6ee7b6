import { PromptError } from '@rolecall/core/internal/errors'
import { useState } from 'preact/hooks'
import type { ControlRequest, ControlStatus } from 'rolecall/internal/node/runs/control/control-messages'
import type { Site } from 'rolecall/internal/server/viewer/viewer-data'
import { controlRun } from '../../data/control.ts'
import { ErrorBox } from '../../parts/error-box.tsx'
import { controlTexts } from '../../texts/control.ts'
import { changedLimits, limitNames } from './changed-limits.ts'
import { useControl } from './use-control.ts'

/** The token is kept for this tab only, and sent in a header, never in an address. */
const tokenKey = 'rolecall-control'

/** The status of a run in progress, and buttons that change it once the token is entered. */
export function ControlBar({ site, run }: { site: Site; run: number }) {
  const ui = controlTexts()
  const { status, problem, show } = useControl(run)
  const [token, setToken] = useState(keptToken)
  const [error, setError] = useState<Error>()
  const keep = (given: string) => {
    keepToken(given)
    setToken(given)
  }
  const act = async (request: ControlRequest) => {
    try {
      show(await controlRun(site, run, token, request))
      setError(undefined)
    } catch (failure) {
      setError(failure as Error)
      if (failure instanceof PromptError && failure.code === 'forbidden') keep('')
    }
  }
  if (!status) return problem ? <ErrorBox error={problem} /> : null
  return (
    <section class="control-bar" aria-label={ui.label}>
      <p class="quiet" role="status">
        {[ui.states[status.state], ...spentTexts(status.spent), ...(status.retries ? [ui.retries] : [])].join(' · ')}
      </p>
      {token === '' ? <TokenForm onToken={keep} /> : <Actions status={status} act={(request) => void act(request)} />}
      {error && <ErrorBox error={error} />}
    </section>
  )
}

function spentTexts({ tokens, seconds, cost, costs = cost ? [cost] : [] }: ControlStatus['spent']): string[] {
  const ui = controlTexts()
  return [...costs.map(({ amount, currency }) => ui.cost(amount, currency)), ui.spent(tokens, seconds)]
}

function keptToken(): string {
  try {
    return sessionStorage.getItem(tokenKey) ?? ''
  } catch {
    return ''
  }
}

function keepToken(token: string): void {
  try {
    sessionStorage.setItem(tokenKey, token)
  } catch {
    // Without storage, the token is kept until the page is left.
  }
}

function TokenForm({ onToken }: { onToken: (token: string) => void }) {
  const ui = controlTexts()
  const [given, setGiven] = useState('')
  const enter = (event: Event) => {
    event.preventDefault()
    if (given.trim() !== '') onToken(given.trim())
  }
  return (
    <form class="control-line" onSubmit={enter}>
      <label>
        {ui.token}{' '}
        <input
          type="password"
          autocomplete="off"
          placeholder={ui.tokenAbout}
          value={given}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{ui.enter}</button>
    </form>
  )
}

function Actions({ status, act }: { status: ControlStatus; act: (request: ControlRequest) => void }) {
  const ui = controlTexts()
  const [isStopping, setStopping] = useState(false)
  const { state, rows, retries } = status
  const isOver = state === 'stopping'
  const toggle = state === 'paused' ? 'resume' : 'pause'
  const stop = () => {
    setStopping(false)
    act({ action: 'stop' })
  }
  return (
    <>
      <div class="control-line">
        <button type="button" disabled={isOver} onClick={() => act({ action: toggle })}>
          {ui[toggle]}
        </button>
        <button type="button" disabled={isOver || retries || rows.failed === 0} onClick={() => act({ action: 'retry-errors' })}>
          {ui.retryErrors(rows.failed)}
        </button>
        {isStopping ? (
          <>
            <button type="button" class="primary" disabled={isOver} onClick={stop}>
              {ui.stopNow}
            </button>
            <button type="button" onClick={() => setStopping(false)}>
              {ui.keepRunning}
            </button>
          </>
        ) : (
          <button type="button" disabled={isOver} onClick={() => setStopping(true)}>
            {ui.stop}
          </button>
        )}
      </div>
      <Limits limits={status.limits} isOver={isOver} act={act} />
    </>
  )
}

type LimitsProps = { limits: ControlStatus['limits']; isOver: boolean; act: (request: ControlRequest) => void }

function Limits({ limits, isOver, act }: LimitsProps) {
  const ui = controlTexts()
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const changes = changedLimits(limits, (name) => String(form.get(name) ?? ''))
    if (changes) act({ action: 'limits', limits: changes })
  }
  return (
    // New limits are shown in new fields.
    <form class="control-line" key={JSON.stringify(limits)} onSubmit={set} aria-label={ui.limits}>
      <span>{ui.limits}</span>
      {limitNames.map((name) => (
        <label key={name}>
          {ui[name]} <input type="number" name={name} min="0" step="any" defaultValue={limits[name]} disabled={isOver} />
        </label>
      ))}
      <button type="submit" disabled={isOver}>
        {ui.setLimits}
      </button>
      <span class="quiet">{ui.limitsAbout}</span>
    </form>
  )
}
