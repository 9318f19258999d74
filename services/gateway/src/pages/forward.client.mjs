// Returns a payer who has paid to the shop.

import { counted } from './counted.client.mjs'
import { keep, recall, subject } from './tab-state.client.mjs'

/** Whether this browser, in any tab, last returned to a shop or stayed after this payment. With `now` it notes that. */
function wasForwarded(now) {
  try {
    const before = localStorage.getItem('forwarded')
    if (now) localStorage.setItem('forwarded', subject())
    return before === subject()
  } catch {
    return recall('forwarded') || keep('forwarded', now)
  }
}

const forwardAfterSeconds = 5

/** Returns to the shop once, after a countdown that the payer sees and can stop; `onProgress` announces it. */
export function forward(note, onProgress) {
  if (wasForwarded('')) return
  const link = document.querySelector('[data-back]')
  const words = note.querySelector('[data-one]')
  let seconds = forwardAfterSeconds
  const end = () => {
    clearInterval(timer)
    wasForwarded('yes')
  }
  const timer = setInterval(() => {
    if (document.hidden) return
    words.textContent = counted(words, --seconds)
    if (seconds > 0) return
    end()
    location.assign(link.href)
  }, 1_000)
  note.dataset.ready = ''
  onProgress(words.textContent)
  note.querySelector('[data-stay]').addEventListener('click', () => {
    end()
    onProgress('')
    delete note.dataset.ready
    link.focus()
  })
}
