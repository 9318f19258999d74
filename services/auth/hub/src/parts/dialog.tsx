import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/**
 * A question above the page. The browser's own: it keeps the focus inside, closes on Escape, and gives the focus back to
 * what opened it.
 */
export function Dialog(props: {
  readonly title: string
  readonly onClose: () => void
  /** It shows what is nowhere else: a slip of the finger on Escape must not lose it. */
  readonly isKept?: boolean
  readonly children: ComponentChildren
}) {
  const { title, onClose, isKept = false, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    ref.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby="dialog-title"
      onClose={onClose}
      onCancel={(event) => {
        if (isKept) event.preventDefault()
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}

export function DialogButtons({ children }: { readonly children: ComponentChildren }) {
  return <div class="buttons">{children}</div>
}
