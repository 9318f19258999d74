/** A status word. The colour adds no information. */
export function Badge(props: {
  readonly kind: 'good' | 'warn' | 'bad' | 'calm'
  readonly text: string
}) {
  return <span class={`badge ${props.kind}`}>{props.text}</span>
}
