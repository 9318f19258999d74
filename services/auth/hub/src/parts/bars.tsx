/** A bar of stacked parts, the first at the bottom. */
export interface Bar {
  readonly key: string
  /** The tooltip of the bar. */
  readonly title: string
  readonly parts: readonly { readonly kind: string; readonly size: bigint }[]
}

const height = 1_000n
const step = 20
const gap = 5

/** Bars beside each other, to the scale of the largest. A screen reader reads `label` only. */
export function Bars({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const largest = bars.map(sizeOf).reduce((most, size) => (size > most ? size : most), 1n)
  return (
    <svg
      class="bars"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${String(bars.length * step)} ${String(height)}`}
      preserveAspectRatio="none"
    >
      {bars.map((bar, place) => (
        <g key={bar.key}>
          <title>{bar.title}</title>
          <rect class="bar-ground" x={place * step} y={0} width={step} height={String(height)} />
          {stacked(bar, largest).map(({ kind, top, tall }) => (
            <rect
              key={kind}
              class={`bar of-${kind}`}
              x={place * step + gap / 2}
              y={String(top)}
              width={step - gap}
              height={String(tall)}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

const sizeOf = ({ parts }: Bar) => parts.reduce((total, { size }) => total + size, 0n)

function stacked({ parts }: Bar, largest: bigint) {
  let top = height
  return parts
    .filter(({ size }) => size > 0n)
    .map(({ kind, size }) => {
      const tall = (height * size) / largest
      top -= tall
      return { kind, top, tall }
    })
}
