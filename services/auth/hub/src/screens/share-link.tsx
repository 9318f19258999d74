import type { LinkView } from '@malipo/interface/hub'
import { useState } from 'preact/hooks'
import { encode } from 'uqr'
import { ask } from '../api'
import { announce } from '../parts/announcer'
import { CopyButton } from '../parts/copy-button'
import { Dialog, DialogButtons } from '../parts/dialog'
import { FormNotice } from '../parts/form-notice'
import { useForm } from '../parts/use-form'

/** Shares, shows or prints a link, or closes it for good. */
export function ShareLink({
  link,
  onDone,
}: {
  readonly link: LinkView
  readonly onDone: () => void
}) {
  const [isClosing, setClosing] = useState(false)
  const form = useForm(async () => {
    await ask('POST', `/links/${link.handle}/close`)
    announce('Link closed')
    onDone()
  })
  const share = () => {
    // A cancelled share dialog is not an error.
    void navigator.share({ title: link.title ?? 'Pay', url: link.url }).catch(() => undefined)
  }
  return (
    <Dialog title={link.title ?? 'Open link'} onClose={onDone}>
      <form ref={form.ref} class="stack" onSubmit={form.submit}>
        <FormNotice refusal={form.refusal} />
        <Qr text={link.url} label={`QR code of ${link.url}`} />
        <p class="wrap">
          <a href={link.url} target="_blank" rel="noreferrer">
            {link.url}
          </a>
        </p>
        <DialogButtons>
          <CopyButton text={link.url} what="Address" />
          {'share' in navigator && (
            <button type="button" class="button quiet fitting" onClick={share}>
              Send…
            </button>
          )}
          {isClosing ? (
            <button class="button danger fitting">Yes, close it for good</button>
          ) : (
            <button
              type="button"
              class="button quiet fitting"
              onClick={() => {
                setClosing(true)
              }}
            >
              Close the link
            </button>
          )}
          <button type="button" class="button fitting" onClick={onDone}>
            Done
          </button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** A URL as a QR code, dark on white in any colour scheme, because cameras need it. */
function Qr(props: { readonly text: string; readonly label: string }) {
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
