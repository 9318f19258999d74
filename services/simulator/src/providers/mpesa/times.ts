/** Kenya keeps UTC+3 the whole year. */
const eastAfricaMs = 3 * 3_600_000
const eastAfrica = '+03:00'

/** `20261120142501`: how Daraja writes an instant. */
export function compactTime(ms: number): string {
  return local(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)
}

/** `20.11.2026 14:25:01`: how the result of a payout writes an instant. */
export function dottedTime(ms: number): string {
  const [day = '', clock = ''] = local(ms).toISOString().slice(0, 19).split('T')
  return `${day.split('-').reverse().join('.')} ${clock}`
}

/** `20112026142501373`: the middle of a CheckoutRequestID, its milliseconds unpadded. */
export function checkoutTime(ms: number): string {
  const time = compactTime(ms)
  const [year, month, day, clock] = [
    time.slice(0, 4),
    time.slice(4, 6),
    time.slice(6, 8),
    time.slice(8),
  ]
  return `${day}${month}${year}${clock}${String(ms % 1_000)}`
}

/** `20/11/26 at 2:25 PM`: how an SMS writes an instant. */
export function smsTime(ms: number): string {
  const time = local(ms)
  const [year = '', month = '', day = ''] = time.toISOString().slice(2, 10).split('-')
  const hour = time.getUTCHours()
  const minute = time.toISOString().slice(14, 16)
  return `${day}/${month}/${year} at ${String(hour % 12 || 12)}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

/** How `trxDate` of a statement writes an instant: in UTC, unless a rule of kind `lie` changes it. */
export function statementDate(ms: number, lie: string | undefined): string {
  const utc = new Date(ms).toISOString().slice(0, 19)
  const nairobi = local(ms).toISOString().slice(0, 19)
  switch (lie) {
    case 'nairobi_as_utc':
      return `${nairobi}Z`
    case 'nairobi':
      return `${nairobi}${eastAfrica}`
    default:
      return `${utc}Z`
  }
}

/** The seconds may be missing and may have three digits: the portal's own samples do both. */
const statementShape = /^(\d{4}-\d{2}-\d{2}) (\d{1,2}):(\d{2})(?::(\d{2})\d?)?$/

/** `2026-11-20 14:00:00` in East African time; undefined when it is no such time. */
export function parseStatementTime(text: string): number | undefined {
  const match = statementShape.exec(text)
  if (match === null) return undefined
  const [, day = '', hour = '', minute = '', second = '00'] = match
  const ms = Date.parse(`${day}T${hour.padStart(2, '0')}:${minute}:${second}${eastAfrica}`)
  return Number.isNaN(ms) ? undefined : ms
}

function local(ms: number): Date {
  return new Date(ms + eastAfricaMs)
}
