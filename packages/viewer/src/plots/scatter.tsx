type Point = { x: number; y: number; label: string; kind: 'better' | 'worse' | 'same' }

type ScatterProps = { label: string; points: readonly Point[]; range: readonly [from: number, to: number]; xName: string; yName: string }

const size = 220
const edge = 28

/** A scatter plot of two metrics: above the diagonal, the second is higher. */
export function Scatter({ label, points, range: [from, to], xName, yName }: ScatterProps) {
  const scale = (number: number) => edge + ((size - 2 * edge) * (number - from)) / (to - from || 1)
  return (
    <svg class="scatter" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={size} height={size}>
      <title>{label}</title>
      <rect class="room" x={edge} y={edge} width={size - 2 * edge} height={size - 2 * edge} />
      <line class="zero" x1={edge} y1={size - edge} x2={size - edge} y2={edge} />
      {points.map(({ x, y, label: name, kind }) => (
        <circle key={name} class={`point is-${kind}`} cx={scale(x)} cy={size - scale(y)} r="5">
          <title>{name}</title>
        </circle>
      ))}
      <text x={edge} y={size - edge + 13} text-anchor="middle">
        {from}
      </text>
      <text x={size - edge} y={size - edge + 13} text-anchor="middle">
        {to}
      </text>
      <text x={edge - 5} y={edge + 4} text-anchor="end">
        {to}
      </text>
      <text x={size / 2} y={size - edge + 15} text-anchor="middle">
        {xName} →
      </text>
      <text x={-size / 2} y={edge - 8} transform="rotate(-90)" text-anchor="middle">
        {yName} →
      </text>
    </svg>
  )
}
