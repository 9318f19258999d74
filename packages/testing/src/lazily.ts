/** A value that is made when one of its properties is first read: a test file may name what its first hook opens. */
export function lazily<Value extends object>(make: () => Value): Value {
  let made: Value | undefined
  return new Proxy({} as Value, {
    get: (_, name) => Reflect.get((made ??= make()), name) as unknown,
  })
}
