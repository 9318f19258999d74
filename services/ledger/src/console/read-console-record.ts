import type { Ledger, Operation } from '../operation'
import { readRecordName } from './read-record-name'
import { readRecord } from './store/console-records'

/** Reads what the console kept; a session that is read is used, and lives on. */
export function readConsoleRecord(deps: Ledger): Operation<'readConsoleRecord'> {
  return async (request) => ({ body: await readRecord(deps.db, readRecordName(request)) })
}
