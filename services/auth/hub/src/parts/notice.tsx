import type { ComponentChildren } from 'preact'

/** What a person should know before going on. `bad` is read out at once. */
export function Notice(props: {
  readonly kind: 'good' | 'warn' | 'bad'
  readonly children: ComponentChildren
}) {
  const { kind, children } = props
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      {children}
    </div>
  )
}
