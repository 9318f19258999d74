import { makeStackTemplate } from '@malipo/testing/stack-template'
import startDatabases from '@malipo/testing/start-databases'
import { findBrowser } from './browser'

/** Jest's global set-up of the browser tests: a Chromium, found or installed, the databases of the other tests, and those of stacks. */
export default async function prepare(): Promise<void> {
  findBrowser()
  await Promise.all([startDatabases(), makeStackTemplate()])
}
