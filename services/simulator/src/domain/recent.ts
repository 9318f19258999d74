/**
 * A map that remembers at least the last `keepAtLeast` keys that were set, and at most twice as many. It forgets a
 * generation at a time: a map that loses its first key again and again is searched from its beginning each time.
 */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

export function openRecent<Value>(keepAtLeast: number): Recent<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set(key, value) {
      if (young.size >= keepAtLeast) {
        old = young
        young = new Map()
      }
      young.set(key, value)
    },
  }
}
