import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A modal dialog. The browser's own element traps the focus, closes on Escape, and restores the focus. */
export function Dialog(props: {
  readonly title: string
  readonly onClose: () => void
  /** True while Escape would lose what the dialog shows or does: then only one of its buttons closes it. */
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
      closedby={isKept ? 'none' : undefined}
      onClose={(event) => {
        // A browser closes the dialog at a second Escape even where the first was cancelled, so it is opened again.
        if (isKept) event.currentTarget.showModal()
        else onClose()
      }}
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
