import { useState } from 'preact/hooks'
import { announce } from './announcer'

/** Copies a text. If the browser refuses, the text beside the button can still be selected. */
export function CopyButton(props: { readonly text: string; readonly what: string }) {
  const { text, what } = props
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        announce(`${what} copied`)
      },
      () => {
        announce(`The browser did not let us copy. Select the ${what.toLowerCase()} and copy it.`)
      },
    )
  }
  return (
    <button type="button" class="button quiet fitting" onClick={copy}>
      {isCopied ? 'Copied' : `Copy ${what.toLowerCase()}`}
    </button>
  )
}
