import { readJson } from '../json'
import { intentIdOf } from './transaction-id'
import { callback } from './wire'

/** The intent that a callback is about, by the id that was ours to choose; undefined when it is about none of ours. */
export function subjectOfAirtelMoney(body: Uint8Array): string | undefined {
  const parsed = callback.safeParse(readJson(body))
  return parsed.success ? intentIdOf(parsed.data.transaction.id) : undefined
}
