/** M-Pesa writes East African Time, UTC+3 all year, mostly without saying so (README.md). */
const offsetMs = 3 * 60 * 60 * 1_000

/** `20261120142501`, as passwords are made with. */
export function compactTime(atMs: number): string {
  return statementTime(atMs).replace(/\D/g, '')
}

/** `2026-11-20 14:25:01`, as statements are asked with. */
export function statementTime(atMs: number): string {
  return new Date(atMs + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

const compactShape = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/

/** Reads `20261120142525`. Undefined when it is no such time. */
export function readCompactTime(text: string): Date | undefined {
  if (!compactShape.test(text)) return undefined
  return readIso(text.replace(compactShape, '$1-$2-$3T$4:$5:$6+03:00'))
}

/** Reads `2026-11-20T14:25:25+03:00` and, where no zone is given, East African Time. */
export function readStatementTime(text: string): Date | undefined {
  const iso = text.trim().replace(' ', 'T')
  return readIso(/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}+03:00`)
}

function readIso(iso: string): Date | undefined {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? undefined : time
}
