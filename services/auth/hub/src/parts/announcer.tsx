import { signal } from '@preact/signals'

const announced = signal('')

export function announce(text: string): void {
  // A screen reader announces only a changed text, so a repeated one gets a space that is not seen.
  announced.value = announced.value === text ? `${text}\u00a0` : text
}

export function Announcer() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {announced.value}
    </p>
  )
}
