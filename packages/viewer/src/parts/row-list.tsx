import { useEffect, useState } from 'preact/hooks'
import { listPageSize } from 'rolecall/internal/server/viewer/viewer-data'
import { loadRowList } from '../data/load.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { partTexts } from '../texts/parts.ts'
import { ErrorBox } from './error-box.tsx'
import { useParts } from './use-parts.ts'
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
  const [total, setTotal] = useState(0)
  const { partAt, want, error } = useParts(async (part) => {
    const loaded = await loadRowList(config, dataset, part)
    setTotal(loaded.total)
    onCount?.(loaded.total)
    return loaded
  })
  useEffect(() => {
    want(Math.floor(selected / listPageSize))
  }, [selected])
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
            {visibleText(partAt(Math.floor(index / listPageSize))?.previews[index % listPageSize] ?? '…', false)}
          </span>
        </>
      )}
    />
  )
}
