import { openLog } from '@malipo/runtime/log'
import { run } from '@malipo/runtime/process'
import { readConfig } from './config'
import { start } from './start'

const config = readConfig(process.env)
const log = openLog('gateway', config.logLevel).child({ country: config.country })
void run(log, process.env, () => start(config, log))
