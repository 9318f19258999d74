import type { ComponentChildren } from 'preact'
import type { Refusal } from '../api'

/** The states of a screen, or a part of one, without content: loading, failed, empty. */

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="state" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what}…
    </p>
  )
}

export function Failed(props: { readonly refusal: Refusal; readonly again: () => void }) {
  const { message, requestId } = props.refusal
  return (
    <div class="state failed" role="alert">
      <p>{message}</p>
      {requestId !== '' && <p class="soft">Request {requestId}</p>}
      <button type="button" class="button quiet fitting" onClick={props.again}>
        Try again
      </button>
    </div>
  )
}

export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state empty">
      <p class="state-title">{props.title}</p>
      {props.children}
    </div>
  )
}
