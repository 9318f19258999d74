import { hash } from 'node:crypto'

/** The digest that identifies a row of M-Pesa's statement, 32 bytes: the ledger stores each row once. */
export function digestStatementRow(body: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([prefix, body]), 'buffer')
}

const prefix = Buffer.from('statement_row true')
