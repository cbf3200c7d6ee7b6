type SparklineProps = { label: string; values: readonly number[]; range: readonly [from: number, to: number] }

const [width, height, margin] = [96, 24, 3]

/** Values over time as a small line; the last one is a dot. */
export function Sparkline({ label, values, range: [from, to] }: SparklineProps) {
  const points = values.map((value, index) => {
    const x = margin + (values.length < 2 ? 0 : (index * (width - 2 * margin)) / (values.length - 1))
    const y = height - margin - ((value - from) / (to - from || 1)) * (height - 2 * margin)
    return [Number(x.toFixed(1)), Number(y.toFixed(1))] as const
  })
  const [x, y] = points.at(-1) ?? [0, 0]
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      <title>{label}</title>
      <polyline points={points.map((point) => point.join()).join(' ')} />
      <circle cx={x} cy={y} r="2.5" />
    </svg>
  )
}
