/** One word of status. Its colour says nothing that the word does not. */
export function Badge(props: {
  readonly kind: 'good' | 'warn' | 'bad' | 'calm'
  readonly text: string
}) {
  return <span class={`badge ${props.kind}`}>{props.text}</span>
}
