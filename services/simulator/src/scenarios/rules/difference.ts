/** The first place where a value differs from the expected one, if any. An object may have more fields. */
export function differenceOf(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (Array.isArray(expected)) return listDifference(expected, actual, path)
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return notEqual(expected, actual, path)
    for (const [name, part] of Object.entries(expected)) {
      const difference = differenceOf(part, Reflect.get(actual, name), joined(path, name))
      if (difference !== undefined) return difference
    }
    return undefined
  }
  return Object.is(expected, actual) ? undefined : notEqual(expected, actual, path)
}

function listDifference(
  expected: readonly unknown[],
  actual: unknown,
  path: string,
): string | undefined {
  if (!Array.isArray(actual)) return notEqual(expected, actual, path)
  if (actual.length !== expected.length) {
    return `${named(path)} has ${String(actual.length)} items, expected ${String(expected.length)}: ${shown(actual)}`
  }
  for (const [index, part] of expected.entries()) {
    const difference = differenceOf(part, actual[index], joined(path, String(index)))
    if (difference !== undefined) return difference
  }
  return undefined
}

function notEqual(expected: unknown, actual: unknown, path: string): string {
  return `${named(path)} is ${shown(actual)}, expected ${shown(expected)}`
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function named(path: string): string {
  return path === '' ? 'it' : path
}

const shownMax = 400

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, shownMax)
}
