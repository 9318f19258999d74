// The operator's key of this browser: made here, never readable, and kept by the browser for this origin alone.

const keyStore = 'keys'
const place = 'own'

function openKeys() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('malipo-console', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(keyStore)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function inStore(mode, work) {
  const database = await openKeys()
  try {
    return await new Promise((resolve, reject) => {
      const request = work(database.transaction(keyStore, mode).objectStore(keyStore))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  } finally {
    database.close()
  }
}

/** The key of this browser; undefined when it has none. */
export function readOwnKey() {
  return inStore('readonly', (store) => store.get(place))
}

/** Makes the key of this browser; one that is there is never replaced. */
export async function makeOwnKey(name) {
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const own = { name, publicKey, privateKey: pair.privateKey, operatorId: await idOf(publicKey) }
  await inStore('readwrite', (store) => store.add(own, place))
  // Without this, a browser that is short of storage may delete the key.
  await navigator.storage?.persist?.()
  return own
}

async function idOf(publicKey) {
  return `op_${hexOf(await digestOf(publicKey)).slice(0, 24)}`
}

async function digestOf(bytes) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

function hexOf(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function base64Of(bytes) {
  return btoa(String.fromCharCode(...bytes))
}

async function signLines(own, lines) {
  const text = new TextEncoder().encode(lines.join('\n'))
  return new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, own.privateKey, text))
}

/** Proves to the console that this browser has the key. */
export async function signChallenge(own, challenge) {
  return signLines(own, ['malipo console sign-in 1', location.origin, challenge])
}

export async function signAct(own, country, act, request) {
  const method = `/ledger.v1.LedgerService/${act}`
  const [signedAt, nonce] = [new Date().toISOString(), crypto.randomUUID()]
  const digest = hexOf(await digestOf(request))
  const signature = await signLines(own, [
    ...['malipo operator act 1', country, method, digest, own.operatorId, signedAt, nonce],
  ])
  return {
    country,
    act,
    request: base64Of(request),
    operator_id: own.operatorId,
    signed_at: signedAt,
    nonce,
    signature: base64Of(signature),
  }
}
