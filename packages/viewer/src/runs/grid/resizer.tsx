import { useEffect, useState } from 'preact/hooks'
import { gridTexts } from '../../texts/grid.ts'

const kept = 'rolecall-panel-width'
const [least, most, usual] = [320, 900, 520]

/** The width of the panel beside the rows, kept for the next visit. */
export function usePanelWidth(): [width: number, change: (width: number) => void] {
  const [width, setWidth] = useState(() => clamp(Number(readKept() ?? usual)))
  useEffect(() => {
    try {
      localStorage.setItem(kept, String(width))
    } catch {
      // Storage may be forbidden; the width lasts until the page is closed.
    }
  }, [width])
  return [width, (next) => setWidth(clamp(next))]
}

function readKept(): string | undefined {
  try {
    return localStorage.getItem(kept) ?? undefined
  } catch {
    return undefined
  }
}

function clamp(width: number): number {
  return Number.isFinite(width) ? Math.max(least, Math.min(most, Math.round(width))) : usual
}

/** The bar between rows and panel: dragged, or moved with the arrow keys. */
export function Resizer({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  const drag = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement
    const [from, before] = [event.clientX, width]
    bar.setPointerCapture(event.pointerId)
    const moved = (move: PointerEvent) => onChange(before + from - move.clientX)
    bar.addEventListener('pointermove', moved)
    bar.addEventListener('pointerup', () => bar.removeEventListener('pointermove', moved), { once: true })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a bar that moves is no thematic break
    <div
      class="resizer"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={gridTexts().panelWidth}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const step = { ArrowLeft: 24, ArrowRight: -24 }[event.key]
        if (step !== undefined) onChange(width + step)
      }}
    />
  )
}
