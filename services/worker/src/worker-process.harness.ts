import { openLog } from '@malipo/runtime/log'
import { readConfig } from './config'
import { start } from './start'

/** Runs a worker in its own process until a test kills it. Its one argument is its environment, as JSON. */
export async function main([variables = '{}']: readonly string[]): Promise<void> {
  const environment = JSON.parse(variables) as Record<string, string>
  await start(readConfig(environment), openLog('worker', 'silent'))
  await new Promise(() => undefined)
}
