import type { Ledger, Operation } from '../operation'
import { readRecordName } from './read-record-name'
import { takeRecord } from './store/console-records'

/** Ends what the console kept, and gives it to one caller. */
export function takeConsoleRecord(deps: Ledger): Operation<'takeConsoleRecord'> {
  return async (request) => ({ body: await takeRecord(deps.db, readRecordName(request)) })
}
