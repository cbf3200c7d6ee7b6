import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Finding } from 'rolecall/internal/workbench/lint/finding'
import { useLoad } from '../data/use-load.ts'
import { ErrorBox } from '../parts/error-box.tsx'
import { visibleText } from '../prompt/visible-text.tsx'
import { templateTexts } from '../texts/template.ts'
import { cutSource, piecesBy, type Span, type TemplateCode } from './template-code.ts'

type TemplateSourceProps = {
  code: TemplateCode
  /** The hovered piece of the prompt, whose code is highlighted. */
  active: number | undefined
  /** Called with the pieces written by the hovered code. */
  onLight: (pieces: ReadonlySet<number> | undefined) => void
}

/** A chat template beside its prompt: code and text highlight each other, with inline `rolecall lint` findings. */
export function TemplateSource({ code: { source, spans }, active, onLight }: TemplateSourceProps) {
  const [isLinted, setLinted] = useState(false)
  const words = templateTexts()
  const linted = useLoad(async () => (isLinted ? await lint(source) : []), [isLinted, source])
  const findings = linted.value ?? []
  const places = useMemo(() => findings.map((finding) => placeOf(source, finding)), [source, findings])
  const cuts = useMemo(() => cutSource(source, [...spans, ...places]), [source, spans, places])
  const span = active === undefined ? undefined : spans[active]
  const point = (event: Event) => {
    const found = (event.target as Element).closest?.('[data-from]')
    const pieces = found instanceof HTMLElement ? piecesBy(spans, Number(found.dataset.from)) : undefined
    onLight(pieces && pieces.size > 0 ? pieces : undefined)
  }
  return (
    <div class="template-source">
      <pre
        class="text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long template is scrolled by keys
        tabIndex={0}
        role="document"
        aria-label={words.source}
        onPointerOver={point}
        onPointerLeave={() => onLight(undefined)}
      >
        {cuts.map(([start, end]) => (
          <Code
            key={start}
            text={source.slice(start, end)}
            from={start}
            isLit={span !== undefined && span[0] <= start && end <= span[1]}
            isWriting={spans.some((one) => one !== undefined && one[0] <= start && end <= one[1])}
            finding={findings.find((_, index) => places[index] && places[index][0] <= start && end <= places[index][1])}
          />
        ))}
      </pre>
      {isLinted ? (
        <>
          {linted.error && <ErrorBox error={linted.error} />}
          {linted.value && findings.length === 0 && !linted.isLoading && <p class="quiet">{words.nothingFound}</p>}
          <ul class="notes" aria-label={words.findings}>
            {findings.map(({ rule, severity, place, problem, fix }, index) => (
              <li key={index} class={`finding ${severity}`} lang="en">
                <b>{rule}</b> {place.kind === 'template' && words.line(place.line)} {visibleText(problem, false)}
                <span class="fix"> → {visibleText(fix, false)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <button type="button" class="quiet-button" onClick={() => setLinted(true)}>
          {words.lint}
        </button>
      )}
    </div>
  )
}

type CodeProps = { text: string; from: number; isLit: boolean; isWriting: boolean; finding: Finding | undefined }

function Code({ text, from, isLit, isWriting, finding }: CodeProps) {
  const element = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const box = element.current?.closest('pre')
    if (!isLit || !box || !element.current) return
    const [place, frame] = [element.current.getBoundingClientRect(), box.getBoundingClientRect()]
    if (place.top < frame.top || place.bottom > frame.bottom) box.scrollTop += place.top - frame.top - frame.height / 3
  }, [isLit])
  const className = [isWriting ? 'writes' : '', isLit ? 'lit' : '', finding ? `found ${finding.severity}` : '']
  return (
    <span ref={element} class={className.filter(Boolean).join(' ')} data-from={from} title={finding?.problem}>
      {visibleText(text, false)}
    </span>
  )
}

/** Loaded on demand. */
async function lint(source: string): Promise<readonly Finding[]> {
  const { lintTemplate } = await import('rolecall/internal/workbench/lint/lint-template')
  return lintTemplate({ source }).findings
}

function placeOf(source: string, { place }: Finding): Span | undefined {
  if (place.kind !== 'template') return undefined
  const lines = source.split('\n')
  const before = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0)
  const start = before + [...(lines[place.line - 1] ?? '')].slice(0, place.column - 1).join('').length
  return [start, Math.min(source.length, start + Math.max(1, place.code.replace(/…$/, '').length))]
}
