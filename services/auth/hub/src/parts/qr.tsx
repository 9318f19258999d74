import { encode } from 'uqr'

/** A URL as a QR code, dark on white in any colour scheme, because cameras need it. */
export function Qr(props: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(props.text, { border: 2 })
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${String(x)} ${String(y)}h1v1h-1z`] : [])),
  )
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      role="img"
      aria-label={props.label}
    >
      <rect width={size} height={size} class="qr-ground" />
      <path d={path.join('')} class="qr-ink" />
    </svg>
  )
}
