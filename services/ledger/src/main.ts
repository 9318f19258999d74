import { openLog } from '@malipo/runtime/log'
import { run } from '@malipo/runtime/process'
import { readConfig } from './config'
import { start } from './start'

const config = readConfig(process.env)
const log = openLog('ledger', config.logLevel).child({
  country: config.country.country,
  cell: config.cell,
})
void run(log, process.env, () => start(config, log))
