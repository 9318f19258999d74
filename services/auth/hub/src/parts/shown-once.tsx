import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy-button'
import { Dialog, DialogButtons } from './dialog'
import { Notice } from './notice'

/** A secret that is shown only until the dialog closes. Our screenshots mask the element with the attribute `mark`. */
export function ShownOnce(props: {
  readonly title: string
  readonly secret: string
  readonly what: string
  readonly mark: 'data-secret-key' | 'data-webhook-secret'
  readonly onDone: () => void
  readonly children: ComponentChildren
}) {
  const { title, secret, what, mark, onDone, children } = props
  return (
    <Dialog title={title} onClose={onDone} isKept>
      <div class="stack">
        <Notice kind="warn">
          <p>{children}</p>
        </Notice>
        <code class="secret" {...{ [mark]: true }}>
          {secret}
        </code>
        <DialogButtons>
          <CopyButton text={secret} what={what} />
          <button type="button" class="button fitting" onClick={onDone}>
            I have stored it
          </button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}
