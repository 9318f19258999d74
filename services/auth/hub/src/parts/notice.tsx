import type { ComponentChildren } from 'preact'

/** A notice to read before going on. `bad` is announced at once. */
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
