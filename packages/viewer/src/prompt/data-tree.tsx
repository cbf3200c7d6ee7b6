import { useEffect, useRef } from 'preact/hooks'
import { partTexts } from '../texts/parts.ts'
import { visibleText } from './visible-text.tsx'

/** A path in a config, and a range of its text. */
export type Place = { path: string; span?: readonly [number, number] | undefined }

type TreeProps = {
  value: unknown
  path?: string
  name?: string
  active?: Place | undefined
  /** A text to highlight everywhere within this part: the field a value was inserted for. */
  needle?: string | undefined
  within?: string
  depth?: number
}

const longest = 4000

/** A value of a config or row as written, with one path highlighted. */
export function DataTree({ value, path = '', name, active, needle, within = '', depth = 0 }: TreeProps) {
  const key = name === undefined ? null : <span class="tree-key">{visibleText(name, false)}</span>
  if (Array.isArray(value) || isObject(value)) {
    const entries: [string, unknown, string][] = Array.isArray(value)
      ? value.map((entry, index) => [`[${index}]`, entry, `${path}[${index}]`])
      : entriesOf(value).map(([own, entry]) => [own, entry, join(path, own)])
    const rows = entries.map(([own, entry, place]) => (
      <DataTree
        key={place}
        name={Array.isArray(value) ? '–' : own}
        value={entry}
        path={place}
        {...{ active, needle, within }}
        depth={depth + 1}
      />
    ))
    if (depth === 0 && name === undefined) return <div class="tree">{rows}</div>
    return (
      <div class={`tree-node${active?.path === path ? ' active' : ''}`}>
        {key}
        <div class="tree-children">{entries.length === 0 ? <span class="quiet">{partTexts().empty}</span> : rows}</div>
      </div>
    )
  }
  const isActive = active?.path === path
  const at = needle !== undefined && typeof value === 'string' && path.startsWith(within) ? value.indexOf(needle) : -1
  const span = isActive ? active?.span : at < 0 ? undefined : ([at, at + needle!.length] as const)
  return (
    <Leaf isActive={isActive} isLit={isActive || at >= 0}>
      {key}
      <LeafText value={value} span={span} />
    </Leaf>
  )
}

function Leaf({ isActive, isLit, children }: { isActive: boolean; isLit: boolean; children: preact.ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isLit && element.current) reveal(element.current)
  }, [isLit])
  return (
    <div ref={element} class={`tree-leaf${isActive ? ' active' : ''}`}>
      {children}
    </div>
  )
}

/** Scrolls the panels around an element into view without moving the page, so that the prompt stays under the pointer. */
function reveal(element: HTMLElement): void {
  for (let box = element.parentElement; box && box.className !== 'prompt-view'; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || getComputedStyle(box).overflowY === 'visible') continue
    const [place, frame] = [element.getBoundingClientRect(), box.getBoundingClientRect()]
    if (place.top < frame.top) box.scrollTop -= frame.top - place.top + 8
    else if (place.bottom > frame.bottom) box.scrollTop += place.bottom - frame.bottom + 8
  }
}

function LeafText({ value, span }: { value: unknown; span?: readonly [number, number] | undefined }) {
  if (typeof value !== 'string')
    return <span class="tree-value other">{String(value instanceof Object && 'value' in value ? value.value : value)}</span>
  const shown = value.length > longest ? `${value.slice(0, longest)}…` : value
  if (!span || span[0] >= shown.length) return <span class="tree-value">{visibleText(shown, false)}</span>
  return (
    <span class="tree-value">
      {visibleText(shown.slice(0, span[0]), false)}
      <mark>{visibleText(shown.slice(span[0], span[1]), false)}</mark>
      {visibleText(shown.slice(span[1]), false)}
    </span>
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && (value instanceof Map || Object.getPrototypeOf(value) === Object.prototype)
}

function entriesOf(value: object): [string, unknown][] {
  return value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value)
}

/** Paths as written by `placeOf` of the core. */
function join(path: string, key: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}
