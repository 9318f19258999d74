import type { ReadConsoleRecordRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { RecordName } from './store/console-records'

const digestBytes = 32

/** Reads the kind and the digest of a record. Throws the fault `invalid_request`. */
export function readRecordName({ kind: wire, digest }: ReadConsoleRecordRequest): RecordName {
  const kind = wordOf('CONSOLE_RECORD_KIND', wire)
  if (kind === undefined) throw new Fault('invalid_request', { field: 'kind' })
  if (digest.length !== digestBytes) throw new Fault('invalid_request', { field: 'digest' })
  return { kind, digest: Buffer.from(digest) }
}
