type SpreadPlotProps = {
  /** The accessible description. */
  label: string
  /** The same number has the same mark. */
  points: readonly { mark: number; value: number; name: string }[]
  range: readonly [from: number, to: number]
}

/** Beyond this number, marks look alike; names are in the text beside them. */
export const markCount = 6

/** Several metrics of one thing on a line, showing their spread. */
export function SpreadPlot({ label, points, range: [from, to] }: SpreadPlotProps) {
  const at = (number: number) => 2 + 96 * Math.max(0, Math.min(1, (number - from) / (to - from || 1)))
  const toPlace = ({ value }: { value: number }) => at(value)
  const values = points.map(({ value }) => value)
  return (
    <span class="spread-plot" role="img" aria-label={label}>
      <span class="spread-axis" />
      {values.length > 0 && (
        <span
          class="spread-range"
          style={{ left: `${at(Math.min(...values))}%`, width: `${at(Math.max(...values)) - at(Math.min(...values))}%` }}
        />
      )}
      {points.map(({ mark, value, name }, place) => (
        <span
          key={name}
          class="spread-mark"
          style={{ left: `${at(value)}%`, marginTop: `${aside(points.map(toPlace), place)}px` }}
          title={name}
        >
          <Mark number={mark} />
        </span>
      ))}
    </span>
  )
}

/** Stacks overlapping marks: the offset from the line in pixels. */
function aside(places: readonly number[], own: number): number {
  const near = places.flatMap((place, index) => (Math.abs(place - places[own]!) < 2.5 ? [index] : []))
  return 9 * (near.indexOf(own) - (near.length - 1) / 2)
}

/** Marks differ in shape and colour. */
export function Mark({ number }: { number: number }) {
  const place = number % markCount
  return (
    <svg class={`mark mark-${place}`} viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true">
      {shapes[place]}
    </svg>
  )
}

const shapes = [
  <circle key="circle" r="4.5" />,
  <rect key="square" x="-4" y="-4" width="8" height="8" />,
  <path key="triangle" d="M0-5 5 4H-5z" />,
  <path key="diamond" d="M0-5.5 5.5 0 0 5.5-5.5 0z" />,
  <path key="down" d="M0 5-5-4H5z" />,
  <path key="cross" d="M-5-1.6h3.4V-5h3.2v3.4H5v3.2H1.6V5h-3.2V1.6H-5z" />,
]
