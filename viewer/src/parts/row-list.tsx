import { useEffect, useRef, useState } from 'preact/hooks'
import { listPageSize, type RowList as Part } from '../../../src/app/server/viewer/viewer-data.ts'
import { loadRowList } from '../data/load.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { partTexts } from '../texts/parts.ts'
import { ErrorBox } from './error-box.tsx'
import { VirtualList } from './virtual-list.tsx'

type RowListProps = {
  config: number
  dataset: number
  selected: number
  onSelect: (row: number) => void
  onCount?: (count: number) => void
}

/** A dataset's rows in short form; pages are fetched on scroll. */
export function RowList({ config, dataset, selected, onSelect, onCount }: RowListProps) {
  const [parts, setParts] = useState<ReadonlyMap<number, Part>>(new Map())
  const [error, setError] = useState<Error>()
  const wanted = useRef(new Set<number>())
  const want = (part: number) => {
    if (part < 0 || wanted.current.has(part)) return
    wanted.current.add(part)
    loadRowList(config, dataset, part).then(
      (loaded) => {
        onCount?.(loaded.total)
        setParts((known) => new Map(known).set(part, loaded))
      },
      (failed: Error) => setError(failed),
    )
  }
  useEffect(() => {
    want(Math.floor(selected / listPageSize))
  }, [selected])
  const total = [...parts.values()].at(-1)?.total ?? 0
  if (error) return <ErrorBox error={error} />
  return (
    <VirtualList
      id="row"
      label={partTexts().rows}
      count={total}
      height={34}
      selected={selected}
      onSelect={onSelect}
      onSeen={(first, last) => {
        for (let part = Math.floor(first / listPageSize); part <= Math.floor(Math.max(first, last) / listPageSize); part++) want(part)
      }}
      line={(index) => (
        <>
          <span class="line-number">{index}</span>
          <span class="line-text">
            {visibleText(parts.get(Math.floor(index / listPageSize))?.previews[index % listPageSize] ?? '…', false)}
          </span>
        </>
      )}
    />
  )
}
