// Keeps the state of a payment in this tab; without storage in the browser it is simply lost.

/** The path of the checkout, or of the handle: all intents of a handle share one state. */
export function subject() {
  return document.querySelector('main').dataset.page.split('/').slice(0, 3).join('/')
}

export function keep(name, value) {
  try {
    sessionStorage.setItem(`${name} ${subject()}`, value)
  } catch {
    // Without storage the page still works.
  }
}

export function recall(name) {
  try {
    return sessionStorage.getItem(`${name} ${subject()}`) ?? ''
  } catch {
    return ''
  }
}

/** Makes an Idempotency-Key in the form that the server gives its pages. */
function makeKey() {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)))
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A press is kept for this long. After it, a prompt of the press is neither open nor without a result. */
const pressForMs = 600_000
const isRecent = (keptAtMs) => Date.now() - keptAtMs < pressForMs

/**
 * Keeps the key of a press with what was wished (`wishOf`), and puts the key back into the form when the same is wished
 * again soon. Otherwise a kept key that is still in the form is replaced, so that a tab found again later does not show
 * the payment of an earlier press as its own. Returns the warning when the same press was made before, without answer.
 */
export function keepPress({ key, phone }, wish, warning) {
  const [keptKey, keptWish, keptAtMs] = recall('wish').split('\n')
  const isAgain = keptWish === wish && isRecent(keptAtMs)
  if (isAgain) key.value = keptKey
  else if (key.value === keptKey) key.value = makeKey()
  keep('wish', `${key.value}\n${wish}\n${Date.now()}`)
  keep('phone', `${phone.value}\n${Date.now()}`)
  return isAgain ? warning : ''
}

/** Forgets a press that was answered: this page shows another attempt than the page on which it was made. */
export function forgetAnswered(attempt) {
  const [, wish = ''] = recall('wish').split('\n')
  if (attempt && !wish.startsWith(`${attempt} `)) keep('wish', '')
}

/** The phone of a recent press. It is kept no longer, because another payer may use this browser later. */
export function recallPhone() {
  const [phone, keptAtMs] = recall('phone').split('\n')
  return isRecent(keptAtMs) ? phone : ''
}
