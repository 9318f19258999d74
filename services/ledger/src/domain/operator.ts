const shape = /^[a-z0-9][a-z0-9.-]{0,30}[a-z0-9]$/

/**
 * An operator's name as it is kept: small letters a to z, digits, dots and dashes, 2 to 32 of them, so that no two look
 * alike. Undefined for any other. Names are for reading; operators are compared by their ids.
 */
export function readOperatorName(given: string): string | undefined {
  const name = given.trim().toLowerCase()
  return shape.test(name) ? name : undefined
}

/**
 * Whether two operators have acted, and not one twice. A name of the time before keys (`legacy:NAME`) and a key may be of
 * one person, so they are not two. The database's CHECKs have the same rule (`are_two_operators`).
 */
export function areTwoOperators(one: string | null, other: string): boolean {
  return one !== null && one !== other && isLegacy(one) === isLegacy(other)
}

function isLegacy(operator: string): boolean {
  return operator.startsWith('legacy:')
}
