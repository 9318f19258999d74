import { firstCell } from '@malipo/kernel/cells'
import { openLog } from '@malipo/runtime/log'
import { run } from '@malipo/runtime/process'
import { readConfig } from './config'
import { start } from './start'

const config = readConfig(process.env)
const { country, cell } = config
const log = openLog('worker', process.env['LOG_LEVEL'] ?? 'info').child({
  country,
  ...(cell !== firstCell && { cell }),
})
void run(log, process.env, () => start(config, log))
