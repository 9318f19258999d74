// Keeps the state of a payment in this tab; without storage in the browser it is simply lost.

/** A checkout, or a handle with all its intents. */
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

/** As the server makes one with the page. */
function makeKey() {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)))
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Keeps the key of a wish, and puts it back into the form when the same is wished for again soon. A tab that is found again
 * later must not show the payment of that time as the one of now, so a kept key that is still in the form is replaced.
 */
export function keepKey(field, wish, keptForMs) {
  const [keptKey, keptWish, keptAtMs] = recall('wish').split('\n')
  if (keptWish === wish && Date.now() - keptAtMs < keptForMs) field.value = keptKey
  else if (field.value === keptKey) field.value = makeKey()
  keep('wish', `${field.value}\n${wish}\n${Date.now()}`)
}
