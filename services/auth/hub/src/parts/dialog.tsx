import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A modal dialog. The browser's own element traps the focus, closes on Escape, and restores the focus. */
export function Dialog(props: {
  readonly title: string
  readonly onClose: () => void
  /** The content is shown only once, so Escape must not close the dialog by mistake. */
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
