import { signal } from '@preact/signals'

const said = signal('')

/** Says something to those who do not see the screen change. */
export function announce(text: string): void {
  // The same words again are only heard when they were gone in between.
  said.value = said.value === text ? `${text}\u00a0` : text
}

export function Announcer() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {said.value}
    </p>
  )
}
