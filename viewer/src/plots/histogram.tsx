type HistogramProps = {
  /** The same in words, for those who do not see it. */
  label: string
  counts: readonly number[]
  /** What a bar says where it is pointed at. */
  title: (bar: number) => string
}

const [width, height] = [240, 48]

/** How often values fall into each of some bars of equal width. */
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
