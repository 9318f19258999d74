import { openLog } from '@malipo/runtime/log'
import { run } from '@malipo/runtime/process'
import { readConfig } from './config'
import { start } from './start'

const config = readConfig(process.env)
const log = openLog('simulator', config.logLevel)
void run(log, process.env, () => start(config, log))
