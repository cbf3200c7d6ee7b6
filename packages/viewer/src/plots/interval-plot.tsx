type IntervalPlotProps = {
  /** The accessible description. */
  label: string
  value: number | undefined
  interval?: { low: number; high: number } | undefined
  /** The ends of the axis. */
  range: readonly [from: number, to: number]
  /** A reference line, e.g. no difference. */
  zero?: number | undefined
}

/** A metric as a dot on a line, with its 95 % interval. */
export function IntervalPlot({ label, value, interval, range: [from, to], zero }: IntervalPlotProps) {
  const at = (number: number) => `${2 + 96 * Math.max(0, Math.min(1, (number - from) / (to - from || 1)))}%`
  return (
    <svg class="interval-plot" role="img" aria-label={label} width="100%" height="18">
      <title>{label}</title>
      <line class="axis" x1="2%" x2="98%" y1="9" y2="9" />
      {zero !== undefined && <line class="zero" x1={at(zero)} x2={at(zero)} y1="1" y2="17" />}
      {interval && <line class="whiskers" x1={at(interval.low)} x2={at(interval.high)} y1="9" y2="9" />}
      {interval && [interval.low, interval.high].map((end) => <line key={end} class="whiskers" x1={at(end)} x2={at(end)} y1="5" y2="13" />)}
      {value !== undefined && <circle class="dot" cx={at(value)} cy="9" r="4.5" />}
    </svg>
  )
}
