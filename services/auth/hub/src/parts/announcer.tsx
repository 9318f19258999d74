import { signal } from '@preact/signals'

const announced = signal('')

/** Announces a change of the screen to screen readers. */
export function announce(text: string): void {
  // A screen reader repeats a text only if it was removed in between.
  announced.value = announced.value === text ? `${text}\u00a0` : text
}

export function Announcer() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {announced.value}
    </p>
  )
}
