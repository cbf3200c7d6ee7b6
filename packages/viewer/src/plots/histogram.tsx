type HistogramProps = {
  /** The accessible description. */
  label: string
  counts: readonly number[]
  /** The tooltip of a bar. */
  title: (bar: number) => string
}

const [width, height] = [240, 48]

/** A histogram with bars of equal width. */
export function Histogram({ label, counts, title }: HistogramProps) {
  const most = Math.max(1, ...counts)
  const each = width / counts.length
  return (
    <svg class="histogram" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      <line class="axis" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      {counts.map((count, bar) => (
        <g key={bar}>
          <title>{title(bar)}</title>
          <rect class="hit" x={bar * each} y="0" width={each} height={height} />
          {count > 0 && (
            <rect
              class="count"
              x={bar * each + 0.5}
              width={Math.max(1, each - 1)}
              y={height - Math.max(1.5, (height * count) / most)}
              height={Math.max(1.5, (height * count) / most)}
            />
          )}
        </g>
      ))}
    </svg>
  )
}
