/**
 * A value that is made when one of its properties is first read, so that a test file can refer to a value that a hook
 * opens later.
 */
export function lazily<Value extends object>(make: () => Value): Value {
  let made: Value | undefined
  return new Proxy({} as Value, {
    get: (_, name) => Reflect.get((made ??= make()), name) as unknown,
  })
}

/** Opens a value before the first test of a file, and stops it after the last if it has a `stop`. */
export function ofFile<Value extends object>(open: () => Promise<Value>): Value {
  return hooked(open, beforeAll, afterAll)
}

/** Opens a value before each test of a file, and stops it after the test if it has a `stop`. */
export function ofTest<Value extends object>(open: () => Promise<Value>): Value {
  return hooked(open, beforeEach, afterEach)
}

type Hook = (act: () => Promise<void>) => void

interface Opened {
  readonly stop?: () => Promise<void>
}

function hooked<Value extends object>(open: () => Promise<Value>, before: Hook, after: Hook) {
  let value: Value
  before(async () => {
    value = await open()
  })
  after(async () => {
    await (value as Opened).stop?.()
  })
  return new Proxy({} as Value, { get: (_, name) => Reflect.get(value, name) as unknown })
}
