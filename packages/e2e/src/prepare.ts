import { makeStackTemplate } from '@malipo/testing/stack-template'
import startDatabases from '@malipo/testing/start-databases'
import { findBrowser } from './browser'

/** Jest's global set-up of the browser tests: finds or installs a Chromium, and makes the databases that tests copy. */
export default async function prepare(): Promise<void> {
  findBrowser()
  await Promise.all([startDatabases(), makeStackTemplate()])
}
