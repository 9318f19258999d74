import { hash } from 'node:crypto'

/** What a row of M-Pesa's statement is found by, 32 bytes: the ledger keeps each row once. */
export function digestStatementRow(body: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([prefix, body]), 'buffer')
}

const prefix = Buffer.from('statement_row true')
