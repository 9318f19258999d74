import { type Cell, cellsMax, firstCell } from '@malipo/kernel/cells'
import { type Country, isCountry } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'

/**
 * Reads the account id of a request. Only our own processes call, so a malformed id is a bug: it is refused, never
 * repaired.
 */
export function readAccountId(text: string): string {
  if (text === '' || text.length > 64) throw new Fault('invalid_request', { field: 'account_id' })
  return text
}

export function readCountry(text: string): Country {
  if (!isCountry(text)) throw new Fault('invalid_request', { field: 'country' })
  return text
}

export function readCell(cell: number = firstCell): Cell {
  if (cell >= cellsMax) throw new Fault('invalid_request', { field: 'cell' })
  return cell
}

export function readKeySha256(bytes: Buffer): Buffer {
  if (bytes.length !== 32) throw new Fault('invalid_request', { field: 'key_sha256' })
  return bytes
}
