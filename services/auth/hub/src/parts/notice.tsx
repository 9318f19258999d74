import type { ComponentChildren } from 'preact'

/** A notice to read before going on. `bad` is announced at once, and can have the focus, so that it comes into view. */
export function Notice(props: {
  readonly kind: 'good' | 'warn' | 'bad'
  readonly children: ComponentChildren
}) {
  const { kind, children } = props
  return (
    <div class={`notice ${kind}`} {...(kind === 'bad' && { role: 'alert', tabIndex: -1 })}>
      {children}
    </div>
  )
}
