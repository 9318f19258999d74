/**
 * A map that remembers at least the last `keepAtLeast` keys, and at most twice as many. It drops a generation at a
 * time, because repeatedly deleting a Map's first key is slow.
 */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/**
 * How far back callers read. A generation of this age ends too, so that entries that no caller reads any more are
 * dropped, even the last ones. When more than `keepAtLeast` keys come in this time, entries may be dropped earlier.
 */
export interface Life {
  readonly ms: number
  now(): number
}

export function openRecent<Value>(keepAtLeast: number, life?: Life): Recent<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  let bornAtMs = life?.now() ?? 0
  const isGrown = () =>
    young.size >= keepAtLeast || (life !== undefined && life.now() - bornAtMs >= life.ms)
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set(key, value) {
      if (isGrown()) {
        old = young
        young = new Map()
        bornAtMs = life?.now() ?? 0
      }
      young.set(key, value)
    },
  }
}
