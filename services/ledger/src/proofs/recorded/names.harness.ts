/** The shapes of values that differ from run to run. The first shape that matches a value gives it its name. */
const shapes = [
  ['refund token', '[0-9a-f]{56}0[12]'],
  ['callback token', '[0-9a-f]{56}'],
  ['signature', '[0-9a-f]{128}'],
  ['key', '[0-9a-f]{64}'],
  ['checkout', 'cs_(?:ke|ug)_[0-9a-f]{24}'],
  ['intent', 'pi_[0-9a-f]{24}'],
  ['message', 'pm_[0-9a-f]{24}'],
  ['refund', 'rf_[0-9a-f]{24}'],
  ['placement', 'pl_[0-9a-f]{24}'],
  ['freezing', 'fr_[0-9a-f]{24}'],
  ['operator', 'op_[0-9a-f]{24}'],
  ['account', 'acc_[0-9a-f]{16}'],
  ['idempotency key', 'key-[0-9a-f]{16}'],
  ['nonce', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  ['request', '(?:ws_CO_|SESSION|ref-)[0-9a-f]{16}'],
  ['16 hex digits', '[0-9a-f]{16}'],
  ['attempt reference', 'M[0-9A-HJKMNP-TV-Z]{11}'],
  ['receipt', '[0-9A-F]{10}|[0-9a-f]{10}'],
  ['phone', '2547\\d{8}'],
  ['signing time', '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z'],
  ['account number', '[Cc][Ss][ -]?\\d{4}[ -]?\\d{4}'],
] as const

const anyShape = new RegExp(
  shapes.map(([, shape]) => `(?<![0-9A-Za-z])(${shape})(?![0-9A-Za-z])`).join('|'),
  'g',
)

/** Makes one spelling of each account number and each receipt, so that all spellings get the same name. */
const spellingOf = (kind: string, value: string) =>
  kind === 'account number' || kind === 'receipt' ? value.replace(/[ -]/g, '').toUpperCase() : value

/** Gives each id and random value a name, in the order in which they appear. */
export function openNames(): (text: string) => string {
  const named = new Map<string, string>()
  const counts = new Map<string, number>()
  const nameOf = (kind: string, value: string): string => {
    const spelling = `${kind} ${spellingOf(kind, value)}`
    const known = named.get(spelling)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const name = `<${kind} ${String(count)}>`
    named.set(spelling, name)
    return name
  }
  return (text) =>
    text.replace(anyShape, (match, ...groups: unknown[]) => {
      const at = groups.findIndex((group) => group !== undefined)
      return nameOf(shapes[at]?.[0] ?? 'value', match)
    })
}

/** A time that is further than this before the start of the scenario is a calendar date that the scenario names. */
const oldMs = 5 * 86_400_000

/** Writes a time as whole minutes since the scenario began, so that a slow machine records the same. */
export function nameTime(at: Date, beganAtMs: number): string {
  const elapsedMs = at.getTime() - beganAtMs
  if (elapsedMs < -oldMs) return at.toISOString()
  return `${String(Math.floor(elapsedMs / 60_000))} min`
}
