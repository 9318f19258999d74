import { isSameSecret } from '@malipo/contracts/same-secret'

/** Whether two entered codes are those of two operators, in either order. `given` has one digest an operator. */
export function isPair(
  given: readonly Uint8Array[],
  [first, second]: readonly [Uint8Array, Uint8Array],
): boolean {
  const [one, other] = given
  if (one === undefined || other === undefined) return false
  const isInOrder = isSameSecret(first, one) && isSameSecret(second, other)
  return isInOrder || (isSameSecret(first, other) && isSameSecret(second, one))
}
